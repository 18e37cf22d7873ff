import { uuidV7 } from '../../../src/kernel/uuid';
import { JobStatusStore } from '../../../src/modules/delivery/domain/job-status-store.port';
import { TemplateStore } from '../../../src/modules/templates/domain/template-store.port';
import { windowColumns } from '../../fakes/lane-rows';
import { platformTemplate } from '../../fakes/templates-in-memory';
import { ago, type SqlSendingTables } from '../sending-tables';
import { eventsOf, newTables, type Scenario } from './scenario';
import type { SteppedService } from './stepped-service';

const DAY_SECONDS = 86_400;

/** A window of an hour that opens in two hours. */
function closedWindow(): ReturnType<typeof windowColumns> {
  const clock = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  return windowColumns({ from: clock(2), until: clock(3), timeZone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7] });
}

/** The outcomes of the account's jobs, in order of creation, and their events. */
async function jobsOf(service: SteppedService, tables: SqlSendingTables): Promise<object> {
  const jobs = await service.database.rows(
    `SELECT status, at_rest, error_code, pause_problem, paused_at IS NOT NULL AS paused, window_opens_at IS NOT NULL AS marked,
       delivered, read, undelivered, (SELECT count(*)::int FROM job_recipients WHERE job_id = id) AS recipients
     FROM bulk_jobs WHERE account_id = $1 ORDER BY id`,
    [tables.accountId],
  );
  return { jobs, events: await eventsOf(service, tables) };
}

async function hoursOf({ database }: SteppedService, { accountId }: SqlSendingTables): Promise<object[]> {
  return database.rows(
    `SELECT sum(sent)::int AS sent, sum(delivered)::int AS delivered, sum(read)::int AS read, sum(failed)::int AS failed,
       sum(received)::int AS received,
       (SELECT sum(count)::int FROM account_failures f WHERE f.account_id = $1) AS failures,
       (SELECT json_agg(json_build_object('sent', s.sent, 'failed', s.failed) ORDER BY s.at) FROM job_pace_samples s
         JOIN bulk_jobs j ON j.id = s.job_id WHERE j.account_id = $1) AS samples
     FROM account_activity WHERE account_id = $1`,
    [accountId],
  );
}

/** Job maintenance. */
export const JOB_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'the start of scheduled jobs': {
    loops: ['job_schedules'],
    async prepare(service) {
      const tables = await newTables(service);
      const scheduled = { status: 'Scheduled', atRest: true };
      await tables.addJob(2, { ...scheduled, scheduledAt: ago(1) });
      await tables.addJob(2, { ...scheduled, scheduledAt: ago(7 * 3600) });
      await tables.addJob(2, { ...scheduled, scheduledAt: ago(-3600) });
      return { outcome: () => jobsOf(service, tables) };
    },
  },
  'the marks of send windows': {
    loops: ['job_windows'],
    async prepare(service) {
      const tables = await newTables(service);
      const running = { status: 'Processing', cursor: 2, settledBelow: 2 };
      await tables.addJob(3, { ...running, ...closedWindow() });
      const opened = await tables.addJob(3, running);
      await service.database.execute(`UPDATE bulk_jobs SET at_rest = true, window_opens_at = now() WHERE id = $1`, [
        opened,
      ]);
      return { outcome: () => jobsOf(service, tables) };
    },
  },
  'the end of long pauses': {
    loops: ['pause_expiry'],
    async prepare(service) {
      const tables = await newTables(service);
      for (const days of [31, 29]) {
        const job = await tables.addJob(2, { status: 'Paused', pauseReason: 'Paused by a client' });
        await service.database.execute('UPDATE bulk_jobs SET paused_at = $2 WHERE id = $1', [
          ...[job, ago(days * DAY_SECONDS)],
        ]);
      }
      return { outcome: () => jobsOf(service, tables) };
    },
  },
  'the stops and resumes by templates': {
    loops: ['template_jobs'],
    async prepare(service) {
      const tables = await newTables(service);
      const { database } = service;
      const store = service.get(TemplateStore);
      const [promo] = await store.byName(tables.accountId, 'promo');
      const { components } = platformTemplate('promo');
      const revision = { ...promo!, components, statusAt: new Date(), lastSyncedAt: new Date() };
      await store.save({ ...revision, revisionId: uuidV7(), status: 'Paused' });
      const back = { ...revision, id: uuidV7(), name: 'back', revisionId: uuidV7() };
      await store.save(back);
      tables.revisionId = back.revisionId;
      await tables.addJob(2);
      const waiting = await tables.addJob(2, { templateName: 'back' });
      await database.execute(
        `UPDATE bulk_jobs SET status = 'Paused', pause_problem = 'template_not_approved', pause_reason = 'It waits.',
           paused_at = now() - interval '1 min' WHERE id = $1`,
        [waiting],
      );
      return { outcome: () => jobsOf(service, tables) };
    },
  },
  'the sum of delivery reports': {
    loops: ['job_statuses'],
    async prepare(service) {
      const tables = await newTables(service);
      for (const jobId of [await tables.addJob(3), await tables.addJob(3)]) {
        await service.get(JobStatusStore).addDeltas([{ jobId, delivered: 2, read: 1, undelivered: 1 }]);
        await service.get(JobStatusStore).addDeltas([{ jobId, delivered: 1, read: 0, undelivered: -1 }]);
      }
      return { outcome: async () => [await jobsOf(service, tables), await hoursOf(service, tables)] };
    },
  },
  'the counts of hours and samples': {
    loops: ['activity'],
    async prepare(service) {
      const tables = await newTables(service);
      const job = await tables.addJob(9);
      const change = (set: string) => service.database.execute(`UPDATE bulk_jobs SET ${set} WHERE id = $1`, [job]);
      await change(`status = 'Processing', started_at = now(), failed = 1`);
      await change(`successfully_sent = 4, failed = 3`);
      await service.database.execute(
        `INSERT INTO activity_deltas (account_id, code, sent, delivered, read, undelivered, failed, received)
         SELECT $1, code, 1, 1, 0, 0, 1, 2 FROM unnest('{recipient_unreachable,recipient_unreachable,null}'::text[]) AS code`,
        [tables.accountId],
      );
      return { outcome: () => hoursOf(service, tables) };
    },
  },
  'the removal of interrupted imports': {
    loops: ['interrupted_intakes'],
    async prepare(service) {
      const tables = await newTables(service);
      for (const leaseEndsIn of [-1, 3600]) {
        const job = await tables.addJob(3, { status: 'Importing' });
        await service.database.execute(
          `UPDATE bulk_jobs SET import_owner = gen_random_uuid(), import_lease_until = now() + make_interval(secs => $2) WHERE id = $1`,
          [job, leaseEndsIn],
        );
      }
      return {
        outcome: () => jobsOf(service, tables),
        async expire() {
          await service.database.execute(
            `UPDATE bulk_jobs SET import_lease_until = now() WHERE account_id = $1 AND status = 'Abandoned'`,
            [tables.accountId],
          );
        },
      };
    },
  },
};
