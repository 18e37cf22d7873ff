import { Logger } from '@nestjs/common';
import { FakeClock } from '../../../../test/fakes/fake-clock';
import { InMemoryAccountStore } from '../../../../test/fakes/in-memory-account-store';
import { HealthChecks } from '../../../infra/health/health-checks';
import {
  type NumberAccess,
  NumberRefusedError,
  type NumberState,
  NumberUnavailableError,
  PlatformNumber,
} from '../domain/platform-number.port';
import { type SenderFields, type SenderLimits, tokenProblem } from '../domain/sender';
import { SenderLimitsService } from '../domain/sender-limits.service';
import { SendersService } from '../domain/senders.service';
import { lowestUuidAt } from '../../../kernel/uuid';
import { SenderLimitsSchedule } from './sender-limits-schedule';

const MINUTE = 60_000;
const UNREPORTED: SenderLimits = { messagesPerSecond: null, messagingTier: null };

/** The platform: returns the same limits for every number; can hang or fail. */
class FakeNumber extends PlatformNumber {
  readonly requested: string[] = [];
  limits: SenderLimits = { messagesPerSecond: 1000, messagingTier: '2000' };
  unavailable = false;
  hangs = false;
  expired: string | null = null;
  takesMs = 0;
  most = 0;
  private underWay = 0;

  constructor(private readonly clock: FakeClock) {
    super();
  }

  async stateOf({ phoneNumberId, accessToken }: NumberAccess): Promise<NumberState> {
    this.requested.push(phoneNumberId);
    if (this.hangs) await new Promise(() => undefined);
    if (this.takesMs > 0) {
      this.most = Math.max(this.most, ++this.underWay);
      await this.clock.sleep(this.takesMs);
      this.underWay--;
    }
    if (accessToken === this.expired)
      throw new NumberRefusedError('No', tokenProblem('platform_credentials_invalid', 'No'), 190);
    if (this.unavailable) throw new NumberUnavailableError('unavailable');
    return { ...this.limits, qualityRating: 'Yellow', displayPhoneNumber: `+49 30 ${phoneNumberId}` };
  }
}

describe('The limits of senders', () => {
  let clock: FakeClock;
  let store: InMemoryAccountStore;
  let senders: SendersService;
  let number: FakeNumber;
  let schedule: SenderLimitsSchedule;
  let checks: HealthChecks;
  let warnings: jest.SpyInstance;

  beforeEach(() => {
    clock = new FakeClock();
    store = new InMemoryAccountStore();
    senders = new SendersService(store, clock);
    number = new FakeNumber(clock);
    checks = new HealthChecks();
    schedule = new SenderLimitsSchedule(senders, new SenderLimitsService(senders, number, clock), checks, clock);
    schedule.onModuleInit();
    warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    jest.spyOn(Logger.prototype, 'log').mockImplementation();
  });

  afterEach(async () => {
    const stopping = schedule.onApplicationShutdown();
    await clock.advance(2000);
    await stopping;
    jest.restoreAllMocks();
  });

  const fieldsOf = (phoneNumberId: string): SenderFields => ({
    phoneNumberId,
    businessAccountId: '200',
    displayPhoneNumber: null,
    accessToken: null,
    appSecret: null,
    marketingMessagesApi: false,
    businessPortfolioId: null,
    ...UNREPORTED,
  });
  const add = (id: string, own: Partial<SenderFields> = {}): Promise<void> => {
    const sender = { ...fieldsOf(id), ...own };
    const account = { name: id, plan: 'Pro', status: 'Active' as const, sendingPaused: false };
    return store.add(id, { ...account, defaultCountry: null, businessPortfolioId: null, sender });
  };
  const limitsOf = async (id: string): Promise<SenderLimits> => {
    const { messagesPerSecond, messagingTier } = await senders.ofAccount(id);
    return { messagesPerSecond, messagingTier };
  };

  it('are read from the platform at the start', async () => {
    await add('1');
    await add('2');
    await schedule.onApplicationBootstrap();
    expect(number.requested).toEqual(['1', '2']);
    expect(await limitsOf('2')).toEqual({ messagesPerSecond: 1000, messagingTier: '2000' });
    expect((await store.senders())[0]!.qualityRating).toBe('Yellow');
    expect((await store.senders()).map((sender) => sender.displayPhoneNumber)).toEqual(['+49 30 1', '+49 30 2']);
  });

  it('are read every 15 minutes, and for a new account within two', async () => {
    await add('1');
    await schedule.onApplicationBootstrap();
    await add('2');
    await clock.advance(2 * MINUTE);
    expect(number.requested).toEqual(['1', '2']);
    number.limits = { messagesPerSecond: 80, messagingTier: '10000' };
    await clock.advance(12 * MINUTE);
    expect(number.requested).toEqual(['1', '2']);
    await clock.advance(5 * MINUTE);
    expect(number.requested).toEqual(['1', '2', '1', '2']);
    expect(await limitsOf('1')).toEqual({ messagesPerSecond: 80, messagingTier: '10000' });
  });

  it('are read ten at a time, and by one of several processes', async () => {
    for (let n = 1; n <= 25; n++) await add(String(n));
    const others = new SendersService(store, clock);
    const reading = new SenderLimitsService(others, number, clock);
    await schedule.onApplicationBootstrap();
    await clock.advance(5 * MINUTE);
    const second = new SenderLimitsSchedule(others, reading, new HealthChecks(), clock);
    await second.onApplicationBootstrap();
    expect(number.requested).toHaveLength(25);
    number.takesMs = 200;
    await clock.advance(13 * MINUTE);
    expect(number.requested.slice(25).sort()).toEqual(number.requested.slice(0, 25).sort());
    expect(number.most).toBe(10);
    const stopping = second.onApplicationShutdown();
    await clock.advance(2000);
    await stopping;
  });

  it('are read every hour while the platform reports on the sender', async () => {
    await add('1');
    await schedule.onApplicationBootstrap();
    for (let n = 0; n < 5; n++) {
      store.traffic = { lastAcceptedAt: null, lastReportedAt: clock.now() };
      await clock.advance(10 * MINUTE);
    }
    expect(number.requested).toHaveLength(1);
    await clock.advance(15 * MINUTE);
    expect(number.requested).toHaveLength(2);
  });

  it('are read when the platform reports a change, at most every 10 s', async () => {
    await add('1');
    await add('2');
    await schedule.onApplicationBootstrap();
    number.limits = { messagesPerSecond: 80, messagingTier: '10000' };
    const [one, two] = (await store.senders()).map(({ id }) => id) as [string, string];
    senders.limitsChanged([two, 'unknown']);
    await clock.advance(1);
    expect(number.requested).toEqual(['1', '2', '2']);
    expect(await limitsOf('2')).toEqual(number.limits);

    for (let n = 0; n < 5; n++) senders.limitsChanged([one, two]);
    await clock.advance(9_000);
    expect(number.requested).toHaveLength(3);
    await clock.advance(1_000);
    expect(number.requested).toEqual(['1', '2', '2', '1', '2']);
    await clock.advance(5 * MINUTE);
    expect(number.requested).toHaveLength(5);
  });

  it('of a sender that was deleted since the list was read are not read', async () => {
    await add('1');
    const [sender] = await store.senders();
    await store.deleteSender(sender!.id);
    jest.spyOn(senders, 'due').mockResolvedValue([sender!.id]);
    await schedule.onApplicationBootstrap();
    expect(number.requested).toEqual([]);
  });

  it('of an account that was deleted since the list was read or a change was reported are not read', async () => {
    await add('1');
    await add('2');
    const ids = (await store.senders()).map(({ id }) => id);
    await store.beginDeletion('1');
    jest.spyOn(senders, 'due').mockResolvedValue(ids);
    await schedule.onApplicationBootstrap();
    senders.limitsChanged(ids);
    await clock.advance(1);
    expect(number.requested).toEqual(['2', '2']);
  });

  it('keep what the operator has set, each separately', async () => {
    await add('1', { messagesPerSecond: 20 });
    await add('2', { messagingTier: '250' });
    await schedule.onApplicationBootstrap();
    expect(await limitsOf('1')).toEqual({ messagesPerSecond: 20, messagingTier: '2000' });
    expect(await limitsOf('2')).toEqual({ messagesPerSecond: 1000, messagingTier: '250' });
  });

  it('stay unchanged while the platform reports nothing or is unavailable', async () => {
    await add('1');
    await schedule.onApplicationBootstrap();
    number.limits = UNREPORTED;
    await clock.advance(17 * MINUTE);
    number.unavailable = true;
    await clock.advance(17 * MINUTE);
    expect(number.requested).toHaveLength(3);
    expect(await limitsOf('1')).toEqual({ messagesPerSecond: 1000, messagingTier: '2000' });
    expect(warnings).toHaveBeenCalledTimes(1);
  });

  it('of an idle sender are read daily, and every 15 minutes while the platform is unavailable', async () => {
    await add('1');
    await store.addSender('1', lowestUuidAt(new Date(0)), fieldsOf('idle'));
    const readings = () => number.requested.filter((one) => one === 'idle').length;
    await schedule.onApplicationBootstrap();
    number.unavailable = true;
    await clock.advance(24 * 60 * MINUTE + 2 * MINUTE);
    expect(readings()).toBe(2);
    number.unavailable = false;
    // The lease of the failed reading has ended.
    store.leases.clear();
    await clock.advance(17 * MINUTE);
    expect(readings()).toBe(3);
    await clock.advance(60 * MINUTE);
    expect(readings()).toBe(3);
  });

  it('delay neither start nor stop while the platform hangs', async () => {
    await add('1');
    number.hangs = true;
    const started = schedule.onApplicationBootstrap();
    await clock.advance(1000);
    await started;
    expect(await limitsOf('1')).toEqual({ messagesPerSecond: 80, messagingTier: 'Unlimited' });
  });

  it('degrade readiness while the platform refuses a token, until it is replaced or accepted', async () => {
    await add('1', { accessToken: 'old' });
    await add('2');
    number.expired = 'old';
    await schedule.onApplicationBootstrap();
    const problems = async () => (await store.senders()).map((sender) => senders.problemOf(sender)?.code ?? null);
    expect(await problems()).toEqual(['platform_credentials_invalid', null]);
    const { ready, degraded, checks: found } = await checks.run();
    expect({ ready, degraded }).toEqual({ ready: true, degraded: true });
    expect(found).toMatchObject([
      { name: 'access_tokens', health: { ok: false, reason: expect.stringMatching(/phone number id: 1\. .*PATCH/) } },
    ]);

    // One warning for repeated refusals.
    await clock.advance(40 * MINUTE);
    expect(warnings.mock.calls).toEqual([[expect.stringMatching(/no template synced .* id 1: .*PATCH/)]]);

    await store.change('1', { sender: { accessToken: 'new' } });
    senders.forget();
    expect([await problems(), (await checks.run()).degraded]).toEqual([[null, null], false]);
    await store.change('1', { sender: { accessToken: 'old' } });
    senders.forget();
    expect((await checks.run()).degraded).toBe(true);
    number.expired = null;
    await clock.advance(17 * MINUTE);
    expect((await checks.run()).degraded).toBe(false);
  });

  it("leave readiness when the sender or its account is deleted, also with the environment's token", async () => {
    await add('1');
    await add('2');
    number.expired = 'environment-token';
    await schedule.onApplicationBootstrap();
    expect(await senders.withProblem()).toHaveLength(2);
    await store.deleteSender((await senders.ofAccount('1')).id);
    await store.beginDeletion('2');
    senders.forget();
    expect((await checks.run()).degraded).toBe(false);
  });
});
