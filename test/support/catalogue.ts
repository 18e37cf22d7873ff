import type { Database } from '../../src/infra/database/database';

/** Created at run time: daily partitions, and the migrations table. */
const MADE_LATER = `(c.relname ~ '^webhook_(deliveries|bodies)_\\d' OR c.relname ~ '^migrations')`;
const OURS = `c.relnamespace = 'public'::regnamespace AND NOT ${MADE_LATER}`;

/**
 * Everything in the catalogue that statements depend on, except the order of columns. NOT NULL is listed with the
 * columns.
 */
const PARTS: Record<string, string> = {
  tables: `
SELECT c.relname AS name, c.relkind AS kind, c.relpersistence AS persistence, array_to_string(c.reloptions, ',') AS options,
  pg_get_partkeydef(c.oid) AS "partitionKey", pg_get_expr(c.relpartbound, c.oid) AS bound,
  (SELECT i.inhparent::regclass::text FROM pg_inherits i WHERE i.inhrelid = c.oid) AS parent
FROM pg_class c WHERE c.relkind <> 'i' AND ${OURS} ORDER BY c.relname`,
  columns: `
SELECT c.relname || '.' || a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS "notNull",
  pg_get_expr(d.adbin, d.adrelid) AS default, a.attidentity AS identity, a.attgenerated AS generated, a.attstorage AS storage,
  a.attcompression AS compression, a.attcollation::regcollation::text AS collation
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped AND ${OURS} ORDER BY 1`,
  constraints: `
SELECT c.relname || '.' || k.conname AS name, pg_get_constraintdef(k.oid) AS definition, k.convalidated AS validated
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE k.contype <> 'n' AND ${OURS} ORDER BY 1`,
  indexes: `
SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition, i.indisvalid AND i.indisready AS usable
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE ${OURS} ORDER BY 1`,
  // Without brackets: restoring a dump removes those of (a OR b) OR c.
  triggers: `
SELECT c.relname || '.' || t.tgname AS name, translate(pg_get_triggerdef(t.oid), '()', '') AS definition, t.tgenabled AS enabled
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal AND ${OURS} ORDER BY 1`,
  functions: `
SELECT p.oid::regprocedure::text AS name, pg_get_functiondef(p.oid) AS definition
FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace ORDER BY 1`,
};

/** A comparable description of all tables of a database. */
export async function catalogueOf(database: Database): Promise<Record<string, unknown[]>> {
  const catalogue: Record<string, unknown[]> = {};
  for (const [part, sql] of Object.entries(PARTS)) catalogue[part] = await database.rows(sql);
  return catalogue;
}

/** Partitions whose column order differs from their table's: rows are moved between them with SELECT *. */
export function partitionsInAnotherOrder(database: Database): Promise<{ name: string }[]> {
  const columns = (table: string) =>
    `(SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute WHERE attrelid = ${table} AND attnum > 0)`;
  return database.rows(`SELECT inhrelid::regclass::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = inhrelid
    WHERE c.relkind = 'r' AND ${columns('inhrelid')} <> ${columns('inhparent')}`);
}

/** Row counts by table name. */
export async function countsOf(database: Database): Promise<Record<string, number>> {
  const tables = await database.rows<{ name: string }>(`SELECT c.relname AS name FROM pg_class c
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND ${OURS} ORDER BY 1`);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await database.rows<{ count: number }>(`SELECT count(*)::int AS count FROM ${name}`);
    counts[name] = row!.count;
  }
  return counts;
}
