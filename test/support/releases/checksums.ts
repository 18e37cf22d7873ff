import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../../package.json';
import { BASELINE, type Migration } from '../../../src/infra/database/migrations';
import { SCHEMA } from '../../../src/schema/schema';
import { statementsOf } from '../../architecture/schema-tables';

/** The folder with what is kept of each release. */
export const RELEASES = join(__dirname, '../../fixtures/releases');
export const CHECKSUMS = join(RELEASES, 'schema.json');
/** Any time: the first partitions depend on it. */
const MADE_AT = new Date('2026-11-26T00:00:00Z');

/** SHA-256 by the name of a migration. */
export type Checksums = Record<string, string>;

/** The checksums of the baseline, the upgrade steps and the migrations of this tree, without comments and white space. */
export function checksumsOf(migrations: readonly Migration[]): Checksums {
  return Object.fromEntries(
    migrations.map((migration) => {
      const text = [...statementsOf(migration), ...(migration.partitions?.statements('of_partition') ?? [])].join('\n');
      return [migration.name, createHash('sha256').update(`${text}\n`).digest('hex')];
    }),
  );
}

/** Everything that this tree runs on a database. */
export function currentSchema(): Migration[] {
  return [{ name: BASELINE, statements: SCHEMA.baseline(MADE_AT) }, ...SCHEMA.upgrade.steps, ...SCHEMA.migrations];
}

/** What each release added, by version. */
export function recordedChecksums(): Record<string, Checksums> {
  return existsSync(CHECKSUMS) ? (JSON.parse(readFileSync(CHECKSUMS, 'utf8')) as Record<string, Checksums>) : {};
}

/** The names of the migrations of all releases before this version. */
export function releasedBefore(): Set<string> {
  const before = Object.entries(recordedChecksums()).filter(([release]) => release !== version);
  return new Set(before.flatMap(([, added]) => Object.keys(added)));
}
