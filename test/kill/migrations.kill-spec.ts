import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { Database } from '../../src/infra/database/database';
import { BASELINE, migrate, type Schema } from '../../src/infra/database/migrations';
import { SCHEMA } from '../../src/schema/schema';
import { catalogueOf, countsOf } from '../support/catalogue';
import type { OpenedSource } from '../support/databases';
import { dumpOf, MADE_AT } from '../support/earlier-databases';
import { openPostgresDatabase } from '../support/postgres-database';
import { pause } from './processes';

const SCHEMA_THEN: Schema = { ...SCHEMA, baseline: () => SCHEMA.baseline(MADE_AT) };
const ROWS = 200_000;
const JOBS = 50_000;
const READER_MS = 2_000;
/** The next step alters a table. */
const LAST_BEFORE_ALTER = 'DeliveryActivityLateChanges1790000000069';
const LONGEST_WRITE_MS = 1_000;
const TABLES = ['messages', 'bulk_jobs', 'contacts', 'job_recipients', 'templates'];

const id = (n: string) => `('01a20c3b-d000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
/** Copies a row, with other values in some columns, until the table is large enough. */
const copies = (table: string, rows: number, source: string, values: string) => `
INSERT INTO ${table} SELECT copy.* FROM (SELECT * FROM ${table} WHERE ${source} LIMIT 1) one, generate_series(1, ${rows}) n,
  LATERAL jsonb_populate_record(one::${table}, jsonb_build_object(${values})) copy`;
/** Contacts as stored by version 0.1: the key of an Argentine number lacks its 9. */
const SEED = [
  'SET session_replication_role = replica',
  copies('messages', ROWS, `status = 'Delivered' AND direction = 'Outbound'`, `'id', ${id('n')}`),
  copies('bulk_jobs', JOBS, `status = 'Completed'`, `'id', ${id('n')}`),
  `INSERT INTO contacts (id, account_id, phone, phone_key)
   SELECT ${id('n')}, (SELECT id FROM accounts), '5491' || 100000000 + n, '541' || 100000000 + n FROM generate_series(1, ${ROWS}) n`,
  `RESET session_replication_role`,
  `ANALYZE`,
];
/** Writes of the earlier version's processes: one row each time. */
const WRITES = [
  `UPDATE messages SET read_at = now() WHERE id = ${id('$1::int')}`,
  `UPDATE bulk_jobs SET delivered = delivered + 1 WHERE id = ${id('$1::int')}`,
  `UPDATE contacts SET name = 'Mira' WHERE id = ${id('$1::int')}`,
];

/** A write to a table that no migration changes: its longest time is that of the machine. */
const CONTROL = 'UPDATE control.counts SET n = n + 1 WHERE id = $1::int';

describe('An upgrade while processes of the earlier version run', () => {
  let opened: OpenedSource;
  let database: Database;
  let url: string;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    opened = await openPostgresDatabase(process.env.DATABASE_URL!, []);
    database = new Database(opened.source);
    const [row] = await database.rows<{ name: string }>('SELECT current_database() AS name');
    url = Object.assign(new URL(process.env.DATABASE_URL!), { pathname: `/${row!.name}` }).href;
  });
  afterAll(() => opened.close());

  const upgrade = () => migrate(opened.source, SCHEMA_THEN, 'shared');
  const empty = () => opened.source.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');

  async function connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client(url);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  async function seedEarlierDatabase(): Promise<void> {
    await empty();
    await opened.source.query(dumpOf('0042'));
    await connected(async (client) => {
      for (const statement of SEED) await client.query(statement);
    });
  }

  /** Writes rows until the signal; returns the longest time that one write took. */
  const keepWriting = (statement: string, signal: AbortSignal) =>
    connected(async (client) => {
      let longest = 0;
      while (!signal.aborted) {
        const before = performance.now();
        await client.query(statement, [1 + Math.floor(Math.random() * JOBS)]);
        longest = Math.max(longest, performance.now() - before);
        await pause(3);
      }
      return longest;
    });

  /** Reads in overlapping transactions, so that one of them always locks the tables, until a step that alters a table waits for them. */
  async function keepReading(): Promise<void> {
    const readers: Promise<void>[] = [];
    const isDue = `SELECT 1 FROM migrations WHERE name = '${LAST_BEFORE_ALTER}'`;
    do {
      readers.push(
        connected(async (client) => {
          await client.query(`BEGIN; LOCK TABLE ${TABLES.join(', ')} IN ACCESS SHARE MODE`);
          await pause(READER_MS);
          await client.query('COMMIT');
        }),
      );
      await pause(READER_MS / 3);
    } while ((await database.rows(isDue)).length === 0);
    await Promise.all(readers);
  }

  it(`blocks no write for ${LONGEST_WRITE_MS} ms while long transactions read, and ends with the tables of a new database`, async () => {
    await empty();
    await upgrade();
    const expected = await catalogueOf(database);
    await seedEarlierDatabase();
    const before = await countsOf(database);
    await opened.source.query(
      `CREATE SCHEMA control; CREATE TABLE control.counts AS SELECT id, 0 AS n FROM generate_series(1, ${JOBS}) id;
       CREATE INDEX ON control.counts (id)`,
    );

    const stop = new AbortController();
    const reading = keepReading();
    const writing = Promise.all([CONTROL, ...WRITES].map((statement) => keepWriting(statement, stop.signal)));
    await pause(200);
    const names = await upgrade();
    await reading;
    stop.abort();

    const [control, ...longest] = await writing;
    await opened.source.query('DROP SCHEMA control CASCADE');
    expect(Math.max(...longest)).toBeLessThan(LONGEST_WRITE_MS + control!);
    expect(names.slice(names.indexOf(BASELINE))).toEqual([BASELINE, ...SCHEMA.migrations.map(({ name }) => name)]);
    expect(await catalogueOf(database)).toEqual(expected);
    expect(await countsOf(database)).toMatchObject(before);
    expect(await database.rows('SELECT phone FROM contacts WHERE phone <> phone_key')).toEqual([]);
  });

  it('waits for a vacuum of a table whose storage parameters it sets, without blocking writes', async () => {
    await empty();
    const schema: Schema = {
      baseline: () => ['CREATE TABLE notes (id integer)'],
      upgrade: { from: 'first', steps: [] },
      migrations: [],
    };
    await migrate(opened.source, schema, 'shared');
    const step = { name: 'space', transaction: false, statements: ['ALTER TABLE notes SET (fillfactor = 50)'] };
    await connected(async (vacuum) => {
      await vacuum.query('BEGIN; LOCK TABLE notes IN SHARE UPDATE EXCLUSIVE MODE');
      const migrating = migrate(opened.source, { ...schema, migrations: [step] }, 'shared');
      const isWaiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'ALTER TABLE notes%'
        AND wait_event_type = 'Lock' AND clock_timestamp() - query_start > interval '1 s'`;
      while ((await database.rows(isWaiting)).length === 0) await pause(50);
      await connected((writer) => writer.query(`SET lock_timeout = 100; INSERT INTO notes VALUES (1)`));
      await vacuum.query('COMMIT');
      expect(await migrating).toEqual(['space']);
    });
  });
});
