import type { Sender } from '../../src/modules/accounts/domain/sender';
import type { JobRow, SingleSendRow } from '../fakes/engine-rows';
import type { Change, Conversation, HistoryDatabase } from './history-database';
import { PromiseBroken } from './promise-broken';

/** Checks at each commit that senders with a messaging tier respect its limit. */
export class TierChecks {
  constructor(
    private readonly server: HistoryDatabase,
    private readonly senders: readonly Sender[],
    private readonly windowMs: number,
    /** The addressee of each single send. */
    private readonly singles: ReadonlyMap<string, string>,
  ) {}

  check(changes: readonly Change[]): void {
    for (const { row, before, after } of changes) {
      if (row.table === 'tier_conversations') this.portfolio((after as Conversation).portfolioId);
      if (row.table === 'bulk_jobs') this.claim(before as JobRow | null, after as JobRow);
      if (row.table === 'single_sends') this.single(before as SingleSendRow | null, after as SingleSendRow);
    }
  }

  private portfolio(id: string): void {
    const limit = this.limitOf(this.senders.find(({ portfolioId }) => portfolioId === id)!);
    const leftAt = this.server.scheduler.now - this.windowMs;
    let people = 0;
    for (const { portfolioId, at } of this.server.conversations.committed()) {
      if (portfolioId === id && at > leftAt) people++;
    }
    if (people > limit)
      throw new PromiseBroken('the messaging tier is respected', `${people} of ${limit} people of ${id}`);
  }

  private claim(before: JobRow | null, after: JobRow): void {
    if (!before || before.cursor === after.cursor) return;
    const claimed = this.server.recipientsOf(after.id).slice(before.cursor - 1, after.cursor - 1);
    for (const { committed } of claimed) {
      if (committed!.outcome === null) this.hasRoom(after.senderId, committed!.phone, committed!.messageId);
    }
  }

  private single(before: SingleSendRow | null, after: SingleSendRow): void {
    const begins = after.attempt > (before?.attempt ?? 0) && after.giveUpAt !== null;
    if (begins) this.hasRoom(after.senderId, this.singles.get(after.messageId)!, after.messageId);
  }

  private hasRoom(senderId: string, person: string, messageId: string): void {
    const sender = this.senders.find(({ id }) => id === senderId)!;
    if (this.limitOf(sender) === Infinity) return;
    // A person named by user id counts by number, once it is known.
    const number = this.server.links.row(`${sender.accountId} ${person}`).committed?.phone ?? person;
    for (const counted of [person, number]) {
      const taken = this.server.conversations.row(`${sender.portfolioId} ${counted}`).committed;
      if (taken && taken.at > -Infinity) return;
    }
    throw new PromiseBroken('nothing is sent beyond the messaging tier', `${messageId} to ${person}`);
  }

  private limitOf({ messagingTier }: Sender): number {
    return messagingTier === 'Unlimited' ? Infinity : Number(messagingTier);
  }
}
