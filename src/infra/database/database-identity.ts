import { Injectable } from '@nestjs/common';
import { chainOf } from '../error-chain';
import { Database } from './database';

/**
 * The database compared with the row in `database_identity`: `restored` is a copy of the recorded database; `lost_transactions` is on
 * another timeline and may lack its last transactions.
 */
export type IdentityState = 'known' | 'restored' | 'lost_transactions';

/** The recorded and the current identity. */
interface Reading {
  identity: string;
  recorded: string;
  timeline: number | null;
  recordedTimeline: number | null;
  synchronous: boolean;
  recordedSynchronous: boolean;
}

const CURRENT = `(
  SELECT concat_ws('/', c.system_identifier, d.oid, 'database_identity'::regclass::oid)
  FROM pg_control_system() c, pg_database d WHERE d.datname = current_database())`;

const ADD_MISSING = `INSERT INTO database_identity (identity) VALUES ('lost') ON CONFLICT (id) DO NOTHING`;

/** The timeline is the first part of the current WAL file's name, in hexadecimal. */
const TIMELINE = `('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int`;
const NO_TIMELINE = 'NULL::int';
/** Whether commits wait for a standby, so that a standby that takes over has all of them. */
const SYNCHRONOUS = `(current_setting('synchronous_standby_names') <> '' AND current_setting('synchronous_commit') NOT IN ('off', 'local'))`;

const selectIdentity = (timeline: string): string => `
SELECT ${CURRENT} AS identity, identity AS recorded, ${timeline} AS timeline, timeline AS "recordedTimeline",
  ${SYNCHRONOUS} AS synchronous, synchronous AS "recordedSynchronous"
FROM database_identity`;

const RECORD = `
UPDATE database_identity SET timeline = $1, synchronous = $2
WHERE timeline IS DISTINCT FROM $1 OR synchronous IS DISTINCT FROM $2`;

/** Only a copy counts as restored: a database that went back is still the same one. */
const CONFIRM = `
UPDATE database_identity SET identity = ${CURRENT}, timeline = $1, synchronous = $2,
  restored_at = CASE WHEN $3 THEN clock_timestamp() ELSE restored_at END`;

/**
 * A condition on the database, for statements that take events to deliver or files to delete: it is no copy, or a person has confirmed that
 * it replaces the original.
 */
export const IS_ORIGINAL = `NOT EXISTS (
  SELECT 1 FROM database_identity WHERE id = 1 AND restored_at > COALESCE(events_confirmed_at, '-infinity'))`;

/** undefined_function, feature_not_supported, insufficient_privilege: the server does not report its timeline. */
const NO_TIMELINES = ['42883', '0A000', '42501'];

/**
 * Detects that the database was restored or moved to another timeline. Restoring a dump gives every table a new OID, and a copy inside
 * the cluster has a new OID itself; a standby that takes over, or a point-in-time recovery, starts a new timeline. A copy of the files
 * (a snapshot, a data directory) is indistinguishable from the original.
 */
@Injectable()
export class DatabaseIdentity {
  private hasTimelines = true;
  /** The last reading of this process. */
  private last: Reading | null = null;

  constructor(private readonly database: Database) {}

  /**
   * Compares the database with the last reading of this process and with the record. A timeline started by a synchronous standby
   * lacks nothing and is recorded. Call it outside a transaction.
   */
  async compare(): Promise<{ same: boolean; timeline: { before: number; now: number } | null }> {
    const { last } = this;
    const now = await this.read();
    if (!now) return { same: false, timeline: null };
    this.last = now;
    const before = last?.timeline ?? now.recordedTimeline;
    const moved = before !== null && before !== now.timeline;
    const lost = moved && !(last ?? { synchronous: now.recordedSynchronous }).synchronous;
    const same = stateOf(now) === 'known' && !lost;
    if (same && (now.timeline !== now.recordedTimeline || now.synchronous !== now.recordedSynchronous)) {
      await this.database.execute(RECORD, [now.timeline, now.synchronous]);
    }
    return { same, timeline: moved && now.timeline !== null ? { before, now: now.timeline } : null };
  }

  /** Locks the row until the surrounding transaction ends; null while another process holds it. A missing row means `restored`. */
  async lock(): Promise<IdentityState | null> {
    await this.database.execute(ADD_MISSING);
    const [row] = await this.database.rows<Reading>(`${selectIdentity(this.timeline)} FOR UPDATE SKIP LOCKED`);
    return row ? stateOf(row) : null;
  }

  /** Records the current identity; `isCopy`: as restored now. */
  async confirm(isCopy: boolean): Promise<void> {
    const [now] = await this.database.rows<Reading>(selectIdentity(this.timeline));
    await this.database.execute(CONFIRM, [now!.timeline, now!.synchronous, isCopy]);
  }

  /** Whether events may be delivered and files deleted: a restored database needs confirmation first. */
  async isOriginal(): Promise<boolean> {
    return (await this.database.rows(`SELECT 1 WHERE ${IS_ORIGINAL}`)).length > 0;
  }

  /** Records that a person has confirmed that this database replaces the original. */
  async confirmOriginal(): Promise<void> {
    await this.database.execute('UPDATE database_identity SET events_confirmed_at = clock_timestamp()');
  }

  /** When the database was last detected or declared as restored; null: never. */
  async restoredAt(): Promise<Date | null> {
    const [row] = await this.database.rows<{ restored_at: Date | null }>('SELECT restored_at FROM database_identity');
    return row?.restored_at ?? null;
  }

  private get timeline(): string {
    return this.hasTimelines ? TIMELINE : NO_TIMELINE;
  }

  private async read(): Promise<Reading | undefined> {
    try {
      return (await this.database.rows<Reading>(selectIdentity(this.timeline)))[0];
    } catch (error) {
      if (!this.hasTimelines || ![...chainOf(error)].some(({ code }) => NO_TIMELINES.includes(String(code))))
        throw error;
      this.hasTimelines = false;
      return this.read();
    }
  }
}

function stateOf({ identity, recorded, timeline, recordedTimeline, recordedSynchronous }: Reading): IdentityState {
  if (identity !== recorded) return 'restored';
  const isOther = recordedTimeline !== null && timeline !== recordedTimeline;
  return isOther && !recordedSynchronous ? 'lost_transactions' : 'known';
}
