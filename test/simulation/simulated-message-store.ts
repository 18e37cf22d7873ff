import type { MessageOutcome, OutboundMessage } from '../../src/modules/messages/domain/message';
import { MessageStore } from '../../src/modules/messages/domain/message-store.port';
import { StatusStore } from '../../src/modules/messages/domain/status-store.port';
import type { ReportedMessage } from '../../src/modules/messages/domain/status-update';
import type { Transaction } from './database-server';
import type { ProcessDatabase } from './process-database';
import type { Table } from './table';

/** A row of `messages`. */
export type MessageRow = OutboundMessage & ReportedMessage;

/** This database holds whole rows, of which checks look at a part. */
function messagesOf({ server }: ProcessDatabase): Table<MessageRow> {
  return server.messages as Table<object> as Table<MessageRow>;
}

/** The history statement by statement as the SQL of the real one. */
export class SimulatedMessageStore extends MessageStore {
  constructor(private readonly database: ProcessDatabase) {
    super();
  }

  save(messages: readonly OutboundMessage[], at: Date): Promise<void> {
    return this.database.statement('SAVE_MESSAGES', async (transaction) => {
      for (const message of messages) {
        const times = { sentAt: message.status === 'Sent' ? at : null, deliveredAt: null, readAt: null };
        const failedAt = message.status === 'Failed' ? at : null;
        await this.write(transaction, message.id, (known) =>
          known ? withOutcome(known, message, at) : { ...message, ...times, failedAt },
        );
      }
    });
  }

  setOutcomes(outcomes: readonly MessageOutcome[], at: Date): Promise<void> {
    return this.database.statement('SET_OUTCOMES', async (transaction) => {
      for (const outcome of outcomes) {
        await this.write(transaction, outcome.id, (known) => (known ? withOutcome(known, outcome, at) : null));
      }
    });
  }

  find(ids: readonly string[]): Promise<OutboundMessage[]> {
    return this.database.statement('FIND_MESSAGES', (transaction) =>
      ids.flatMap((id) => messagesOf(this.database).row(id).seenBy(transaction) ?? []),
    );
  }

  private async write(
    transaction: Transaction,
    id: string,
    change: (known: MessageRow | null) => MessageRow | null,
  ): Promise<void> {
    const row = messagesOf(this.database).row(id);
    const wait = this.database.server.lock(transaction, row);
    if (wait) await wait;
    const after = change(row.seenBy(transaction));
    if (after) transaction.writes.set(row, after);
  }
}

function withOutcome(known: MessageRow, outcome: MessageOutcome, at: Date): MessageRow {
  if (['Delivered', 'Read', 'Undelivered'].includes(known.status)) return known;
  const { status, problem, platformMessageId } = outcome;
  return {
    ...{ ...known, status, problem, platformMessageId: platformMessageId ?? known.platformMessageId },
    sentAt: status === 'Sent' ? at : known.sentAt,
    failedAt: status === 'Failed' ? at : null,
  };
}

/** What reports read and write of the history. */
export class SimulatedStatusStore extends StatusStore {
  constructor(private readonly database: ProcessDatabase) {
    super();
  }

  byIds(ids: readonly string[]): Promise<ReportedMessage[]> {
    return this.database.statement('STATUS_BY_IDS', (transaction) =>
      ids.flatMap((id) => messagesOf(this.database).row(id).seenBy(transaction) ?? []),
    );
  }

  byPlatformIds(platformMessageIds: readonly string[]): Promise<ReportedMessage[]> {
    return this.database.statement('STATUS_BY_PLATFORM_IDS', () =>
      [...messagesOf(this.database).committed()].filter(
        ({ platformMessageId }) => platformMessageId !== null && platformMessageIds.includes(platformMessageId),
      ),
    );
  }

  lock(ids: readonly string[]): Promise<ReportedMessage[]> {
    const rows = [...ids].sort().map((id) => messagesOf(this.database).row(id));
    return this.database.statement('LOCK_MESSAGES', (transaction) =>
      this.database.server.select(transaction, rows, () => true),
    );
  }

  async save(messages: readonly ReportedMessage[]): Promise<void> {
    const reports = new Map(messages.map((message) => [message.id, message]));
    const rows = messages.map(({ id }) => messagesOf(this.database).row(id));
    await this.database.statement('SAVE_REPORTS', (transaction) =>
      this.database.server.update(
        transaction,
        rows,
        () => true,
        ({ id }) => {
          const { status, problem, deliveredAt, readAt, failedAt } = reports.get(id)!;
          return { status, problem, deliveredAt, readAt, failedAt };
        },
      ),
    );
  }
}
