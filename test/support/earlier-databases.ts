import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const FIXTURES = join(__dirname, '../database/fixtures');

/** Versions whose databases are kept, by the last migration that they ran: made by a service of that version, and rows for empty tables. */
export const EARLIER_VERSIONS = ['0042', '0070'] as const;
export type EarlierVersion = (typeof EARLIER_VERSIONS)[number];

/** When the databases were made: their partitions are those of this month and the next three. */
export const MADE_AT = new Date('2026-11-24T06:30:00Z');

/** The statements that make an empty database one of an earlier version. */
export function dumpOf(version: EarlierVersion): string {
  const dump = gunzipSync(readFileSync(join(FIXTURES, `${version}.sql.gz`))).toString();
  // Functions name tables that come later in the dump.
  return `BEGIN; SET LOCAL check_function_bodies = false; ${dump} COMMIT;`;
}
