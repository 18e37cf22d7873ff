import { Injectable } from '@nestjs/common';
import { Database } from './database';

/** What the row in `database_identity` says of the database that it lies in. */
export type IdentityState = 'known' | 'restored';

const CURRENT = `(
  SELECT concat_ws('/', c.system_identifier, d.oid, 'database_identity'::regclass::oid)
  FROM pg_control_system() c, pg_database d WHERE d.datname = current_database())`;

const ADD_MISSING = `INSERT INTO database_identity (identity) VALUES ('lost') ON CONFLICT (id) DO NOTHING`;

const LOCK = `SELECT identity = ${CURRENT} AS known FROM database_identity FOR UPDATE SKIP LOCKED`;

const CONFIRM = `UPDATE database_identity SET identity = ${CURRENT}, timeline = NULL, restored_at = clock_timestamp()`;

/** The timeline is the first part of the name of the present WAL file, in hexadecimal. */
const TIMELINE = `SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int AS timeline`;

const NOTE_TIMELINE = `
UPDATE database_identity i SET timeline = $1 FROM (SELECT timeline FROM database_identity) AS before
WHERE i.timeline IS DISTINCT FROM $1 RETURNING before.timeline AS before`;

/**
 * Knows whether this database is the one that it was: a dump makes every table anew, with another OID, and a copy inside the
 * cluster has another OID itself. A copy of the files (a snapshot, a data directory) cannot be told from the original.
 */
@Injectable()
export class DatabaseIdentity {
  constructor(private readonly database: Database) {}

  /** Locks the row to the end of the surrounding transaction; null while another process holds it. A lost row means `restored`. */
  async lock(): Promise<IdentityState | null> {
    await this.database.execute(ADD_MISSING);
    const [row] = await this.database.rows<{ known: boolean }>(LOCK);
    if (!row) return null;
    return row.known ? 'known' : 'restored';
  }

  /** From now on the database is known, as one that was restored at this moment. */
  async confirmRestored(): Promise<void> {
    await this.database.execute(CONFIRM);
  }

  /** When the database was last found or said to be restored; null: never. */
  async restoredAt(): Promise<Date | null> {
    const [row] = await this.database.rows<{ restored_at: Date | null }>('SELECT restored_at FROM database_identity');
    return row?.restored_at ?? null;
  }

  /**
   * Keeps the present timeline; the one before where it is another one, which is told once: a standby took over, or the server was
   * restored to a point in time. Null where nothing changed or the server has no timelines.
   */
  async changedTimeline(): Promise<{ before: number; now: number } | null> {
    const [current] = await this.database.rows<{ timeline: number }>(TIMELINE).catch(() => []);
    if (!current) return null;
    const { timeline: now } = current;
    const [changed] = (await this.database.execute<{ before: number | null }>(NOTE_TIMELINE, [now])).rows;
    const before = changed?.before ?? null;
    return before === null ? null : { before, now };
  }
}
