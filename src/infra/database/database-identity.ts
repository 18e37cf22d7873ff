import { Injectable } from '@nestjs/common';
import { chainOf } from '../error-chain';
import { Database } from './database';

/**
 * What has become of the database since the row in `database_identity` was written: `restored` is a copy of the one that it was;
 * `went_back` is on another timeline, and may lack its last transactions.
 */
export type IdentityState = 'known' | 'restored' | 'went_back';

/** What the row says, and what the server says of itself. */
interface Look {
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

/** The timeline is the first part of the name of the present WAL file, in hexadecimal. */
const TIMELINE = `('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int`;
const NO_TIMELINE = 'NULL::int';
/** A commit waits for a standby: one that takes over has it. */
const SYNCHRONOUS = `(current_setting('synchronous_standby_names') <> '' AND current_setting('synchronous_commit') NOT IN ('off', 'local'))`;

const look = (timeline: string): string => `
SELECT ${CURRENT} AS identity, identity AS recorded, ${timeline} AS timeline, timeline AS "recordedTimeline",
  ${SYNCHRONOUS} AS synchronous, synchronous AS "recordedSynchronous"
FROM database_identity`;

const RECORD = `
UPDATE database_identity SET timeline = $1, synchronous = $2
WHERE timeline IS DISTINCT FROM $1 OR synchronous IS DISTINCT FROM $2`;

/** A database that went back is the same one: only a copy is said to be restored. */
const CONFIRM = `
UPDATE database_identity SET identity = ${CURRENT}, timeline = $1, synchronous = $2,
  restored_at = CASE WHEN $3 THEN clock_timestamp() ELSE restored_at END`;

/** A condition on the database, for statements that take events to deliver. */
export const MAY_DELIVER_EVENTS = `NOT EXISTS (
  SELECT 1 FROM database_identity WHERE id = 1 AND restored_at > COALESCE(events_confirmed_at, '-infinity'))`;

/** undefined_function, feature_not_supported, insufficient_privilege: this server tells nobody its timeline. */
const NO_TIMELINES = ['42883', '0A000', '42501'];

/**
 * Whether this database is the one that it was. A dump makes every table again, with another OID, and a copy inside the cluster has
 * another OID itself; a standby that takes over, or a recovery to a point in time, begins another timeline. A copy of the files (a
 * snapshot, a data directory) cannot be told from the original.
 */
@Injectable()
export class DatabaseIdentity {
  private hasTimelines = true;
  /** At the last look of this process. */
  private last: Look | null = null;

  constructor(private readonly database: Database) {}

  /**
   * Whether the database is as it was at the last look of this process, and as it is recorded. A timeline that a synchronous standby
   * began lacks nothing and is recorded. To be called outside a transaction.
   */
  async look(): Promise<{ same: boolean; timeline: { before: number; now: number } | null }> {
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

  /** Locks the row to the end of the surrounding transaction; null while another process holds it. A lost row means `restored`. */
  async lock(): Promise<IdentityState | null> {
    await this.database.execute(ADD_MISSING);
    const [row] = await this.database.rows<Look>(`${look(this.timeline)} FOR UPDATE SKIP LOCKED`);
    return row ? stateOf(row) : null;
  }

  /** From now on the database is known; `isCopy`: as one that was restored at this moment. */
  async confirm(isCopy: boolean): Promise<void> {
    const [now] = await this.database.rows<Look>(look(this.timeline));
    await this.database.execute(CONFIRM, [now!.timeline, now!.synchronous, isCopy]);
  }

  /** Whether events may leave: not of a restored database, until a person has confirmed it since. */
  async deliversEvents(): Promise<boolean> {
    return (await this.database.rows(`SELECT 1 WHERE ${MAY_DELIVER_EVENTS}`)).length > 0;
  }

  /** A person says that the events of this database may leave. */
  async confirmEvents(): Promise<void> {
    await this.database.execute('UPDATE database_identity SET events_confirmed_at = clock_timestamp()');
  }

  /** When the database was last found or said to be restored; null: never. */
  async restoredAt(): Promise<Date | null> {
    const [row] = await this.database.rows<{ restored_at: Date | null }>('SELECT restored_at FROM database_identity');
    return row?.restored_at ?? null;
  }

  private get timeline(): string {
    return this.hasTimelines ? TIMELINE : NO_TIMELINE;
  }

  private async read(): Promise<Look | undefined> {
    try {
      return (await this.database.rows<Look>(look(this.timeline)))[0];
    } catch (error) {
      if (!this.hasTimelines || ![...chainOf(error)].some(({ code }) => NO_TIMELINES.includes(String(code))))
        throw error;
      this.hasTimelines = false;
      return this.read();
    }
  }
}

function stateOf({ identity, recorded, timeline, recordedTimeline, recordedSynchronous }: Look): IdentityState {
  if (identity !== recorded) return 'restored';
  const isOther = recordedTimeline !== null && timeline !== recordedTimeline;
  return isOther && !recordedSynchronous ? 'went_back' : 'known';
}
