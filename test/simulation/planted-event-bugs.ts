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

/** Writes events only for newly recorded messages. */
class EventsOfNewMessagesOnly extends SimulatedMessageStore {
  protected override writeEventsOf(transaction: Transaction, written: readonly WrittenMessage[]): void {
    super.writeEventsOf(
      transaction,
      written.filter(({ before }) => before === null),
    );
  }
}

/** Writes events in a separate transaction, which commits before the change. */
class EventsOutsideTransaction extends SimulatedMessageStore {
  private readonly outside = AsyncLocalStorage.snapshot();

  protected override writeEventsOf(_transaction: Transaction, written: readonly WrittenMessage[]): void {
    const write = (): Promise<void> =>
      this.database.statement('WRITE_EVENTS', (transaction) => super.writeEventsOf(transaction, written));
    void this.outside(write).catch(() => undefined);
  }
}

/** Writes no events for status reports. */
class ReportsWithoutEvents extends SimulatedStatusStore {
  override save(changes: readonly ReportedChange[]): Promise<void> {
    return super.save(changes.map((change) => ({ ...change, events: [] })));
  }
}

/** Planted bugs of webhook events. */
export const EVENT_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a corrected outcome writes no event',
    sabotage: withMessages(EventsOfNewMessagesOnly),
    breaks: ['no event is lost'],
  },
  {
    bug: 'events are written outside the transaction of their change',
    sabotage: withMessages(EventsOutsideTransaction),
    breaks: ['events are committed with their change', 'no event is lost'],
  },
  {
    bug: 'status reports write no events',
    sabotage: (_parts, { link }) => ({ statusStore: new ReportsWithoutEvents(link as ProcessDatabase) }),
    breaks: ['no event is lost'],
  },
];
