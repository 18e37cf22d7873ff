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
import { SenderLimitsSchedule } from './sender-limits-schedule';

const MINUTE = 60_000;
const NOTHING: SenderLimits = { messagesPerSecond: null, messagingTier: null };

/** The platform: says the same of every number, hangs or fails when told. */
class ObservedNumber extends PlatformNumber {
  readonly asked: string[] = [];
  limits: SenderLimits = { messagesPerSecond: 1000, messagingTier: '2000' };
  away = false;
  hangs = false;
  expired: string | null = null;

  async stateOf({ phoneNumberId, accessToken }: NumberAccess): Promise<NumberState> {
    this.asked.push(phoneNumberId);
    if (this.hangs) await new Promise(() => undefined);
    if (accessToken === this.expired)
      throw new NumberRefusedError('No', tokenProblem('platform_credentials_invalid', 'No'), 190);
    if (this.away) throw new NumberUnavailableError('away');
    return { ...this.limits, qualityRating: 'Yellow', displayPhoneNumber: `+49 30 ${phoneNumberId}` };
  }
}

describe('The limits of senders', () => {
  let clock: FakeClock;
  let store: InMemoryAccountStore;
  let senders: SendersService;
  let number: ObservedNumber;
  let schedule: SenderLimitsSchedule;
  let checks: HealthChecks;
  let warnings: jest.SpyInstance;

  beforeEach(() => {
    clock = new FakeClock();
    store = new InMemoryAccountStore();
    senders = new SendersService(store, clock);
    number = new ObservedNumber();
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

  const add = (id: string, own: Partial<SenderFields> = {}): Promise<void> => {
    const sender: SenderFields = {
      phoneNumberId: id,
      businessAccountId: '200',
      displayPhoneNumber: null,
      accessToken: null,
      appSecret: null,
      marketingMessagesApi: false,
      ...NOTHING,
      ...own,
    };
    const account = { name: id, plan: 'Pro', status: 'Active' as const, sendingPaused: false };
    return store.add(id, { ...account, defaultCountry: null, businessPortfolioId: null, sender });
  };
  const limitsOf = async (id: string): Promise<SenderLimits> => {
    const { messagesPerSecond, messagingTier } = await senders.ofAccount(id);
    return { messagesPerSecond, messagingTier };
  };

  it('are what the platform says as soon as the service has started', async () => {
    await add('1');
    await add('2');
    await schedule.onApplicationBootstrap();
    expect(number.asked).toEqual(['1', '2']);
    expect(await limitsOf('2')).toEqual({ messagesPerSecond: 1000, messagingTier: '2000' });
    expect(senders.qualityOf((await senders.all())[0]!.id)).toBe('Yellow');
    expect((await senders.all()).map((sender) => sender.displayPhoneNumber)).toEqual(['+49 30 1', '+49 30 2']);
  });

  it('are asked for every 15 minutes, and of a new account within two', async () => {
    await add('1');
    await schedule.onApplicationBootstrap();
    await add('2');
    await clock.advance(2 * MINUTE);
    expect(number.asked).toEqual(['1', '2']);
    number.limits = { messagesPerSecond: 80, messagingTier: '10000' };
    await clock.advance(12 * MINUTE);
    expect(number.asked).toEqual(['1', '2']);
    await clock.advance(5 * MINUTE);
    expect(number.asked).toEqual(['1', '2', '1', '2']);
    expect(await limitsOf('1')).toEqual({ messagesPerSecond: 80, messagingTier: '10000' });
  });

  it('are asked for as soon as the platform says that it changed them, and every 10 s at most', async () => {
    await add('1');
    await add('2');
    await schedule.onApplicationBootstrap();
    number.limits = { messagesPerSecond: 80, messagingTier: '10000' };
    const [one, two] = (await senders.all()).map(({ id }) => id) as [string, string];
    senders.limitsChanged([two, 'nobody']);
    await clock.advance(1);
    expect(number.asked).toEqual(['1', '2', '2']);
    expect(await limitsOf('2')).toEqual(number.limits);

    for (let n = 0; n < 5; n++) senders.limitsChanged([one, two]);
    await clock.advance(9_000);
    expect(number.asked).toHaveLength(3);
    await clock.advance(1_000);
    expect(number.asked).toEqual(['1', '2', '2', '1', '2']);
    await clock.advance(5 * MINUTE);
    expect(number.asked).toHaveLength(5);
  });

  it('stay what the operator set, each for itself', async () => {
    await add('1', { messagesPerSecond: 20 });
    await add('2', { messagingTier: '250' });
    await schedule.onApplicationBootstrap();
    expect(await limitsOf('1')).toEqual({ messagesPerSecond: 20, messagingTier: '2000' });
    expect(await limitsOf('2')).toEqual({ messagesPerSecond: 1000, messagingTier: '250' });
  });

  it('stay as they were while the platform says nothing, or cannot be asked', async () => {
    await add('1');
    await schedule.onApplicationBootstrap();
    number.limits = NOTHING;
    await clock.advance(17 * MINUTE);
    number.away = true;
    await clock.advance(17 * MINUTE);
    expect(number.asked).toHaveLength(3);
    expect(await limitsOf('1')).toEqual({ messagesPerSecond: 1000, messagingTier: '2000' });
    expect(warnings).toHaveBeenCalledTimes(1);
  });

  it('hold up neither the start nor the stop when the platform hangs', async () => {
    await add('1');
    number.hangs = true;
    const started = schedule.onApplicationBootstrap();
    await clock.advance(1000);
    await started;
    expect(await limitsOf('1')).toEqual({ messagesPerSecond: 80, messagingTier: 'Unlimited' });
  });

  it('degrade readiness while the platform refuses a token, until there is another or it works again', async () => {
    await add('1', { accessToken: 'old' });
    await add('2');
    number.expired = 'old';
    await schedule.onApplicationBootstrap();
    const problems = async () => (await senders.all()).map((sender) => senders.problemOf(sender)?.code ?? null);
    expect(await problems()).toEqual(['platform_credentials_invalid', null]);
    const { ready, degraded, checks: found } = await checks.look();
    expect({ ready, degraded }).toEqual({ ready: true, degraded: true });
    expect(found).toMatchObject([
      { name: 'access_tokens', health: { ok: false, reason: expect.stringMatching(/phone number id: 1\. .*PATCH/) } },
    ]);

    // However often it is refused.
    await clock.advance(40 * MINUTE);
    expect(warnings.mock.calls).toEqual([[expect.stringMatching(/no template synced .* id 1: .*PATCH/)]]);

    await store.change('1', { sender: { accessToken: 'new' } });
    senders.forget();
    expect([await problems(), (await checks.look()).degraded]).toEqual([[null, null], false]);
    await store.change('1', { sender: { accessToken: 'old' } });
    senders.forget();
    expect((await checks.look()).degraded).toBe(true);
    number.expired = null;
    await clock.advance(17 * MINUTE);
    expect((await checks.look()).degraded).toBe(false);
  });
});
