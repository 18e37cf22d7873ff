import type { MessageOutcome, OutboundMessage } from '../../src/modules/messages/domain/message';
import { MessageStore } from '../../src/modules/messages/domain/message-store.port';
import { StatusStore } from '../../src/modules/messages/domain/status-store.port';
import type { ReportedChange, ReportedMessage } from '../../src/modules/messages/domain/status-update';
import type { MessageRow } from '../fakes/engine-rows';
import type { ProcessDatabase } from './process-database';
import type { Table, Transaction } from './table';

/** A row before and after a statement; null if there was none. */
export interface WrittenMessage {
  before: MessageRow | null;
  after: MessageRow | null;
}

interface MessageEvent {
  type: string;
  messageId: string;
}

const TYPES: Partial<Record<MessageRow['status'], string>> = {
  Sent: 'message.sent',
  Failed: 'message.failed',
  Cancelled: 'message.failed',
};

/** The simulated database stores whole rows; checks read a part of them. */
function messagesOf({ server }: ProcessDatabase): Table<MessageRow> {
  return server.messages as Table<object> as Table<MessageRow>;
}

/** Writes events for the endpoint that every account of a history has, in the transaction of their change. */
function writeEvents({ server }: ProcessDatabase, transaction: Transaction, events: readonly MessageEvent[]): void {
  if (events.length === 0) return;
  const id = String(server.outbox.rows.size + 1);
  const payload = events.map(({ type, messageId }) => JSON.stringify({ type, data: { messageId } })).join('\n');
  transaction.writes.set(server.outbox.row(id), { id, payload });
}

/** The message history, statement by statement like the SQL of the real store. */
export class SimulatedMessageStore extends MessageStore {
  constructor(protected readonly database: ProcessDatabase) {
    super();
  }

  save(messages: readonly OutboundMessage[], at: Date): Promise<void> {
    return this.database.statement('SAVE_MESSAGES', async (transaction) => {
      const written: WrittenMessage[] = [];
      for (const message of messages) {
        const times = { sentAt: message.status === 'Sent' ? at : null, deliveredAt: null, readAt: null };
        const failedAt = message.status === 'Failed' ? at : null;
        const change = (known: MessageRow | null): MessageRow =>
          known ? withOutcome(known, message, at, known.sentAt ?? at) : { ...message, ...times, failedAt };
        written.push(await this.write(transaction, message.id, change));
      }
      this.writeEventsOf(transaction, written);
    });
  }

  setOutcomes(outcomes: readonly MessageOutcome[], at: Date): Promise<void> {
    return this.database.statement('SET_OUTCOMES', async (transaction) => {
      const written: WrittenMessage[] = [];
      for (const outcome of outcomes) {
        const change = (known: MessageRow | null) => (known ? withOutcome(known, outcome, at) : null);
        written.push(await this.write(transaction, outcome.id, change));
      }
      this.writeEventsOf(transaction, written);
    });
  }

  find(ids: readonly string[]): Promise<OutboundMessage[]> {
    return this.database.statement('FIND_MESSAGES', (transaction) =>
      ids.flatMap((id) => {
        const row = messagesOf(this.database).row(id).seenBy(transaction);
        return row ? outbound(row) : [];
      }),
    );
  }

  /** Writes the events of messages that the statement wrote. */
  protected writeEventsOf(transaction: Transaction, written: readonly WrittenMessage[]): void {
    const events = written.flatMap(({ before, after }): MessageEvent[] => {
      if (!after || after === before) return [];
      const type = TYPES[after.status];
      return type ? [{ type, messageId: after.id }] : [];
    });
    writeEvents(this.database, transaction, events);
  }

  private async write(
    transaction: Transaction,
    id: string,
    change: (known: MessageRow | null) => MessageRow | null,
  ): Promise<WrittenMessage> {
    const row = messagesOf(this.database).row(id);
    const wait = this.database.server.lock(transaction, row);
    if (wait) await wait;
    const before = row.seenBy(transaction);
    const after = change(before);
    if (after) transaction.writes.set(row, after);
    return { before, after };
  }
}

function outbound({ sentAt: _s, deliveredAt: _d, readAt: _r, failedAt: _f, ...message }: MessageRow): OutboundMessage {
  return message;
}

function withOutcome(known: MessageRow, outcome: MessageOutcome, at: Date, sentAt = at): MessageRow {
  if (['Delivered', 'Read', 'Undelivered'].includes(known.status)) return known;
  const { status, problem, platformMessageId } = outcome;
  return {
    ...{ ...known, status, problem, platformMessageId: platformMessageId ?? known.platformMessageId },
    sentAt: status === 'Sent' ? sentAt : known.sentAt,
    failedAt: status === 'Failed' ? at : null,
  };
}

/** Messages for status reports. */
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

  async save(changes: readonly ReportedChange[]): Promise<void> {
    const reports = new Map(changes.map(({ message }) => [message.id, message]));
    const rows = changes.map(({ message }) => messagesOf(this.database).row(message.id));
    await this.database.statement('SAVE_REPORTS', async (transaction) => {
      await this.database.server.update(
        transaction,
        rows,
        () => true,
        ({ id }) => {
          const { status, problem, deliveredAt, readAt, failedAt } = reports.get(id)!;
          return { status, problem, deliveredAt, readAt, failedAt };
        },
      );
      const events = changes.flatMap(({ message, events: types }) =>
        types.map((type) => ({ type, messageId: message.id })),
      );
      writeEvents(this.database, transaction, events);
    });
  }
}
