import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../../src/infra/database/database';
import type { LaneJob } from '../../src/modules/delivery/domain/lane-job-store.port';
import { describeOnDatabase } from '../support/databases';
import { type LaneProcess, laneProcessOn, UNLIMITED } from '../support/lane-stores';
import { ago, SqlSendingTables } from '../support/sending-tables';

/** When the validity or window of a job ends for which a claim waits, and the longer duration of the wait. */
const ENDS_AFTER_SECONDS = 0.5;
const LOCKED_MS = 1000;
/** Runs outside the caller's transaction. */
const outside = AsyncLocalStorage.snapshot();

describeOnDatabase('Claims that wait for the lock of their job', (open, isShared) => {
  let database: Database;
  let tables: SqlSendingTables;
  let lane: LaneProcess;
  let epoch: string;

  beforeAll(async () => {
    database = await open();
  });
  beforeEach(async () => {
    tables = new SqlSendingTables(database);
    await tables.addSender();
    lane = laneProcessOn(database, 'a process', false);
    epoch = (await lane.take(tables.senderId))!;
  });

  const seen = async () => (await lane.unfinishedJobs(tables.senderId, epoch))[0]!;
  const claims = {
    first: (job: LaneJob) =>
      lane.claims.first(job, epoch, 10, 1, { ...UNLIMITED, id: tables.senderId }).then((claim) => claim?.cursor),
    later: async (job: LaneJob) => (await lane.claims.retries(job, epoch, 10)).recipients.length || undefined,
  };
  const newJob = () => tables.addJob(3, { status: 'Processing', cursor: 2 }, { 1: { attempt: 1, retryAt: ago(1) } });

  it('are executed immediately if the lock is free', async () => {
    await newJob();
    expect(await claims.later(await seen())).toBe(1);
    expect(await claims.first(await seen())).toBe(4);
  });

  // On the only connection of the embedded database nothing waits.
  if (isShared) {
    const end = `(statement_timestamp() + interval '${ENDS_AFTER_SECONDS} s')`;
    const ENDS = {
      validity: `valid_until = ${end}`,
      'send window': `send_zone = 'UTC', send_days = '{1,2,3,4,5,6,7}',
        send_until = (${end} AT TIME ZONE 'UTC')::time, send_from = (${end} AT TIME ZONE 'UTC')::time - interval '1 h'`,
    };
    /** Holds the lock of the job until its time is over, changing the row or not; the claim starts meanwhile. */
    const claimMeanwhile = async (jobId: string, claim: () => Promise<unknown>, changes: boolean) => {
      let claimed: Promise<unknown> = Promise.resolve();
      await database.transaction(async () => {
        await database.rows('SELECT 1 FROM bulk_jobs WHERE id = $1 FOR UPDATE', [jobId]);
        if (changes) await database.execute('UPDATE bulk_jobs SET delivered = delivered + 1 WHERE id = $1', [jobId]);
        claimed = outside(claim);
        await new Promise((done) => setTimeout(done, LOCKED_MS));
      });
      return claimed;
    };
    it.each(
      Object.entries(ENDS).flatMap(([what, set]) =>
        (['first', 'later'] as const).flatMap((which) => [
          { what, set, which, changes: true },
          { what, set, which, changes: false },
        ]),
      ),
    )('claim no $which attempt after the end of the $what ($changes)', async ({ set, which, changes }) => {
      const jobId = await newJob();
      const job = await seen();
      await database.execute(`UPDATE bulk_jobs SET ${set} WHERE id = $1`, [jobId]);
      expect(await seen()).toMatchObject({ closed: false, expired: false });
      expect(await claimMeanwhile(jobId, () => claims[which](job), changes)).toBeUndefined();
    });

    it('are lost to a concurrent hold, and do not end it', async () => {
      const jobId = await newJob();
      const job = await seen();
      let claimed: Promise<unknown> = Promise.resolve();
      await database.transaction(async () => {
        await lane.jobs.hold(jobId, epoch, 60_000);
        claimed = outside(() => claims.first(job));
        await new Promise((done) => setTimeout(done, 200));
      });
      expect(await claimed).toBeUndefined();
      expect(await seen()).toMatchObject({ held: true, cursor: 2 });
    });
  }
});
