import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../../package.json';
import { BASELINE, type Migration } from '../../../src/infra/database/migrations';
import { SCHEMA } from '../../../src/schema/schema';
import { statementsOf } from '../../architecture/schema-tables';

/** The folder with what is kept of each release. */
export const RELEASES = join(__dirname, '../../fixtures/releases');
export const RECORDED = join(RELEASES, 'schema.json');
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

/** What a version added to the schema. Nothing of it changes once the version is released. */
export interface RecordedVersion {
  released: boolean;
  checksums: Checksums;
}

export type RecordedVersions = Record<string, RecordedVersion>;

/** What each version added. */
export function recordedVersions(): RecordedVersions {
  return JSON.parse(readFileSync(RECORDED, 'utf8')) as RecordedVersions;
}

/** The names of the migrations of all versions before this one. */
export function releasedBefore(): Set<string> {
  const before = Object.entries(recordedVersions()).filter(([release]) => release !== version);
  return new Set(before.flatMap(([, { checksums }]) => Object.keys(checksums)));
}

/**
 * Records as part of this version what the tree adds to the versions before. Throws if the tree changes a migration of a released version, this
 * one included, or adds one to it.
 */
export function recordedWith(tree: Checksums, thisVersion: string, recorded: RecordedVersions): RecordedVersions {
  const isReleased = recorded[thisVersion]?.released === true;
  const checksums = { ...tree };
  for (const [release, { checksums: landed }] of Object.entries(recorded)) {
    if (release === thisVersion && !isReleased) continue;
    for (const [name, checksum] of Object.entries(landed)) {
      if (checksums[name] !== checksum)
        throw new Error(`${name} is part of release ${release}. Restore it and add a migration.`);
      delete checksums[name];
    }
  }
  if (!isReleased) return { ...recorded, [thisVersion]: { released: false, checksums } };
  const [added] = Object.keys(checksums);
  if (added !== undefined)
    throw new Error(`Version ${thisVersion} is released. Raise the version in package.json, then record ${added}.`);
  return recorded;
}
