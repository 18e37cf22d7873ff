import { Client as DatabaseClient } from 'pg';
import { SANDBOX_CREDENTIALS } from '../../libs/platform-sandbox/credentials';
import { sendTo } from '../support/process/bulk';
import { until } from '../support/process/service';
import type { Incident } from './incident';
import type { Scene } from './scene';

const REPAIRED_MS = 15_000;
/** A job probes an unavailable platform at growing intervals. */
const RESUMED_MS = 60_000;
const REDIS = 'Redis is lost';
const DATABASE = 'The database is slow or unavailable';
const ENDPOINT = "A client's webhook endpoint is disabled";
const LEAKED = 'An API key leaked';

const FULL_DISK: Omit<Incident, 'cause'> = {
  complaint: 'Clients report that requests fail and that this job has stopped.',
  section: 'The disk is full',
  onSmallDisk: true,
  async plant(scene) {
    await scene.send(200);
    await until(async () => (await scene.detail()).successfullySent >= 5, REPAIRED_MS, 'messages are sent');
    scene.disk!.fill();
  },
  async isVisible(scene) {
    const { status, body } = await scene.client.post('/contacts', { phone: '+4915112345678' });
    const isFull =
      (await scene.fails('database', 'ENOSPC')) || (await scene.fails('background_work', 'No space left on device'));
    return status === 503 && body.code === 'service_unavailable' && isFull;
  },
  repair: (scene) => scene.disk!.free(),
};

/** Trouble of the service itself and of what it depends on. */
export const SERVICE_INCIDENTS: readonly Incident[] = [
  {
    cause: 'Redis is gone',
    complaint: 'The alert MessagingHealthCheckFailing fires for this process.',
    section: REDIS,
    onServers: true,
    async plant(scene) {
      await scene.redis.kill();
      await scene.send(80);
    },
    isVisible: (scene) => scene.fails('redis'),
    async repair(scene) {
      await scene.redis.start();
      await until(async () => !(await scene.fails('redis')), REPAIRED_MS, 'the check redis succeeds');
    },
  },
  {
    cause: 'a forgotten transaction blocks the database',
    complaint: 'Clients report that this job has stopped and that requests fail.',
    section: DATABASE,
    onServers: true,
    async plant(scene) {
      await scene.send(120);
      const forgotten = new DatabaseClient(scene.databaseUrl);
      // It ends by the remedy.
      forgotten.on('error', () => undefined);
      await forgotten.connect();
      await forgotten.query('BEGIN');
      await forgotten.query('LOCK TABLE messages IN ACCESS EXCLUSIVE MODE');
    },
    isVisible: async (scene) => (await blocker(scene)) !== undefined,
    async repair(scene) {
      const pid = await blocker(scene);
      await scene.sql(`SELECT pg_terminate_backend(${pid})`);
    },
  },
  {
    cause: 'the secret of another app is stored',
    complaint: 'A client reports that this job has stopped, and that its last messages do not become Delivered.',
    section: 'Webhook signatures are refused',
    async plant(scene) {
      await scene.send(200);
      await until(async () => (await scene.detail()).successfullySent >= 5, REPAIRED_MS, 'messages are sent');
      await scene.changeSender({ appSecret: 'secret-of-another-app', skipCheck: true });
    },
    // It also signs the calls of the platform, which refuses them.
    isVisible: async (scene) =>
      (await scene.counter('messaging_webhook_refused_total')) > 0 &&
      (await scene.detail()).pauseReason?.code === 'platform_credentials_invalid',
    async repair(scene) {
      await scene.runbook('Webhook signatures are refused', { APP_SECRET: SANDBOX_CREDENTIALS.appSecret });
      await scene.runbook('Jobs are paused or failed');
    },
  },
  {
    cause: "a client's server has said that its address is gone",
    complaint: 'A client reports that its server gets no events of this job. The job itself progresses.',
    section: ENDPOINT,
    async plant(scene) {
      const receiver = await scene.subscribe();
      receiver.status = 410;
      await scene.send(80);
    },
    isVisible: async (scene) =>
      (await scene.client.get(`/webhook-endpoints/${scene.ids.ENDPOINT}`)).body.disabledReason === 'endpoint_gone',
    async repair(scene) {
      const receiver = scene.receiver!;
      receiver.status = 204;
      const before = receiver.received.length;
      await scene.runbook(ENDPOINT);
      const isDelivered = () => Promise.resolve(receiver.received.length > before);
      await until(isDelivered, REPAIRED_MS, 'events are delivered again');
    },
  },
  {
    cause: 'the service was restarted with another encryption key',
    complaint: 'The service does not start any more. This job is unfinished.',
    section: 'The encryption key is lost',
    onServers: true,
    async plant(scene) {
      await scene.changeSender({ accessToken: SANDBOX_CREDENTIALS.accessToken });
      await scene.send(120);
      await scene.service.stop();
      await scene.startInVain({ ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') });
    },
    isVisible: (scene) => Promise.resolve(scene.lastOutput.includes('ENCRYPTION_KEY')),
    repair: (scene) => scene.start(),
  },
  {
    cause: 'an API key is used by someone else',
    complaint: 'A client reports a message to +49 151 12345678 that it did not send. The job itself progresses.',
    section: LEAKED,
    async plant(scene) {
      await scene.send(40);
      const { id, key } = (await scene.client.post('/api-keys', { name: 'Shop', scopes: ['messaging:send'] })).body;
      Object.assign(scene.ids, { LEAKED: id, SECRET: key });
      await sendTo(scene.client, ['+4915112345678'], {}, key);
    },
    isVisible: async (scene) => (await scene.runbook(LEAKED, {}, { changed: lastLine })).includes('Shop'),
    async repair(scene) {
      await scene.runbook(LEAKED);
      const { status } = await scene.client.get('/api-keys', { key: scene.ids.SECRET });
      if (status !== 401) throw new Error(`The leaked key still works: ${status}`);
    },
  },
  {
    cause: 'Redis is full',
    complaint: 'The alert MessagingHealthCheckFailing fires for this process.',
    section: REDIS,
    onServers: true,
    async plant(scene) {
      await scene.redis.fill();
      await scene.send(80);
    },
    isVisible: (scene) => scene.fails('redis', 'maxmemory'),
    async repair(scene) {
      await scene.runbook(REDIS, { REDIS_URL: scene.redis.url }, { language: 'bash' });
      await until(async () => !(await scene.fails('redis')), REPAIRED_MS, 'the check redis succeeds');
    },
  },
  { ...FULL_DISK, cause: 'the disk of the embedded database is full' },
  { ...FULL_DISK, cause: 'the disk of the PostgreSQL server is full', onServers: true },
  {
    cause: 'the platform reports to another service',
    complaint: 'A client reports that the messages of this job do not become Delivered. The job itself progresses.',
    section: 'Webhooks of the platform are silent',
    onServers: true,
    async plant(scene) {
      await scene.stealReports();
      // The service finds out within the hour, or when it starts.
      await scene.sql(`UPDATE webhook_subscription_checks SET checked_at = checked_at - interval '1 hour'`);
      await scene.restart();
      await scene.send(80);
    },
    isVisible: async (scene) =>
      (await scene.fails('webhook_subscription', 'to another address')) &&
      (await scene.counter('messaging_webhook_subscriptions_total')) > 0,
    async repair(scene) {
      await scene.restart({ PUBLIC_URL_TAKEOVER: 'true' });
      await until(async () => !(await scene.fails('webhook_subscription')), REPAIRED_MS, 'it is subscribed again');
      await sendTo(scene.client, ['+4915112345678']);
      const isReported = async () => (await scene.counter('messaging_webhook_updates_total')) > 0;
      await until(isReported, REPAIRED_MS, 'statuses arrive again');
    },
  },
  {
    cause: 'the platform refuses everything',
    complaint: 'A client reports that this job has stopped in the middle.',
    section: 'The platform is unavailable',
    async plant(scene) {
      await scene.send(200);
      await until(async () => (await scene.detail()).successfullySent >= 5, REPAIRED_MS, 'messages are sent');
      await scene.platform.configure({ faults: { refuse: { 131016: 1 } } });
    },
    // It answers, so the check `platform` succeeds.
    isVisible: async (scene) =>
      (await scene.detail()).throttled?.reason === 'platform_outage' && !(await scene.fails('platform')),
    // The platform repairs itself, and nothing else is to be done.
    async repair(scene) {
      const accepted = () => scene.counter('messaging_messages_accepted_total');
      const before = await accepted();
      await scene.platform.configure({ faults: { refuse: {} } });
      await until(async () => (await accepted()) > before, RESUMED_MS, 'messages are accepted again');
    },
  },
];

/** The session that the first query of the section shows as the one that others wait for. */
async function blocker(scene: Scene): Promise<string | undefined> {
  return /\{(\d+)\}/.exec(await scene.runbook(DATABASE, {}, { language: 'sql' }))?.[1];
}

/** Only the command that reads the audit log. */
function lastLine(code: string): string {
  return code.trim().split('\n').at(-1)!;
}
