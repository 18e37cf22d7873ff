import { Logger } from '@nestjs/common';
import type { DataSource, QueryRunner } from 'typeorm';
import { SESSION_SETUP } from './postgres-connection';
import type { WatchedClient } from './watched-client';

/** A change of the schema. It runs once, in a transaction of its own, and is recorded by its name. */
export interface Migration {
  name: string;
  statements: readonly string[];
  /** False where a statement cannot run in a transaction (CREATE INDEX CONCURRENTLY): all of them must then be safe to repeat. */
  transaction?: boolean;
}

/** All tables, and how a database gets them. */
export interface Schema {
  /** Creates all tables in an empty database. */
  baseline: (now: Date) => readonly string[];
  /** Brings a database of an earlier version to the baseline; `from` is the oldest migration that it must have run. */
  upgrade: { from: string; steps: readonly Migration[] };
  /** What has changed since the baseline, oldest first. */
  migrations: readonly Migration[];
}

/** The database was made by a version whose tables cannot be upgraded. */
export class DatabaseTooOldError extends Error {
  constructor() {
    super(
      'The tables of this database are older than version 0.1, and this version cannot upgrade them. ' +
        'Start version 0.1 on it once, then this version; or set DATABASE_URL or DATA_DIR to a new database.',
    );
    this.name = new.target.name;
  }
}

export const BASELINE = 'baseline';

/** Any number that no other program uses for an advisory lock in this database. */
const MIGRATION_LOCK = 7305808551;
const LOCK_POLL_MS = 200;

const RECORDS = `
CREATE TABLE IF NOT EXISTS migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL)`;
const record = (name: string): string => `
INSERT INTO migrations (timestamp, name) VALUES (extract(epoch FROM now()) * 1000, '${name}')`;

/**
 * Brings the tables up to date and returns the names of the migrations that ran. On PostgreSQL any number of processes may call it at
 * the same moment: one works, the others wait until it is done. An embedded database belongs to one process. Rejects with
 * DatabaseTooOldError.
 */
export async function migrate(source: DataSource, schema: Schema, database: 'shared' | 'embedded'): Promise<string[]> {
  const runner = source.createQueryRunner();
  try {
    if (database === 'embedded') return await runPending(runner, schema);
    await runner.query(
      `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '1min'`,
    );
    const client = (await runner.connect()) as WatchedClient;
    client.patient = true;
    await takeTurn(runner);
    try {
      return await runPending(runner, schema);
    } finally {
      await runner.query(`SELECT pg_advisory_unlock($1)`, [MIGRATION_LOCK]);
      await runner.query(SESSION_SETUP);
      client.patient = false;
    }
  } finally {
    await runner.release();
  }
}

async function runPending(runner: QueryRunner, schema: Schema): Promise<string[]> {
  const pending = pendingMigrations(schema, await recordedNames(runner));
  for (const migration of pending) await run(runner, migration);
  return pending.map(({ name }) => name);
}

/** A new database gets the baseline, which contains the steps of the upgrade; an earlier one the steps that it lacks. */
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

async function run(runner: QueryRunner, { name, statements, transaction = true }: Migration): Promise<void> {
  if (transaction) await runner.startTransaction();
  try {
    for (const statement of [...statements, record(name)]) await runner.query(statement);
    if (transaction) await runner.commitTransaction();
  } catch (error) {
    // The connection may be lost; the first error is the cause.
    if (transaction) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

/** Polls, because a session that waits inside pg_advisory_lock would block CREATE INDEX CONCURRENTLY. */
async function takeTurn(runner: QueryRunner): Promise<void> {
  for (let waited = 0; ; waited += LOCK_POLL_MS) {
    const rows = (await runner.query(`SELECT pg_try_advisory_lock($1) AS taken`, [MIGRATION_LOCK])) as {
      taken: boolean;
    }[];
    if (rows[0]?.taken) return;
    if (waited === 0) new Logger('Migrations').log('Another process is migrating the database; waiting for it.');
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
  }
}
