import { FakeClock } from '../../../../test/fakes/fake-clock';
import { MemoryDatabase } from '../../../../test/fakes/memory-database';
import { MessagesInMemory } from '../../../../test/fakes/messages-in-memory';
import { SingleSendsInMemory } from '../../../../test/fakes/single-sends-in-memory';
import { TierInMemory } from '../../../../test/fakes/tier-in-memory';
import type { Sender } from '../../accounts/domain/sender';
import { MessageHistory } from '../../messages/domain/message-history.service';
import { TierBudget } from './tier-budget.service';
import type { OptOutCheck } from './opt-out-check.service';
import { type NewIntent, SingleSends } from './single-sends.service';

class LockedPortfolios extends TierInMemory {
  readonly order: string[] = [];

  override take(...wish: Parameters<TierInMemory['take']>): ReturnType<TierInMemory['take']> {
    this.order.push(wish[0]);
    return super.take(...wish);
  }
}

/** A tier that is used up, until the time that is told. */
class UsedUp extends TierInMemory {
  constructor(
    database: MemoryDatabase,
    private readonly until: Date,
  ) {
    super(database);
  }

  override take(...[, , wishes]: Parameters<TierInMemory['take']>): ReturnType<TierInMemory['take']> {
    return Promise.resolve({ granted: wishes.map(() => false), until: this.until });
  }
}

const nobodyOptedOut = { optedOut: () => Promise.resolve(new Set<string>()) } as Partial<OptOutCheck> as OptOutCheck;

describe('Single sends', () => {
  function intent(name: string, portfolioId: string): NewIntent {
    const sender = { id: `sender ${name}`, portfolioId, messagingTier: '250' } as Sender;
    return {
      sender,
      send: { messageId: name, senderId: sender.id, attempt: 1 } as NewIntent['send'],
      message: {
        type: 'Template',
        id: name,
        contactPhone: '491510000001',
        createdAt: new Date(),
      } as NewIntent['message'],
    };
  }

  it('lock the portfolios of a batch in one order, so that two processes cannot wait for each other', async () => {
    const database = new MemoryDatabase();
    const portfolios = new LockedPortfolios(database);
    const singles = new SingleSends(
      database,
      new SingleSendsInMemory(database),
      new MessageHistory(new MessagesInMemory(database)),
      { giveUpAfterMs: 35_000, graceMs: 900_000 },
      new TierBudget(portfolios, database),
      nobodyOptedOut,
      new FakeClock(),
    );
    await singles.begin([intent('a', 'third'), intent('b', 'first'), intent('c', 'second'), intent('d', 'first')]);

    expect(portfolios.order).toEqual(['first', 'first', 'second', 'third']);
  });

  it.each([
    ['within ten minutes, since the tier may rise', 86_400_000, 600_000],
    ['when the next one leaves the window, where that is sooner', 60_000, 60_000],
  ])('ask the messaging tier that is used up again %s', async (_, waitMs, expectedMs) => {
    const clock = new FakeClock();
    const database = new MemoryDatabase(() => clock.now());
    const afterMs = (ms: number) => new Date(clock.now().getTime() + ms);
    const singles = new SingleSends(
      database,
      new SingleSendsInMemory(database),
      new MessageHistory(new MessagesInMemory(database)),
      { giveUpAfterMs: 35_000, graceMs: 900_000 },
      new TierBudget(new UsedUp(database, afterMs(waitMs)), database),
      nobodyOptedOut,
      clock,
    );
    expect(await singles.begin([intent('a', 'first')])).toEqual([false]);
    expect(database.tables.singleSends).toMatchObject([{ attempt: 0, retryAt: afterMs(expectedMs) }]);
  });
});
