import type { RecipientRow } from '../fakes/engine-rows';
import type { Change, HistoryDatabase } from './history-database';
import { Row } from './table';
import type { WrittenRow } from './sql-server';

const TIMES = new Set([
  ...[
    'leaseUntil',
    'throttledUntil',
    'scheduledAt',
    'windowOpensAt',
    'validUntil',
    'pausedAt',
    'startedAt',
    'completedAt',
    'retryAt',
    'giveUpAt',
    'unknownSince',
  ],
  ...['createdAt', 'updatedAt', 'sentAt', 'deliveredAt', 'readAt', 'failedAt'],
]);

/** Applies the rows written to a real database; the changes of each transaction are consecutive. */
export function takeOver(database: HistoryDatabase, written: readonly WrittenRow[]): Change[] {
  const changes = new Map<Row<object>, Change>();
  for (const { table, row: columns } of written) {
    const row = rowOf(database, table, columns);
    const before = row.committed;
    const after = valueOf(columns, before);
    row.committed = after;
    changes.set(row, { row, before: changes.get(row)?.before ?? before, after });
  }
  // Rows of an import precede the history of their job.
  return [...changes.values()].filter(({ row, before }) => row.table !== 'job_recipients' || before !== null);
}

function rowOf(database: HistoryDatabase, table: string, columns: Record<string, unknown>): Row<object> {
  switch (table) {
    case 'sender_lanes':
      return database.lanes.row(columns.sender_id as string);
    case 'bulk_jobs':
      return database.jobs.row(columns.id as string);
    case 'single_sends':
      return database.singles.row(columns.message_id as string);
    case 'messages':
      return database.messages.row(columns.id as string);
    case 'webhook_outbox':
      return database.outbox.row(String(columns.id));
    default:
      return recipientAt(database, columns.job_id as string, columns.position as number);
  }
}

function recipientAt(database: HistoryDatabase, jobId: string, position: number): Row<RecipientRow> {
  const rows = database.recipientsOf(jobId);
  database.recipients.set(jobId, rows);
  rows[position - 1] ??= new Row<RecipientRow>('job_recipients', `${jobId.slice(9, 13)}/${position}`);
  return rows[position - 1]!;
}

/** The value of a column; an unchanged time keeps its object. */
function valueOf(columns: Record<string, unknown>, before: object | null): object {
  const old = (before ?? {}) as Record<string, unknown>;
  const entries = Object.entries(columns).map(([column, value]): [string, unknown] => {
    const name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (!TIMES.has(name) || typeof value !== 'string') return [name, value];
    const time = new Date(value);
    return [name, old[name] instanceof Date && old[name].getTime() === time.getTime() ? old[name] : time];
  });
  return Object.fromEntries(entries);
}
