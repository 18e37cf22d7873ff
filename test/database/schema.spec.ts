import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { Database } from '../../src/infra/database/database';
import { BASELINE, DatabaseTooOldError, migrate, type Schema } from '../../src/infra/database/migrations';
import { SCHEMA } from '../../src/schema/schema';
import { catalogueOf, countsOf, partitionsInAnotherOrder } from '../support/catalogue';
import { type OpenedSource, openSource } from '../support/databases';
import { dumpOf, EARLIER_VERSIONS, MADE_AT } from '../support/earlier-databases';

const IS_SHARED = Boolean(process.env.DATABASE_URL);
/** The baseline when the earlier databases were created. */
const SCHEMA_THEN: Schema = { ...SCHEMA, baseline: () => SCHEMA.baseline(MADE_AT) };
const MIGRATIONS = SCHEMA.migrations.map(({ name }) => name);

Logger.overrideLogger(false);

describe(`The schema on ${IS_SHARED ? 'PostgreSQL' : 'the embedded database'}`, () => {
  let opened: OpenedSource;
  let source: DataSource;
  let database: Database;

  beforeAll(async () => {
    opened = await openSource([]);
    source = opened.source;
    database = new Database(source);
  });
  beforeEach(() => source.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public'));
  afterAll(() => opened.close());

  const run = (schema: Schema) => migrate(source, schema, IS_SHARED ? 'shared' : 'embedded');
  const recorded = async () =>
    (await database.rows<{ name: string }>('SELECT name FROM migrations ORDER BY id')).map(({ name }) => name);
  const forget = (names: string[]) => database.execute('DELETE FROM migrations WHERE name = ANY($1)', [names]);

  describe('of an earlier version', () => {
    it.each(EARLIER_VERSIONS)('becomes the baseline, with all its rows: %s', async (version) => {
      await run(SCHEMA_THEN);
      const expected = await catalogueOf(database);
      await source.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
      await source.query(dumpOf(version));
      const before = await countsOf(database);

      const names = await run(SCHEMA_THEN);
      expect(names.slice(names.indexOf(BASELINE))).toEqual([BASELINE, ...MIGRATIONS]);
      expect(await catalogueOf(database)).toEqual(expected);
      expect(await countsOf(database)).toMatchObject(before);
      expect(before).toMatchObject({ accounts: 1, bulk_jobs: 5, job_recipients: 107, contacts: 3 });
      expect(await partitionsInAnotherOrder(database)).toEqual([]);
      expect(await run(SCHEMA_THEN)).toEqual([]);
    });

    it('gets an index on the webhook bodies of each day, also after an interrupted run', async () => {
      await source.query(dumpOf('0042'));
      const indexes = async () => {
        const [row] = await database.rows<{ missing: number; invalid: number }>(
          `SELECT count(*) FILTER (WHERE x.indexrelid IS NULL)::int AS missing, count(*) FILTER (WHERE NOT x.indisvalid)::int AS invalid
           FROM pg_inherits p LEFT JOIN (pg_index x JOIN pg_inherits i ON i.inhrelid = x.indexrelid
             AND i.inhparent = to_regclass('webhook_bodies_by_person')) ON x.indrelid = p.inhrelid
           WHERE p.inhparent = 'webhook_bodies'::regclass`,
        );
        return row;
      };
      expect(await indexes()).toEqual({ missing: 9, invalid: 0 });
      await run(SCHEMA);
      expect(await indexes()).toEqual({ missing: 0, invalid: 0 });
      const [step] = SCHEMA.upgrade.steps.filter(({ partitions }) => partitions);
      await forget([step!.name]);
      expect(await run(SCHEMA)).toEqual([step!.name]);
      expect(await indexes()).toEqual({ missing: 0, invalid: 0 });
    });

    it('runs the missing steps, each once', async () => {
      await source.query(dumpOf('0042'));
      const [first, ...others] = SCHEMA.upgrade.steps.map(({ name }) => name);
      const [step] = SCHEMA.upgrade.steps;
      const interrupted = { ...SCHEMA, upgrade: { ...SCHEMA.upgrade, steps: [step!] }, migrations: [] };
      expect(await run(interrupted)).toEqual([first, BASELINE]);
      expect(await run(SCHEMA)).toEqual([...others, ...MIGRATIONS]);
    });

    it('is rejected with the remedy if older than version 0.1', async () => {
      await source.query(dumpOf('0042'));
      await forget([SCHEMA.upgrade.from]);
      const before = await catalogueOf(database);
      const refused: unknown = await run(SCHEMA).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(DatabaseTooOldError);
      expect((refused as Error).message).toMatch(
        /Start version 0\.1 on it once, then this version; or set DATABASE_URL/,
      );
      expect(await catalogueOf(database)).toEqual(before);
    });
  });

  describe('from nothing', () => {
    const SMALL: Schema = {
      baseline: () => ['CREATE TABLE notes (id integer PRIMARY KEY, author text)'],
      upgrade: { from: 'first', steps: [{ name: 'author', statements: ['ALTER TABLE notes ADD COLUMN author text'] }] },
      migrations: [],
    };
    const add = (name: string, ...statements: string[]): Schema => ({
      ...SMALL,
      migrations: [...SMALL.migrations, { name, statements }],
    });

    it('is the baseline, which contains the steps of the upgrade, and the migrations after it', async () => {
      const schema = add('0100-notes-text', 'ALTER TABLE notes ADD COLUMN text text');
      expect(await run(schema)).toEqual([BASELINE, '0100-notes-text']);
      expect(await recorded()).toEqual(['author', BASELINE, '0100-notes-text']);
      expect(await run(schema)).toEqual([]);
    });

    it('gets later migrations and upgrade steps on the next start', async () => {
      await run(SMALL);
      const { migrations } = add('0100-notes-text', 'ALTER TABLE notes ADD COLUMN text text');
      const steps = [...SMALL.upgrade.steps, { name: 'at', statements: ['ALTER TABLE notes ADD COLUMN at date'] }];
      expect(await run({ ...SMALL, upgrade: { from: 'first', steps }, migrations })).toEqual(['at', '0100-notes-text']);
    });

    it('keeps nothing of a failed migration, but the migrations before it', async () => {
      await run(SMALL);
      await expect(
        run(add('0100-wrong', 'CREATE TABLE half (id integer)', 'ALTER TABLE missing ADD x date')),
      ).rejects.toThrow('relation "missing" does not exist');
      expect(await recorded()).toEqual(['author', BASELINE]);
      expect(await database.rows(`SELECT to_regclass('half') AS half`)).toEqual([{ half: null }]);
    });
  });
});
