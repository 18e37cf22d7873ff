import { Logger } from '@nestjs/common';
import type { DataSource, QueryRunner } from 'typeorm';
import { SESSION_SETUP } from './postgres-connection';
import type { WatchedClient } from './watched-client';

/** A schema change. It runs once, in its own transaction, and is recorded by name. */
export interface Migration {
  name: string;
  statements: readonly string[];
  /**
   * False if each statement commits by itself, as CREATE INDEX CONCURRENTLY and a DO that commits its batches must, and storage
   * parameters, for which it then waits for an autovacuum: all statements must then be safe to repeat.
   */
  transaction?: boolean;
  /** Run before the others, for each partition that the table has: an index of all partitions cannot be built concurrently. */
  partitions?: { of: string; statements: (partition: string) => readonly string[] };
}

/** All tables, and how to create or upgrade them. */
export interface Schema {
  /** Creates all tables in an empty database. */
  baseline: (now: Date) => readonly string[];
  /** Upgrades a database of an earlier version to the baseline; `from` is the oldest migration that must have run. */
  upgrade: { from: string; steps: readonly Migration[] };
  /** Changes since the baseline, oldest first. */
  migrations: readonly Migration[];
}

/** The database was created by a version whose tables cannot be upgraded. */
export class DatabaseTooOldError extends Error {
  constructor() {
    super(
      'The tables of this database are older than version 0.1, and this version cannot upgrade them. ' +
        'Start version 0.1 on it once, then this version; or set DATABASE_URL or DATA_DIR to a new database.',
    );
    this.name = new.target.name;
  }
}

/** The tables must change, and the role of this process does not own them. */
export class MigrationsNotAllowedError extends Error {
  constructor(name: string, cause: unknown) {
    super(
      `The tables of this database lack the migration ${name}, which only their owner can run. ` +
        "Run `npm run migrate` of this version with the owner's role in DATABASE_URL, then start the service again.",
      { cause },
    );
    this.name = new.target.name;
  }
}

export const BASELINE = 'baseline';

/** Any number that no other program uses for an advisory lock in this database. */
const MIGRATION_LOCK = 7305808551;
const LOCK_POLL_MS = 200;

/** How long a statement waits for a table: the statements of running processes wait behind it. */
const LOCK_TIMEOUT_MS = 300;
const LOCK_NOT_AVAILABLE = '55P03';
const INSUFFICIENT_PRIVILEGE = '42501';
/** Pauses between attempts, each twice as long as the one before. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/**
 * Waits for other transactions and blocks no reads or writes. PostgreSQL ends an autovacuum that such a statement waits for after
 * `deadlock_timeout` (1 s), so LOCK_TIMEOUT_MS would be too short.
 */
const WAITS_WITHOUT_BLOCKING = /^((CREATE|DROP)\b.*\bINDEX CONCURRENTLY\b|ALTER TABLE \w+ SET \()/;

const RECORDS = `
CREATE TABLE IF NOT EXISTS migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL)`;
const record = (name: string): string => `
INSERT INTO migrations (timestamp, name) VALUES (extract(epoch FROM now()) * 1000, '${name}')`;

/**
 * Runs the pending migrations and returns their names. On PostgreSQL any number of processes may call it concurrently: one migrates,
 * the others wait. An embedded database belongs to one process. Rejects with DatabaseTooOldError, and with MigrationsNotAllowedError.
 */
export async function migrate(source: DataSource, schema: Schema, database: 'shared' | 'embedded'): Promise<string[]> {
  const runner = source.createQueryRunner();
  try {
    if (database === 'embedded') return await runPending(runner, schema);
    await runner.query(`SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`);
    const client = (await runner.connect()) as WatchedClient;
    client.noTimeout = true;
    await acquireMigrationLock(runner);
    try {
      return await runPending(runner, schema);
    } finally {
      await runner.query(`SELECT pg_advisory_unlock($1)`, [MIGRATION_LOCK]);
      await runner.query(SESSION_SETUP);
      client.noTimeout = false;
    }
  } finally {
    await runner.release();
  }
}

async function runPending(runner: QueryRunner, schema: Schema): Promise<string[]> {
  const pending = pendingMigrations(schema, await recordedNames(runner));
  for (const migration of pending) {
    try {
      await run(runner, migration);
    } catch (error) {
      if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
      throw new MigrationsNotAllowedError(migration.name, error);
    }
  }
  return pending.map(({ name }) => name);
}

/** A new database gets the baseline, which includes the upgrade steps; an earlier one gets the steps it lacks. */
function pendingMigrations({ baseline, upgrade, migrations }: Schema, recorded: ReadonlySet<string>): Migration[] {
  if (recorded.size === 0) {
    const contained = upgrade.steps.map(({ name }) => record(name));
    return [{ name: BASELINE, statements: [RECORDS, ...baseline(new Date()), ...contained] }, ...migrations];
  }
  if (!recorded.has(BASELINE) && !recorded.has(upgrade.from)) throw new DatabaseTooOldError();
  return [...upgrade.steps, { name: BASELINE, statements: [] }, ...migrations].filter(
    ({ name }) => !recorded.has(name),
  );
}

async function recordedNames(runner: QueryRunner): Promise<Set<string>> {
  const [table] = (await runner.query(`SELECT to_regclass('migrations') IS NOT NULL AS found`)) as { found: boolean }[];
  if (!table?.found) return new Set();
  const rows = (await runner.query('SELECT name FROM migrations')) as { name: string }[];
  return new Set(rows.map(({ name }) => name));
}

async function run(runner: QueryRunner, migration: Migration): Promise<void> {
  const { name, statements, transaction = true } = migration;
  const all = [...(await statementsOfPartitions(runner, migration)), ...statements, record(name)];
  if (transaction) return untilUnlocked(name, () => runInTransaction(runner, all));
  for (const statement of all) {
    await runner.query(`SET lock_timeout = ${WAITS_WITHOUT_BLOCKING.test(statement) ? 0 : LOCK_TIMEOUT_MS}`);
    await untilUnlocked(name, () => runner.query(statement));
  }
}

async function statementsOfPartitions(runner: QueryRunner, { partitions }: Migration): Promise<string[]> {
  if (!partitions) return [];
  const found = (await runner.query(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass`,
    [partitions.of],
  )) as { name: string }[];
  return found.flatMap(({ name }) => partitions.statements(name));
}

async function runInTransaction(runner: QueryRunner, statements: readonly string[]): Promise<void> {
  await runner.startTransaction();
  try {
    await runner.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    for (const statement of statements) await runner.query(statement);
    await runner.commitTransaction();
  } catch (error) {
    // The connection may be lost; the first error is the cause.
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

/** Repeats what did not get its locks in time. */
async function untilUnlocked(name: string, work: () => Promise<unknown>): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      await work();
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      if (pauseMs === FIRST_PAUSE_MS)
        new Logger('Migrations').warn(`${name}: a long transaction uses the table. Retrying until it ends.`);
      await pause(pauseMs);
    }
  }
}

/** Polls, because a session waiting in pg_advisory_lock would block CREATE INDEX CONCURRENTLY. */
async function acquireMigrationLock(runner: QueryRunner): Promise<void> {
  for (let waited = 0; ; waited += LOCK_POLL_MS) {
    const rows = (await runner.query(`SELECT pg_try_advisory_lock($1) AS taken`, [MIGRATION_LOCK])) as {
      taken: boolean;
    }[];
    if (rows[0]?.taken) return;
    if (waited === 0) new Logger('Migrations').log('Another process is migrating the database; waiting for it.');
    await pause(LOCK_POLL_MS);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
