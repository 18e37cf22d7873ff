import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const FIXTURES = join(__dirname, '../database/fixtures');

/**
 * Versions with stored databases, by their last migration: created by a service of that version, with rows added to
 * empty tables.
 */
export const EARLIER_VERSIONS = ['0042', '0070'] as const;
export type EarlierVersion = (typeof EARLIER_VERSIONS)[number];

/** When the databases were created: they have the partitions of this month and the next three. */
export const MADE_AT = new Date('2026-11-24T06:30:00Z');

/** The statements that turn an empty database into one of an earlier version. */
export function dumpOf(version: EarlierVersion): string {
  const dump = gunzipSync(readFileSync(join(FIXTURES, `${version}.sql.gz`))).toString();
  // Functions reference tables that follow later in the dump.
  return `BEGIN; SET LOCAL check_function_bodies = false; ${dump} COMMIT;`;
}
