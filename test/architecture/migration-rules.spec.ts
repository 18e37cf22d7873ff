import type { Migration } from '../../src/infra/database/migrations';
import { SCHEMA } from '../../src/schema/schema';
import { releasedBefore } from '../support/releases/checksums';
import { violationsIn } from './migration-rules';

const RELEASED = new Set(['0100-bulk-jobs-notes']);
const of = (statements: string | readonly string[], more: Partial<Migration> = {}): string[] =>
  violationsIn({ name: '0101-x', statements: [statements].flat(), ...more }, RELEASED);
const separately = { transaction: false };
const BATCHES = `DO $$ BEGIN LOOP\n UPDATE bulk_jobs SET note = '' WHERE id = 1;\n EXIT WHEN NOT FOUND;\n COMMIT;\n END LOOP; END $$`;

describe('Migrations since the baseline run beside the version before:', () => {
  it.each<[string, string | string[], Partial<Migration>?]>([
    ['a nullable column', 'ALTER TABLE bulk_jobs ADD COLUMN note text'],
    ['columns with constant defaults', `ALTER TABLE bulk_jobs ADD COLUMN a int NOT NULL DEFAULT 0, ADD COLUMN b text`],
    ['a default that applies from now on', 'ALTER TABLE bulk_jobs ALTER COLUMN a SET DEFAULT clock_timestamp()'],
    ['a table', 'CREATE TABLE notes (id uuid PRIMARY KEY, text text NOT NULL); CREATE INDEX one ON notes (text)'],
    ['an index', 'CREATE INDEX CONCURRENTLY one ON bulk_jobs (note)', separately],
    ['batches', BATCHES, separately],
    ['a constraint in two steps', 'ALTER TABLE bulk_jobs ADD CONSTRAINT c CHECK (a > 0) NOT VALID'],
    ['its second step', 'ALTER TABLE bulk_jobs VALIDATE CONSTRAINT c', separately],
    ['a constraint on a built index', 'ALTER TABLE bulk_jobs ADD CONSTRAINT c UNIQUE USING INDEX one'],
    ['a contract', '-- contract of 0100-bulk-jobs-notes\nALTER TABLE bulk_jobs DROP COLUMN note'],
    ['the end of a foreign key', 'ALTER TABLE bulk_jobs DROP CONSTRAINT IF EXISTS bulk_jobs_sender_id_fkey'],
    ['a trigger that changes rows', 'CREATE FUNCTION f() RETURNS trigger AS $$\nUPDATE bulk_jobs SET a = 1\n$$;'],
  ])('may contain %s', (_, statements, ...[more]) => {
    expect(of(statements, more)).toEqual([]);
  });

  it.each<[string, string | string[], Partial<Migration>?]>([
    ['a column that old inserts lack', 'ALTER TABLE bulk_jobs ADD COLUMN a int NOT NULL'],
    ['the second of two columns', 'ALTER TABLE bulk_jobs ADD COLUMN a int DEFAULT 0, ADD COLUMN b int NOT NULL'],
    ['a volatile default', 'ALTER TABLE bulk_jobs ADD COLUMN a timestamptz DEFAULT clock_timestamp()'],
    ['a renamed column', 'ALTER TABLE bulk_jobs RENAME COLUMN name TO title'],
    ['a renamed table', 'ALTER TABLE bulk_jobs RENAME TO jobs'],
    ['a dropped column', 'ALTER TABLE bulk_jobs DROP COLUMN name'],
    ['a dropped table', 'DROP TABLE job_pace'],
    ['a dropped check', 'ALTER TABLE bulk_jobs DROP CONSTRAINT bulk_jobs_send_window'],
    ['a contract without expansion', '-- contract of 0099-other\nALTER TABLE bulk_jobs DROP COLUMN name'],
    ['another type', 'ALTER TABLE bulk_jobs ALTER COLUMN name TYPE varchar(10)'],
    ['a type by its long name', 'ALTER TABLE bulk_jobs ALTER name SET DATA TYPE jsonb USING name::jsonb'],
    ['NOT NULL afterwards', 'ALTER TABLE bulk_jobs ALTER COLUMN name SET NOT NULL'],
    ['a constraint that is checked at once', 'ALTER TABLE bulk_jobs ADD CONSTRAINT c CHECK (a > 0)'],
    ['a foreign key that is checked at once', 'ALTER TABLE bulk_jobs ADD FOREIGN KEY (a) REFERENCES accounts (id)'],
    ['a constraint that builds its index', 'ALTER TABLE bulk_jobs ADD CONSTRAINT c UNIQUE (a)'],
    ['a lock', 'LOCK TABLE bulk_jobs'],
    ['another timeout', ['SET lock_timeout = 0', 'ALTER TABLE bulk_jobs ADD COLUMN a int']],
    ['all rows at once', `UPDATE bulk_jobs SET name = ''`],
    ['batches inside one transaction', BATCHES],
  ])('may not contain %s', (_, statements, ...[more]) => {
    expect(of(statements, more)).toEqual([expect.stringMatching(/^0101-x: ./)]);
  });

  it('all follow these rules', () => {
    const released = releasedBefore();
    expect(SCHEMA.migrations.flatMap((migration) => violationsIn(migration, released))).toEqual([]);
  });
});
