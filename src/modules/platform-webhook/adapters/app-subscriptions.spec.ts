import { FakeClock } from '../../../../test/fakes/fake-clock';
import { HealthChecks } from '../../../infra/health/health-checks';
import type { Sender } from '../../accounts/domain/sender';
import { SubscriptionGaps } from '../../sending/domain/subscription-gaps';
import { APP_FIELDS, AppSubscription, type PresentAppSubscription } from '../domain/app-subscription.port';
import type { RecordedSubscriptions } from '../domain/recorded-subscriptions.port';
import { AppSubscriptions } from './app-subscriptions';

const URL = 'https://example.test/webhooks/platform';
const OTHER = 'https://other.test/webhooks/platform';
const MINUTE = 60_000;

/** The platform, which supports only some fields. */
class App extends AppSubscription {
  appId: string | null = '300';
  now: PresentAppSubscription | string = { callbackUrl: null, fields: new Set() };
  unknown: string[] = [];
  calls = 0;

  reportsOn({ appSecret }: Sender): boolean {
    return appSecret === 'own';
  }

  present(): Promise<PresentAppSubscription | string> {
    return Promise.resolve(this.now);
  }

  subscribe(callbackUrl: string, fields: readonly string[]): Promise<string | null> {
    this.calls++;
    if (fields.some((field) => this.unknown.includes(field))) return Promise.resolve('unknown field (code 100)');
    this.now = { callbackUrl, fields: new Set(fields) };
    return Promise.resolve(null);
  }
}

describe("The app's own subscription", () => {
  let clock: FakeClock;
  let app: App;
  let records: Map<string, { callbackUrl: string; recordedAt: Date }>;
  let checks: HealthChecks;
  let subscriptions: AppSubscriptions;
  let gaps: SubscriptionGaps;

  const open = () => {
    checks = new HealthChecks();
    gaps = new SubscriptionGaps();
    const recorded = {
      find: (subject: string) => Promise.resolve({ recorded: records.get(subject) ?? null, restoredAt: null }),
      record: (subject: string, callbackUrl: string) => {
        records.set(subject, { callbackUrl, recordedAt: new Date() });
        return Promise.resolve();
      },
    } as RecordedSubscriptions;
    subscriptions = new AppSubscriptions(app, recorded, clock, checks, gaps);
    subscriptions.onModuleInit();
  };
  const start = (takeOver = false) => subscriptions.start({ callbackUrl: URL, takeOver });
  const problem = async () => {
    const [check] = (await checks.run()).checks;
    return check?.health.ok === false ? check.health.reason : null;
  };

  const missing = (appSecret = 'own') => gaps.of({ appSecret } as Sender);

  beforeEach(() => {
    clock = new FakeClock();
    app = new App();
    records = new Map();
    open();
  });
  afterEach(() => subscriptions.onModuleDestroy());

  it('is created with all fields that the platform reports only to the app', async () => {
    await start();
    expect(app.now).toEqual({ callbackUrl: URL, fields: new Set(APP_FIELDS) });
    expect(await problem()).toBeNull();
    expect(missing()).toEqual([]);
  });

  it('is left unchanged if correct, and gets missing fields', async () => {
    app.now = { callbackUrl: URL, fields: new Set([...APP_FIELDS, 'flows']) };
    await start();
    expect(app.calls).toBe(0);
    app.now = { callbackUrl: URL, fields: new Set(['flows', 'messages']) };
    await clock.advance(6 * MINUTE);
    expect(app.now).toEqual({ callbackUrl: URL, fields: new Set(['flows', ...APP_FIELDS]) });
  });

  it('is created without an unsupported field, which is reported', async () => {
    app.unknown = ['user_id_update'];
    await start();
    const known = APP_FIELDS.filter((field) => field !== 'user_id_update');
    expect(app.now).toEqual({ callbackUrl: URL, fields: new Set(known) });
    expect(await problem()).toBe(
      'the platform does not report user_id_update to this service: unknown field (code 100)',
    );
    expect(missing()).toEqual(['user_id_update']);
    expect(missing("another app's")).toEqual([]);
  });

  it('reports all fields as missing while the platform refuses the address or does not answer', async () => {
    app.unknown = [...APP_FIELDS];
    await start();
    expect(app.calls).toBe(2);
    expect(await problem()).toContain('does not report messages, calls, message_template_status_update');
    app.now = 'ECONNREFUSED';
    await clock.advance(MINUTE);
    expect(await problem()).toContain('ECONNREFUSED');
    expect(missing()).toEqual(APP_FIELDS);
  });

  it('is taken from another service only on request', async () => {
    await start();
    app.now = { callbackUrl: OTHER, fields: new Set(APP_FIELDS) };
    await clock.advance(6 * MINUTE);
    expect(await problem()).toContain(`they are delivered to ${OTHER}`);
    expect(app.now).toMatchObject({ callbackUrl: OTHER });
    subscriptions.onModuleDestroy();
    open();
    await start(true);
    expect(app.now).toMatchObject({ callbackUrl: URL });
  });

  it('is skipped without an app id', async () => {
    app.appId = null;
    open();
    await start();
    expect([app.calls, (await checks.run()).checks]).toEqual([0, []]);
  });
});
