import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../../src/infra/database/database';
import { PostgresJobErasureStore } from '../../src/modules/bulk-jobs/adapters/postgres-job-erasure-store';
import { RecipientKeyBackfill } from '../../src/modules/bulk-jobs/adapters/recipient-key-backfill';
import { type Identified, keysOf, personKey } from '../../src/modules/bulk-jobs/domain/person-keys';
import { JobErasure } from '../../src/modules/bulk-jobs/domain/job-erasure';
import { describeOnDatabase } from '../support/databases';
import { RetentionParts, StoppedClock } from '../support/retention-parts';
import { SqlSendingTables } from '../support/sending-tables';

const ANNA = '4915112345678';
const ANNA_ID = 'DE.13491208655302741918';
/** Recipients per step. */
const CHUNK = 10;
const [RECIPIENTS, CHUNKS] = [25, 3];
const DAY_MS = 86_400_000;
const ENDED = { status: 'Completed', completedAt: new Date() } as const;
/** Runs outside the caller's transaction. */
const outside = AsyncLocalStorage.snapshot();

class SettableClock extends StoppedClock {
  elapsed = 0;

  override monotonic(): number {
    return this.elapsed;
  }
}

describeOnDatabase('The keys of recipients of jobs of early versions', (open, isShared) => {
  let database: Database;
  let tables: SqlSendingTables;
  let parts: RetentionParts;

  beforeAll(async () => {
    database = await open();
    parts = new RetentionParts(database);
  });

  beforeEach(async () => {
    await database.execute('DELETE FROM job_recipient_keys');
    await database.execute('DELETE FROM bulk_jobs');
    tables = new SqlSendingTables(database);
    await tables.addSender();
  });

  const process = (clock = new SettableClock()) => new RecipientKeyBackfill(parts.retention, database, clock);

  /** Takes at most this many steps of one round; returns whether it is over. */
  async function round(backfill: RecipientKeyBackfill, steps = 100): Promise<boolean> {
    let cursor: string | null = null;
    for (let n = 0; n < steps; n++) {
      ({ next: cursor } = await backfill.step(cursor, CHUNK));
      if (cursor === null) return true;
    }
    return false;
  }

  const ranges = async (jobId: string) => {
    const rows = await database.rows<{ first: number; last: number }>(
      `SELECT first_position AS first, last_position AS last FROM job_recipient_keys WHERE job_id = $1 ORDER BY 1`,
      [jobId],
    );
    return rows.map(({ first, last }) => [first, last]);
  };
  const keys = async () => {
    const rows = await database.rows<{ keys: number[] }>('SELECT keys FROM job_recipient_keys');
    return rows.flatMap((row) => row.keys).sort();
  };
  const ALL = [
    [1, 5],
    [6, 15],
    [16, 25],
  ];

  async function eraseAnna(): Promise<void> {
    const erasure = new JobErasure(new PostgresJobErasureStore(database));
    const person = { phone: ANNA, userId: ANNA_ID, requestedAt: new Date(Date.now() + 60_000) };
    expect(await erasure.erase({ accountId: tables.accountId, ...person }, null)).toEqual({ done: true });
  }
  const erased = async (jobId: string) =>
    (await tables.recipients(jobId)).filter(({ phone }) => phone === '').map(({ position }) => position);
  const annaAt = (...positions: number[]): Record<number, { phone: string; userId: string; outcome: 'Sent' }> =>
    Object.fromEntries(positions.map((position) => [position, { phone: ANNA, userId: ANNA_ID, outcome: 'Sent' }]));

  it('are those of an import: of numbers, of user ids and of the digits of invalid numbers', async () => {
    const jobId = await tables.addJob(RECIPIENTS, ENDED, {
      2: { userId: ANNA_ID },
      24: { phone: '+49 (151) 1234', outcome: 'Failed', attempt: 0 },
    });
    expect(await parts.round()).toBe(true);
    const recipients = (await tables.recipients(jobId)).map(({ phone, userId, outcome, attempt }): Identified => ({
      ...{ phone, userId },
      isInvalid: outcome === 'Failed' && attempt === 0,
    }));
    expect(await ranges(jobId)).toEqual([[1, RECIPIENTS]]);
    expect(await keys()).toEqual(recipients.flatMap(keysOf).sort());
    expect(await keys()).toHaveLength(RECIPIENTS + 2);
  });

  it('are stored for the newest job first, and continued by another process where one has stopped', async () => {
    const older = await tables.addJob(RECIPIENTS, ENDED);
    const newer = await tables.addJob(RECIPIENTS, ENDED);
    expect(await round(process(), 2)).toBe(false);
    expect([await ranges(older), await ranges(newer)]).toEqual([[], ALL.slice(1)]);
    expect(await round(process(), 1 + 1)).toBe(false);
    expect([await ranges(older), await ranges(newer)]).toEqual([ALL.slice(2), ALL]);
    expect(await round(process())).toBe(true);
    expect([await ranges(older), await ranges(newer)]).toEqual([ALL, ALL]);
  });

  it('let an erasure read only ranges with the person once they are complete', async () => {
    const jobId = await tables.addJob(RECIPIENTS, ENDED, annaAt(7));
    await round(process());
    await tables.change('recipients', { jobId, position: 20 }, { phone: ANNA });
    await eraseAnna();
    expect(await erased(jobId)).toEqual([7]);
    expect(await keys()).not.toContain(personKey(ANNA));
  });

  it.each([
    [1, [3, 12, 25]],
    [2, [3, 12, 25]],
    [1, [3]],
  ])('let an erasure find everyone while %s of the chunks have them: at %s', async (stored, positions) => {
    const jobId = await tables.addJob(RECIPIENTS, ENDED, annaAt(...positions));
    await round(process(), stored);
    expect(await ranges(jobId)).toHaveLength(stored);
    await eraseAnna();
    expect(await erased(jobId)).toEqual(positions);
    await round(process());
    expect(await ranges(jobId)).toEqual(ALL);
    expect(await keys()).not.toContain(personKey(ANNA));
  });

  it('do not keep a person whose erasure began before they were stored', async () => {
    const jobId = await tables.addJob(RECIPIENTS, ENDED, annaAt(3, 12));
    // Between reading the ranges and the transaction that erases.
    const transaction = database.transaction.bind(database);
    jest.spyOn(database, 'transaction').mockImplementationOnce(async (work) => {
      await round(process());
      return transaction(work);
    });
    await eraseAnna();
    expect(await ranges(jobId)).toEqual(ALL);
    expect(await erased(jobId)).toEqual([3, 12]);
    expect(await keys()).toHaveLength(RECIPIENTS - 2);
    expect(await keys()).not.toContain(personKey(ANNA));
  });

  it('are not stored for jobs that are being imported, or whose recipients have expired', async () => {
    await tables.addJob(RECIPIENTS, { status: 'Importing' });
    await tables.addJob(RECIPIENTS, { status: 'Abandoned' });
    const expired = await tables.addJob(RECIPIENTS, ENDED);
    await database.execute('UPDATE bulk_jobs SET recipients_expired_at = now() WHERE id = $1', [expired]);
    await tables.addJob(0, ENDED);
    expect(await round(process())).toBe(true);
    expect(await keys()).toEqual([]);
  });

  it('are looked for once a day when every job has them, and a round takes ten minutes at most', async () => {
    const clock = new SettableClock();
    const backfill = process(clock);
    const first = await tables.addJob(RECIPIENTS, ENDED);
    const step = async (cursor: string | null) => (await backfill.step(cursor, CHUNK)).next;
    const cursor = await step(null);
    clock.elapsed = 600_000;
    expect(await step(cursor)).toBeNull();
    expect(await ranges(first)).toHaveLength(2);
    expect(await round(backfill)).toBe(true);
    expect(await ranges(first)).toHaveLength(CHUNKS);

    const second = await tables.addJob(RECIPIENTS, ENDED);
    clock.elapsed += DAY_MS - 1;
    expect(await step(null)).toBeNull();
    expect(await ranges(second)).toEqual([]);
    clock.elapsed++;
    await round(backfill);
    expect(await ranges(second)).toEqual(ALL);
  });

  // The embedded database has one connection.
  if (isShared) {
    it('are stored later for a job that is locked, without waiting', async () => {
      const [older, locked] = [await tables.addJob(RECIPIENTS, ENDED), await tables.addJob(RECIPIENTS, ENDED)];
      const backfill = process();
      await database.transaction(async () => {
        await database.execute('SELECT FROM bulk_jobs WHERE id = $1 FOR UPDATE', [locked]);
        expect(await outside(() => round(backfill))).toBe(true);
      });
      expect([await ranges(older), await ranges(locked)]).toEqual([ALL, []]);
      await round(backfill);
      expect(await ranges(locked)).toEqual(ALL);
    });
  }
});
