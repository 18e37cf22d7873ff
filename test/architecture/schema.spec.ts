import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { version } from '../../package.json';
import type { Migration } from '../../src/infra/database/migrations';
import { SCHEMA } from '../../src/schema/schema';
import { ROOT } from './cruise';
import { checksumsOf, currentSchema, recordedVersions, recordedWith } from '../support/releases/checksums';

const SOURCES = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);
const IN_SCHEMA_FOLDERS = SOURCES.filter((file) => file.includes('/schema/'));
const MIGRATION_FILE = /^modules\/([^/]+)\/adapters\/schema\/(\d{4})-([a-z0-9-]+)\.ts$/;

/** Names of the migrations in these files, in the order in which they are to run: `0100-bulk-jobs-notes` for bulk-jobs/…/0100-notes.ts. */
const namesIn = (files: readonly string[]): string[] =>
  files
    .flatMap((file) => {
      const [, module, number, what] = MIGRATION_FILE.exec(file) ?? [];
      return number === undefined ? [] : [`${number}-${module}-${what}`];
    })
    .sort();

/**
 * Released statements have run on databases that exist: restore them, and add a migration. For what is not released yet, `npm run release:schema`
 * records the current statements.
 */
describe('The statements of each release', () => {
  it('are recorded and unchanged', () => {
    const landed = { name: '0100-notes-text', statements: ['ALTER TABLE notes ADD COLUMN text text -- a text'] };
    const commented = { ...landed, statements: ['ALTER TABLE notes   ADD COLUMN text text'] };
    const edited = { ...landed, statements: ['ALTER TABLE notes ADD COLUMN text jsonb'] };
    expect(checksumsOf([commented])).toEqual(checksumsOf([landed]));
    expect(checksumsOf([edited])).not.toEqual(checksumsOf([landed]));
    const recorded = recordedVersions();
    const checksums = Object.values(recorded).map((one) => one.checksums);
    expect(checksumsOf(currentSchema())).toEqual(Object.assign({}, ...checksums));
    const open = Object.keys(recorded).filter((one) => !recorded[one]!.released);
    expect(open.filter((one) => one !== version)).toEqual([]);
  });

  it('change and increase only until the version is released', () => {
    const before = { '1.0.0': { released: true, checksums: { baseline: 'a' } } };
    const recorded = recordedWith({ baseline: 'a', '0101-x': 'b' }, '1.1.0', before);
    expect(recorded).toEqual({ ...before, '1.1.0': { released: false, checksums: { '0101-x': 'b' } } });
    const rewritten = recordedWith({ baseline: 'a', '0101-x': 'c', '0102-x': 'd' }, '1.1.0', recorded);
    expect(rewritten['1.1.0']!.checksums).toEqual({ '0101-x': 'c', '0102-x': 'd' });

    const released = { ...before, '1.1.0': { released: true, checksums: { '0101-x': 'b' } } };
    const record = (tree: Record<string, string>) => () => recordedWith(tree, '1.1.0', released);
    expect(record({ baseline: 'a', '0101-x': 'b' })()).toEqual(released);
    expect(record({ baseline: 'x', '0101-x': 'b' })).toThrow('baseline is part of release 1.0.0. Restore it');
    expect(record({ baseline: 'a', '0101-x': 'c' })).toThrow('0101-x is part of release 1.1.0. Restore it');
    expect(record({ baseline: 'a' })).toThrow('0101-x is part of release 1.1.0. Restore it');
    const added = record({ baseline: 'a', '0101-x': 'b', '0102-x': 'd' });
    expect(added).toThrow('Version 1.1.0 is released. Raise the version in package.json, then record 0102-x.');
  });
});

describe('Migrations since the baseline', () => {
  it('are listed in the order of their numbers, each under the name of its module and file', () => {
    const files = ['modules/events/adapters/schema/0101-log.ts', 'modules/bulk-jobs/adapters/schema/0100-notes.ts'];
    expect(namesIn(files)).toEqual(['0100-bulk-jobs-notes', '0101-events-log']);
    expect(SCHEMA.migrations.map(({ name }) => name)).toEqual(namesIn(IN_SCHEMA_FOLDERS));
  });
});

/**
 * Statements that would block writes of running processes: indexes of existing tables built or dropped in a transaction. That of a
 * partitioned table adopts the indexes of its partitions if they are built first.
 */
const blockingIn = ({ statements, partitions, transaction = true }: Migration): string[] => {
  const created = [...statements.join('\n').matchAll(/^CREATE TABLE (\w+)/gm)].map(([, table]) => table);
  const own = [...created, partitions?.of];
  const indexes = [...statements.join('\n').matchAll(/^(?:CREATE|DROP)(?: UNIQUE)? INDEX.*?(?:\s+ON (\w+).*|$)/gm)];
  const ofOthers = indexes.filter(([, table]) => !own.includes(table)).map(([statement]) => statement);
  return ofOthers.filter((statement) => transaction || !statement.includes(' CONCURRENTLY '));
};

describe('Migrations during running processes', () => {
  it('build and drop the indexes of existing tables concurrently', () => {
    const statements = ['CREATE INDEX notes_by_text ON notes (text)'];
    expect(blockingIn({ name: 'x', statements })).toEqual(statements);
    expect(blockingIn({ name: 'x', statements: ['CREATE TABLE notes (text text);\n' + statements[0]!] })).toEqual([]);
    const concurrent = ['CREATE INDEX CONCURRENTLY notes_by_text ON notes (text)'];
    expect(blockingIn({ name: 'x', statements: concurrent, transaction: false })).toEqual([]);
    const adopting = {
      statements,
      partitions: { of: 'notes', statements: (name: string) => [`CREATE INDEX CONCURRENTLY x ON ${name}`] },
    };
    expect(blockingIn({ name: 'x', transaction: false, ...adopting })).toEqual([]);
    expect([...SCHEMA.upgrade.steps, ...SCHEMA.migrations].flatMap(blockingIn)).toEqual([]);
  });
});

describe('The baseline', () => {
  const texts = IN_SCHEMA_FOLDERS.map((file) => ({ file, text: readFileSync(join(ROOT, 'src', file), 'utf8') }));

  it('names the statement that needs each index', () => {
    const unexplained = (text: string): string[] => {
      const lines = text.split('\n');
      return lines.filter((line, at) => /^CREATE (UNIQUE )?INDEX/.test(line) && !lines[at - 1]?.startsWith('-- '));
    };
    expect(
      unexplained('-- Lists notes.\nCREATE INDEX one ON notes (a);\nCREATE UNIQUE INDEX two ON notes (b);'),
    ).toEqual(['CREATE UNIQUE INDEX two ON notes (b);']);
    expect(texts.flatMap(({ text }) => unexplained(text))).toEqual([]);
  });

  it('names only statements and files that exist', () => {
    const statements = new Set(
      SOURCES.flatMap((file) => [
        ...readFileSync(join(ROOT, 'src', file), 'utf8').matchAll(/^(?:export )?const ([A-Z][A-Z_]+) = /gm),
      ]).map(([, name]) => name!),
    );
    const files = new Set(SOURCES.map((file) => basename(file)));
    const comments = texts.flatMap(({ text }) => [...text.matchAll(/^ *-- (.*)/gm)].map(([, comment]) => comment!));
    const named = comments.flatMap((comment) => comment.match(/[\w-]+(?:\.sql)?\.ts\b|\b[A-Z]{2,}_[A-Z_]+\b/g) ?? []);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !statements.has(name) && !files.has(name))).toEqual([]);
  });
});
