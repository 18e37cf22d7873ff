import { SANDBOX_CREDENTIALS } from '../../libs/platform-sandbox/credentials';
import { until } from '../support/process/service';
import { FIRST_SENDER } from '../support/process/webhook';
import type { Incident } from './incident';
import type { Scene } from './scene';

const PAUSED = 'Jobs are paused or failed';
const OUTSIDE_HOURS = 'Send outside the hours';
const RESTRICTED = 'The platform restricts an account';
const TEMPLATE = 'A template is paused';
const THROTTLED = 'Senders are throttled';
const { phoneNumberId, businessAccountId } = FIRST_SENDER;
const ids = { phoneNumberId, businessAccountId };
const refuse = (scene: Scene, codes: Record<string, number>) => scene.platform.configure({ faults: { refuse: codes } });
const pauseCode = async (scene: Scene) => (await scene.detail()).pauseReason?.code;
const throttle = async (scene: Scene) => (await scene.detail()).throttled?.reason;

/** Trouble of jobs, and what stops them. */
export const SENDING_INCIDENTS: readonly Incident[] = [
  {
    cause: 'the access token has expired',
    complaint: 'A client reports that this job has stopped.',
    section: 'An access token is refused',
    async plant(scene) {
      await scene.changeSender({ accessToken: 'token-of-last-quarter', skipCheck: true });
      await scene.send(80);
    },
    isVisible: async (scene) => (await pauseCode(scene)) === 'platform_credentials_invalid',
    async repair(scene) {
      await scene.runbook('An access token is refused', { ACCESS_TOKEN: SANDBOX_CREDENTIALS.accessToken });
      await scene.runbook(PAUSED);
    },
  },
  {
    cause: 'the platform restricts the business account',
    complaint: 'A client reports that this job has stopped.',
    section: RESTRICTED,
    onServers: true,
    async plant(scene) {
      await refuse(scene, { 368: 1 });
      await scene.platform.report('account_update', { event: 'ACCOUNT_RESTRICTION' });
      await scene.send(80);
    },
    isVisible: async (scene) =>
      (await pauseCode(scene)) === 'account_restricted' &&
      (await scene.runbook(RESTRICTED, {}, { language: 'sql' })).includes('ACCOUNT_RESTRICTION'),
    async repair(scene) {
      await refuse(scene, {});
      await scene.runbook(PAUSED);
    },
  },
  {
    cause: 'the platform has paused the template',
    complaint: 'A client reports that this job has stopped.',
    section: TEMPLATE,
    async plant(scene) {
      await scene.send(400);
      await scene.platform.changeTemplate('hello_world', 'PAUSED');
    },
    isVisible: async (scene) => (await pauseCode(scene))?.startsWith('template_') ?? false,
    async repair(scene) {
      const { items } = JSON.parse(await scene.runbook(TEMPLATE)) as { items: { id: string; name: string }[] };
      const { id } = items.find(({ name }) => name === 'hello_world')!;
      await scene.runbook(TEMPLATE, { TEMPLATE: id }, { language: 'bash' });
    },
  },
  {
    cause: 'the emergency stop is on',
    complaint: 'A client reports that this job sends nothing.',
    section: '# Runbook',
    async plant(scene) {
      await scene.runbook('# Runbook');
      await scene.send(80);
    },
    isVisible: async (scene) => (await throttle(scene)) === 'sending_paused',
    repair: (scene) => scene.runbook('# Runbook', {}, { changed: (code) => code.replace(':true', ':false') }),
  },
  {
    cause: 'the messaging tier is used up',
    complaint: 'A client reports that the last messages of this job are not sent.',
    section: THROTTLED,
    async plant(scene) {
      await scene.platform.configure({ senders: [{ ...ids, messagingLimitTier: 'TIER_250' }] });
      await scene.runbook(THROTTLED);
      await scene.send(260);
    },
    isVisible: async (scene) => (await throttle(scene)) === 'messaging_limit_reached',
    async repair(scene) {
      await scene.platform.configure({ senders: [{ ...ids, messagingLimitTier: 'TIER_1K' }] });
      const isRaised = async () => (await scene.runbook(THROTTLED)).includes('"messagingTier":"1000"');
      await until(isRaised, 15_000, 'the raised tier');
    },
  },
  {
    cause: 'the send window of the job is closed',
    complaint: 'A client reports that this job sends nothing.',
    section: OUTSIDE_HOURS,
    async plant(scene) {
      const hour = (later: number) => `${String((new Date().getUTCHours() + later) % 24).padStart(2, '0')}:00`;
      await scene.send(80, { sendWindow: { from: hour(3), until: hour(5), timeZone: 'UTC' } });
    },
    isVisible: async (scene) => (await throttle(scene)) === 'send_window',
    repair: (scene) => scene.runbook(OUTSIDE_HOURS),
  },
];
