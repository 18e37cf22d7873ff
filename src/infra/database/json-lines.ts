import type { Database } from './database';

/** How rows are read page by page. */
export interface JsonLinesQuery {
  /**
   * Selects `at`, the position of a row as text, and `line`, the row as JSON text, in the order of positions: $1 an account, $2 after this
   * position, $3 at most so many rows. If `hasSenders`, also the parameters of `isExported`, and `line` is NULL for rows of other senders.
   */
  sql: string;
  /** Whether the rows belong to senders. */
  hasSenders?: true;
  /** Before the position of every row. */
  first: string;
}

/** The rows to export: those of an account or, with a sender, those of them that belong to it. */
export interface ExportedRows {
  accountId: string;
  sender: { id: string; oldestId: string } | null;
}

const ROWS_PER_PAGE = 500;

/** The pages of a query. */
export async function* exportedPages(
  database: Database,
  { sql, first, hasSenders }: JsonLinesQuery,
  { accountId, sender }: ExportedRows,
): AsyncGenerator<{ at: string; line: string | null }[]> {
  const ofSender = hasSenders ? [sender?.id, sender?.oldestId] : [];
  for (let after = first; ;) {
    const rows: { at: string; line: string | null }[] = await database.rows(sql, [
      ...[accountId, after, ROWS_PER_PAGE],
      ...ofSender,
    ]);
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_PER_PAGE) return;
    after = rows.at(-1)!.at;
  }
}

/**
 * Whether a row is exported: $4 a sender, NULL for all rows of the account, $5 the oldest one of the account; `sender`: that of the row, NULL for the
 * oldest. In a WHERE, a page reads all rows of other senders up to its last one: for tables with few rows only.
 */
export function isExported(sender: string): string {
  return `(CASE WHEN $4::uuid IS NOT NULL THEN COALESCE(${sender}, $5::uuid) END IS NOT DISTINCT FROM $4::uuid)`;
}

const NIL = '00000000-0000-0000-0000-000000000000';

/** What the pages select: columns of a table and its alias, with an index on account and order. */
export interface TablePages {
  columns: string;
  table: string;
  alias: string;
  /** Default: all rows of the account. */
  where?: string;
  /** The sender of a row, NULL for the oldest of the account. Absent: the rows belong to no sender. */
  sender?: string;
}

/** Pages of rows by their ids. */
export function linesById(pages: TablePages): JsonLinesQuery {
  const { table, alias, where = `${alias}.account_id = $1` } = pages;
  return ofSenders(pages, {
    sql: `SELECT id::text AS at, ${lineOf(pages)} FROM (
      SELECT ${columnsOf(pages)} FROM ${table} ${alias} WHERE ${where} AND ${alias}.id > $2::uuid ORDER BY ${alias}.id LIMIT $3) r`,
    first: NIL,
  });
}

/** Pages of rows by creation time and id, oldest first. */
export function linesByTime(pages: TablePages): JsonLinesQuery {
  const { table, alias, where = `${alias}.account_id = $1` } = pages;
  return ofSenders(pages, {
    sql: `SELECT "createdAt"::text || '|' || id AS at, ${lineOf(pages)} FROM (
      SELECT ${columnsOf(pages)} FROM ${table} ${alias}
      WHERE ${where} AND (${alias}.created_at, ${alias}.id) > (split_part($2, '|', 1)::timestamptz, split_part($2, '|', 2)::uuid)
      ORDER BY ${alias}.created_at, ${alias}.id LIMIT $3) r`,
    first: `-infinity|${NIL}`,
  });
}

function columnsOf({ columns, sender }: TablePages): string {
  return sender === undefined ? columns : `${columns}, ${isExported(sender)} AS "isExported"`;
}

function lineOf({ sender }: TablePages): string {
  if (sender === undefined) return 'to_jsonb(r)::text AS line';
  return `CASE WHEN "isExported" THEN (to_jsonb(r) - 'isExported')::text END AS line`;
}

function ofSenders({ sender }: TablePages, query: JsonLinesQuery): JsonLinesQuery {
  return sender === undefined ? query : { ...query, hasSenders: true };
}

/** Files of JSON lines, one query each. */
export class JsonFiles {
  constructor(
    private readonly database: Database,
    private readonly files: Readonly<Record<string, JsonLinesQuery>>,
  ) {}

  /** The files one after the other, in pieces of whole lines, the first one empty; with a sender, those whose rows belong to senders. */
  async *pieces(of: ExportedRows): AsyncGenerator<{ file: string; data: string }> {
    for (const [file, query] of Object.entries(this.files)) {
      if (of.sender !== null && !query.hasSenders) continue;
      yield { file, data: '' };
      for await (const rows of exportedPages(this.database, query, of)) {
        yield { file, data: rows.map(({ line }) => (line === null ? '' : `${line}\n`)).join('') };
      }
    }
  }
}
