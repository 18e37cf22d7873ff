import { noKnownNumbers } from '../../../../test/fakes/in-memory-known-numbers';
import { FakeClock } from '../../../../test/fakes/fake-clock';
import { EngineDatabase } from '../../../../test/fakes/engine-database';
import { SimulatedMessageStore } from '../../../../test/simulation/simulated-message-store';
import { SimulatedSingleSendStore } from '../../../../test/simulation/simulated-single-send-store';
import { SimulatedTierStore } from '../../../../test/simulation/simulated-tier-store';
import type { Sender } from '../../accounts/domain/sender';
import { MessageHistory } from '../../messages/domain/message-history';
import { TierBudget } from './tier-budget';
import type { OptOutCheck } from './opt-out-check';
import { type NewIntent, SingleSends } from './single-sends';

class LockedPortfolios extends SimulatedTierStore {
  readonly order: string[] = [];

  override take(...request: Parameters<SimulatedTierStore['take']>): ReturnType<SimulatedTierStore['take']> {
    this.order.push(request[0]);
    return super.take(...request);
  }
}

/** A tier without room until `until`. */
class UsedUp extends SimulatedTierStore {
  constructor(
    database: EngineDatabase,
    private readonly until: Date,
  ) {
    super(database, DAY_MS);
  }

  override take(...[, , requests]: Parameters<SimulatedTierStore['take']>): ReturnType<SimulatedTierStore['take']> {
    return Promise.resolve({ granted: requests.map(() => false), until: this.until });
  }
}

const DAY_MS = 86_400_000;

const noOptOuts = { optedOut: () => Promise.resolve(new Set<string>()) } as Partial<OptOutCheck> as OptOutCheck;

describe('Single sends', () => {
  function intent(name: string, portfolioId: string): NewIntent {
    const sender = { id: `sender ${name}`, portfolioId, messagingTier: '250' } as Sender;
    return {
      sender,
      claim: { resourceId: name, isKeyed: false, seal: () => Promise.resolve() },
      send: { messageId: name, senderId: sender.id, attempt: 1 } as NewIntent['send'],
      message: {
        type: 'Template',
        id: name,
        contactPhone: '491510000001',
        createdAt: new Date(),
      } as NewIntent['message'],
    };
  }

  it('lock the portfolios of a batch in a fixed order, so that two processes cannot deadlock', async () => {
    const database = new EngineDatabase(new FakeClock());
    const portfolios = new LockedPortfolios(database, DAY_MS);
    const singles = new SingleSends(
      database,
      new SimulatedSingleSendStore(database),
      new MessageHistory(new SimulatedMessageStore(database)),
      { giveUpAfterMs: 35_000, graceMs: 900_000 },
      new TierBudget(portfolios, database, noKnownNumbers()),
      noOptOuts,
      new FakeClock(),
    );
    const intents = [intent('a', 'third'), intent('b', 'first'), intent('c', 'second'), intent('d', 'first')];
    await Promise.all(intents.map((one) => singles.submit(one)));

    expect(portfolios.order).toEqual(['first', 'first', 'second', 'third']);
  });

  it.each([
    ['within ten minutes, since the tier may rise', 86_400_000, 600_000],
    ['when the next person leaves the window, if that is sooner', 60_000, 60_000],
  ])('request room in a full messaging tier again %s', async (_, waitMs, expectedMs) => {
    const clock = new FakeClock();
    const database = new EngineDatabase(clock);
    const afterMs = (ms: number) => new Date(clock.now().getTime() + ms);
    const singles = new SingleSends(
      database,
      new SimulatedSingleSendStore(database),
      new MessageHistory(new SimulatedMessageStore(database)),
      { giveUpAfterMs: 35_000, graceMs: 900_000 },
      new TierBudget(new UsedUp(database, afterMs(waitMs)), database, noKnownNumbers()),
      noOptOuts,
      clock,
    );
    expect(await singles.submit(intent('a', 'first'))).toBe('queued');
    expect(database.tables.singleSends).toMatchObject([{ attempt: 0, retryAt: afterMs(expectedMs) }]);
  });

  it('say of an outcome that it corrects a failure', async () => {
    const clock = new FakeClock();
    const database = new EngineDatabase(clock);
    const history = new MessageHistory(new SimulatedMessageStore(database));
    const recorded = jest.spyOn(history, 'recordOutcomes');
    const singles = new SingleSends(
      database,
      new SimulatedSingleSendStore(database),
      history,
      { giveUpAfterMs: 35_000, graceMs: 900_000 },
      new TierBudget(new SimulatedTierStore(database, DAY_MS), database, noKnownNumbers()),
      noOptOuts,
      clock,
    );
    await singles.submit(intent('a', 'first'));
    await singles.record({ messageId: 'a', attempt: 1, answer: { kind: 'unknown', reason: 'no answer' } });
    clock.jump(900_001);
    await singles.settleOverdue();
    await singles.record({ messageId: 'a', attempt: 1, answer: { kind: 'accepted', platformMessageId: 'wamid.1' } });
    expect(recorded.mock.calls.flatMap(([outcomes]) => outcomes)).toMatchObject([
      { status: 'Unknown', wasFailed: false },
      { status: 'Failed', wasFailed: false },
      { status: 'Sent', wasFailed: true },
    ]);
  });
});
