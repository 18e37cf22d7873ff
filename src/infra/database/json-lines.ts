import type { Database } from './database';

/** How rows are read page by page. */
export interface JsonLinesQuery {
  /**
   * Selects `at`, the position of a row as text, and `line`, the row as JSON text, in the order of positions: $1 an account, $2 after this
   * position, $3 at most so many rows.
   */
  sql: string;
  /** Before the position of every row. */
  first: string;
}

const ROWS_PER_PAGE = 500;

/** The rows of an account as JSON, one per line, a page at a time; the first piece is empty, so that there is one. */
async function* jsonLines(
  database: Database,
  { sql, first }: JsonLinesQuery,
  accountId: string,
): AsyncGenerator<string> {
  yield '';
  for (let after = first; ;) {
    const rows: { at: string; line: string }[] = await database.rows(sql, [accountId, after, ROWS_PER_PAGE]);
    if (rows.length > 0) yield rows.map(({ line }) => `${line}\n`).join('');
    if (rows.length < ROWS_PER_PAGE) return;
    after = rows.at(-1)!.at;
  }
}

const NIL = '00000000-0000-0000-0000-000000000000';

/** What the pages select: columns of a table and its alias, with an index on account and order. */
export interface TablePages {
  columns: string;
  table: string;
  alias: string;
  /** Default: all rows of the account. */
  where?: string;
}

/** Pages of rows by their ids. */
export function linesById({ columns, table, alias, where = `${alias}.account_id = $1` }: TablePages): JsonLinesQuery {
  return {
    sql: `SELECT id::text AS at, to_jsonb(r)::text AS line FROM (
      SELECT ${columns} FROM ${table} ${alias} WHERE ${where} AND ${alias}.id > $2::uuid ORDER BY ${alias}.id LIMIT $3) r`,
    first: NIL,
  };
}

/** Pages of rows by creation time and id, oldest first. */
export function linesByTime({ columns, table, alias, where = `${alias}.account_id = $1` }: TablePages): JsonLinesQuery {
  return {
    sql: `SELECT "createdAt"::text || '|' || id AS at, to_jsonb(r)::text AS line FROM (
      SELECT ${columns} FROM ${table} ${alias}
      WHERE ${where} AND (${alias}.created_at, ${alias}.id) > (split_part($2, '|', 1)::timestamptz, split_part($2, '|', 2)::uuid)
      ORDER BY ${alias}.created_at, ${alias}.id LIMIT $3) r`,
    first: `-infinity|${NIL}`,
  };
}

/** Files of JSON lines, one query each. */
export class JsonFiles {
  constructor(
    private readonly database: Database,
    private readonly files: Readonly<Record<string, JsonLinesQuery>>,
  ) {}

  /** The files of an account one after the other, in pieces of whole lines. */
  async *pieces(accountId: string): AsyncGenerator<{ file: string; data: string }> {
    for (const [file, query] of Object.entries(this.files)) {
      for await (const data of jsonLines(this.database, query, accountId)) yield { file, data };
    }
  }
}
