import { FakeClock } from '../../../../test/fakes/fake-clock';
import { RecordedSubscriptionsInMemory } from '../../../../test/fakes/recorded-subscriptions-in-memory';
import type { CloudApiClient, CloudApiRequest } from '../../../infra/cloud-api/cloud-api-client';
import type { CloudApiReply } from '../../../infra/cloud-api/cloud-api-reply';
import { HealthChecks } from '../../../infra/health/health-checks';
import { uuidV7 } from '../../../kernel/uuid';
import { type ActiveSince, isIdle, type Sender } from '../../accounts/domain/sender';
import type { SendersService } from '../../accounts/domain/senders.service';
import { SubscriptionGaps } from '../../sending/domain/subscription-gaps';
import { WebhookTelemetry } from '../domain/webhook-telemetry';
import { CloudApiWebhookSubscriptions } from './cloud-api-webhook-subscriptions';
import { PlatformSubscriptions } from './platform-subscriptions';

const OK: CloudApiReply = { kind: 'answer', status: 200, body: { success: true } };
/** The platform's list of subscribed apps. */
const present = (...addresses: string[]): CloudApiReply => ({
  kind: 'answer',
  status: 200,
  body: { data: addresses.map((url) => ({ whatsapp_business_api_data: { id: '1' }, override_callback_uri: url })) },
});
const UNREACHABLE: CloudApiReply = { kind: 'not_sent', reason: 'ECONNREFUSED' };
const URL = 'https://example.test/webhooks/platform';
const MINUTE = 60_000;

class QuietTelemetry extends WebhookTelemetry {
  readonly problems: string[] = [];
  refused = () => undefined;
  applied = () => undefined;
  received = () => undefined;
  noticesApplied = () => undefined;
  alerted = () => undefined;
  ignored = () => undefined;
  dropped = () => undefined;
  parked = () => undefined;
  subscribed = () => undefined;
  leftToOthers = (account: string, addresses: readonly string[]) =>
    void this.problems.push(`${account}: ${addresses.join()}`);
  notSubscribed = (account: string, reason: string) => void this.problems.push(`${account}: ${reason}`);
}

const sender = (businessAccountId: string, accessToken: string) => ({ businessAccountId, accessToken }) as Sender;

describe('The subscriptions of business accounts', () => {
  let clock: FakeClock;
  let senders: Sender[] | Error;
  let requests: CloudApiRequest[];
  let checked: string[];
  let reply: (request: CloudApiRequest) => CloudApiReply;
  let subscribed: Map<string, CloudApiReply>;
  let records: RecordedSubscriptionsInMemory;
  let reportedAt: Date | null;
  let acceptedAt: Date | null;
  let newestSenderId: string;
  let problems: Map<string, object>;
  let checks: HealthChecks;
  let gaps: SubscriptionGaps;
  let telemetry: QuietTelemetry;
  let process: () => PlatformSubscriptions;
  let subscriptions: PlatformSubscriptions;

  beforeEach(() => {
    clock = new FakeClock();
    senders = [sender('1', 'token one')];
    requests = [];
    checked = [];
    reply = () => OK;
    subscribed = new Map();
    problems = new Map();
    records = new RecordedSubscriptionsInMemory(clock);
    reportedAt = acceptedAt = null;
    newestSenderId = uuidV7(clock.now().getTime());
    checks = new HealthChecks();
    gaps = new SubscriptionGaps();
    telemetry = new QuietTelemetry();
    const all = () => (senders instanceof Error ? Promise.reject(senders) : Promise.resolve(senders));
    const client = {
      call(request: CloudApiRequest) {
        if (request.method === 'GET') {
          checked.push(request.path);
          return Promise.resolve(subscribed.get(request.path) ?? present());
        }
        requests.push(request);
        const answer = reply(request);
        if (answer === OK) subscribed.set(request.path, present(URL));
        return Promise.resolve(answer);
      },
    } as CloudApiClient;
    process = () =>
      new PlatformSubscriptions(
        {
          businessAccounts: async (since: ActiveSince) => {
            const traffic = { lastAcceptedAt: acceptedAt, lastReportedAt: reportedAt };
            const isReported = reportedAt !== null && reportedAt >= since.at;
            return (await all()).map((one) => ({
              ...{ id: one.businessAccountId, isReported },
              isIdle: isIdle({ ...one, ...traffic, id: newestSenderId }, since),
              newestSender: newestSenderId,
            }));
          },
          ofBusinessAccount: async (id: string) =>
            (await all()).filter(({ businessAccountId }) => businessAccountId === id),
          onChange: () => undefined,
          problemOf: ({ accessToken }: Sender) => problems.get(accessToken) ?? null,
        } as unknown as SendersService,
        new CloudApiWebhookSubscriptions(client, 'verify-me'),
        records,
        telemetry,
        clock,
        checks,
        gaps,
      );
    subscriptions = process();
    subscriptions.onModuleInit();
  });

  afterEach(() => subscriptions.onModuleDestroy());

  const paths = () => requests.map(({ path }) => path);

  it('are created once per business account, with the address that the platform verifies', async () => {
    senders = [sender('1', 'token one'), sender('2', 'token two'), sender('1', 'token three')];
    void subscriptions.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(10 * MINUTE);

    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/1/subscribed_apps',
        access: sender('1', 'token one'),
        body: { override_callback_uri: URL, verify_token: 'verify-me' },
      },
      expect.objectContaining({ path: '/2/subscribed_apps', access: sender('2', 'token two') }),
    ]);
    expect(telemetry.problems).toEqual([]);
  });

  it('are checked by one of several processes, and known to all', async () => {
    senders = Array.from({ length: 30 }, (_, n) => sender(String(n), 'token'));
    const other = process();
    const otherChecks = new HealthChecks();
    Object.assign(other, { checks: otherChecks });
    other.onModuleInit();
    void subscriptions.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(MINUTE);
    Object.assign(records, { readings: 0, leases: 0 });
    void other.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(MINUTE);
    expect([checked.length, records.readings, records.leases]).toEqual([30, 1, 0]);
    subscribed.set('/7/subscribed_apps', present('https://other.test'));
    await clock.advance(4 * MINUTE);
    expect(checked).toHaveLength(60);
    expect([(await checks.run()).degraded, (await otherChecks.run()).degraded]).toEqual([true, true]);
    other.onModuleDestroy();
  });

  it('are not read every few seconds after a failure, once another process has checked them', async () => {
    reportedAt = clock.now();
    const other = process();
    Object.assign(other, { checks: new HealthChecks() });
    other.onModuleInit();
    reply = () => UNREACHABLE;
    void subscriptions.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(1);
    reply = () => OK;
    void other.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(MINUTE);
    records.readings = 0;
    await clock.advance(30 * MINUTE);
    expect(records.readings).toBe(0);
    other.onModuleDestroy();
  });

  it('are checked every hour while the platform reports, and every five minutes once another service has them', async () => {
    reportedAt = clock.now();
    void subscriptions.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(59 * MINUTE);
    expect(checked).toHaveLength(1);
    subscribed.set('/1/subscribed_apps', present('https://other.test'));
    await clock.advance(17 * MINUTE);
    expect(checked).toHaveLength(5);
    subscribed.set('/1/subscribed_apps', present(URL));
    await clock.advance(24 * 60 * MINUTE);
    checked = [];
    acceptedAt = clock.now();
    await clock.advance(60 * MINUTE);
    expect(checked.length).toBeGreaterThanOrEqual(11);
  });

  it('are checked daily while idle, and within a minute once messages are accepted without a report', async () => {
    newestSenderId = uuidV7(clock.now().getTime() - 24 * 60 * MINUTE);
    await clock.advance(1);
    void subscriptions.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(72 * 60 * MINUTE - 1);
    expect(checked).toHaveLength(3);
    acceptedAt = clock.now();
    await clock.advance(MINUTE + 5000);
    expect(checked).toHaveLength(4);
    await clock.advance(10 * MINUTE);
    expect(checked).toHaveLength(6);
  });

  it('are created for a new account within two minutes', async () => {
    void subscriptions.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(MINUTE);
    senders = [sender('1', 'token one'), sender('9', 'token nine')];
    await clock.advance(2 * MINUTE);

    expect(paths()).toEqual(['/1/subscribed_apps', '/9/subscribed_apps']);
  });

  it('are checked within a minute for a sender that is added again after their return, which this process did not notice', async () => {
    void subscriptions.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(MINUTE);
    // Another process returns it and adds the sender again.
    await records.lease('1', '', MINUTE, 0);
    await records.checked('1', null);
    subscribed.clear();
    newestSenderId = uuidV7(clock.now().getTime());
    await clock.advance(MINUTE + 5000);
    expect(paths()).toEqual(['/1/subscribed_apps', '/1/subscribed_apps']);
  });

  it('are retried, each time with the next token, until the platform accepts', async () => {
    senders = [sender('1', 'out of date'), sender('1', 'good')];
    reply = ({ access: { accessToken } }) => (accessToken === 'good' ? OK : UNREACHABLE);
    void subscriptions.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(MINUTE);

    expect(requests.map(({ access }) => access.accessToken)).toEqual(['out of date', 'good']);
    expect(telemetry.problems).toEqual(['1: ECONNREFUSED']);
  });

  it('are retried indefinitely with growing pauses while the platform refuses', async () => {
    reply = () => UNREACHABLE;
    void subscriptions.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(5 * MINUTE);
    const early = requests.length;
    await clock.advance(60 * MINUTE);

    expect(early).toBeGreaterThanOrEqual(5);
    expect(requests.length - early).toBeGreaterThanOrEqual(25);
    expect(requests.length - early).toBeLessThanOrEqual(31);
  });

  it('are not delayed by a refused account', async () => {
    senders = [sender('1', 'bad'), sender('2', 'good')];
    const error = {
      code: 190,
      message: 'No.',
      class: 'job',
      problem: 'platform_credentials_invalid',
      httpStatus: 401,
    } as const;
    reply = ({ path }) => (path.startsWith('/1/') ? { kind: 'refusal', status: 401, error } : OK);
    void subscriptions.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(0);

    expect(paths()).toEqual(['/1/subscribed_apps', '/2/subscribed_apps']);
    expect(telemetry.problems).toEqual(['1: No. (code 190)']);
  });

  it('do not warn about tokens known to be refused, which have their own warning', async () => {
    senders = [sender('1', 'refused'), sender('2', 'refused'), sender('2', 'other')];
    problems.set('refused', {});
    reply = () => UNREACHABLE;
    void subscriptions.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(0);

    expect(telemetry.problems).toEqual(['2: ECONNREFUSED']);
  });

  it('are created again within five minutes after the platform has lost them', async () => {
    void subscriptions.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(61 * MINUTE);
    expect(paths()).toEqual(['/1/subscribed_apps']);

    subscribed.clear();
    await clock.advance(6 * MINUTE);
    expect(paths()).toEqual(['/1/subscribed_apps', '/1/subscribed_apps']);
  });

  it('are not created again after another process has deleted the last sender and ended the reports', async () => {
    reply = () => UNREACHABLE;
    void subscriptions.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(1000);
    reply = () => OK;
    await clock.advance(MINUTE);
    expect(paths()).toEqual(['/1/subscribed_apps', '/1/subscribed_apps']);
    // Meanwhile this process reads what the platform shows.
    jest.spyOn(subscribed, 'get').mockImplementationOnce(() => {
      senders = [];
      return present();
    });
    await clock.advance(15 * MINUTE);

    expect(checked).toHaveLength(3);
    expect(paths()).toHaveLength(2);
  });

  it('are left to another service that took them over, which is logged once and shown in the health', async () => {
    void subscriptions.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(MINUTE);
    expect(await checks.run()).toMatchObject({ degraded: false });
    subscribed.set('/1/subscribed_apps', present('https://other.test/webhooks/platform'));
    await clock.advance(30 * MINUTE);

    expect(paths()).toEqual(['/1/subscribed_apps']);
    expect(telemetry.problems).toEqual(['1: https://other.test/webhooks/platform']);
    const reason = expect.stringMatching(/account 1 .*PUBLIC_URL_TAKEOVER/) as string;
    expect(await checks.run()).toMatchObject({ ready: true, degraded: true, checks: [{ health: { reason } }] });
    expect(gaps.of(sender('1', 'token one'))).toEqual(['messages', 'calls']);
    expect(gaps.of(sender('2', 'token two'))).toEqual([]);

    subscribed.clear();
    await clock.advance(6 * MINUTE);
    expect(paths()).toHaveLength(2);
    expect(await checks.run()).toMatchObject({ degraded: false });
  });

  it('of a deleted business account leave the health and the gaps', async () => {
    senders = [sender('1', 'token one'), sender('2', 'token two')];
    void subscriptions.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(MINUTE);
    subscribed.set('/1/subscribed_apps', present('https://other.test'));
    await clock.advance(6 * MINUTE);
    expect(await checks.run()).toMatchObject({ degraded: true });
    expect(gaps.of(sender('1', 'token one'))).toEqual(['messages', 'calls']);

    senders = [sender('2', 'token two')];
    await clock.advance(2 * MINUTE);
    expect(await checks.run()).toMatchObject({ degraded: false });
    expect(gaps.of(sender('1', 'token one'))).toEqual([]);
  });

  it('are not taken over by a restored database unless the operator requests it', async () => {
    records.urls.set('1', { callbackUrl: 'https://production.test', recordedAt: new Date('2026-01-01') });
    records.restoredAt = new Date('2026-02-01');
    senders = [{ ...sender('1', 'token one'), id: uuidV7(Date.parse('2026-01-01')) }];
    subscribed.set('/1/subscribed_apps', present('https://production.test'));
    void subscriptions.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(30 * MINUTE);
    expect(paths()).toEqual([]);
    expect(await checks.run()).toMatchObject({ degraded: true });

    subscriptions.onModuleDestroy();
    void subscriptions.start({ callbackUrl: URL, takeOver: true });
    await clock.advance(6 * MINUTE);
    expect(paths()).toEqual(['/1/subscribed_apps']);
    expect(records.urls.get('1')?.callbackUrl).toBe(URL);
    expect(await checks.run()).toMatchObject({ degraded: false });
  });

  it('wait for the database to come back', async () => {
    senders = new Error('no connection');
    void subscriptions.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(MINUTE);
    senders = [sender('1', 'token one')];
    await clock.advance(MINUTE);

    expect(paths()).toEqual(['/1/subscribed_apps']);
  });

  it('end with the service', async () => {
    reply = () => UNREACHABLE;
    void subscriptions.start({ callbackUrl: URL, takeOver: false });
    await clock.advance(MINUTE);
    const before = requests.length;
    subscriptions.onModuleDestroy();
    await clock.advance(10 * MINUTE);

    expect(requests).toHaveLength(before);
  });
});
