import { AsyncLocalStorage } from 'node:async_hooks';
import { MessageHistory } from '../../src/modules/messages/domain/message-history';
import type { ReportedChange } from '../../src/modules/messages/domain/status-update';
import type { Transaction } from './table';
import type { ProcessDatabase } from './process-database';
import { SimulatedMessageStore, SimulatedStatusStore, type WrittenMessage } from './simulated-message-store';
import type { PlantedBug, Sabotage } from './world';

const withMessages =
  (Messages: new (database: ProcessDatabase) => SimulatedMessageStore): Sabotage =>
  (_parts, { link }) => ({ messageHistory: new MessageHistory(new Messages(link as ProcessDatabase)) });

/** Only messages that were not recorded before are events. */
class OnlyNewOnesTold extends SimulatedMessageStore {
  protected override tell(transaction: Transaction, written: readonly WrittenMessage[]): void {
    super.tell(
      transaction,
      written.filter(({ before }) => before === null),
    );
  }
}

/** Events are written in a transaction of their own, before that of the change commits. */
class ToldBesideTheTransaction extends SimulatedMessageStore {
  private readonly outside = AsyncLocalStorage.snapshot();

  protected override tell(_transaction: Transaction, written: readonly WrittenMessage[]): void {
    const told = (): Promise<void> =>
      this.database.statement('WRITE_EVENTS', (transaction) => super.tell(transaction, written));
    void this.outside(told).catch(() => undefined);
  }
}

/** What the platform reports later is no event. */
class ReportsNotTold extends SimulatedStatusStore {
  override save(changes: readonly ReportedChange[]): Promise<void> {
    return super.save(changes.map(({ message }) => ({ message, events: [] })));
  }
}

/** Bugs of the events for webhook endpoints. */
export const EVENT_BUGS: readonly PlantedBug[] = [
  {
    bug: 'an outcome that replaces another one is no event',
    sabotage: withMessages(OnlyNewOnesTold),
    breaks: ['no event is lost'],
  },
  {
    bug: 'events are written beside the transaction of their change',
    sabotage: withMessages(ToldBesideTheTransaction),
    breaks: ['an event comes with its change', 'no event is lost'],
  },
  {
    bug: 'what the platform reports is no event',
    sabotage: (_parts, { link }) => ({ statusStore: new ReportsNotTold(link as ProcessDatabase) }),
    breaks: ['no event is lost'],
  },
];
