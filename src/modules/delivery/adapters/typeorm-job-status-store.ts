import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { JobStatusStore, type NamedRecipient, type StatusDelta } from '../domain/job-status-store.port';
import type { JobStop } from '../domain/job-stop';
import { stopped } from './stop-job.sql';

interface DeltaRow {
  job_id: string;
  delivered: number;
  read: number;
  undelivered: number;
}

const UNSETTLED = `
SELECT r.job_id, r.position, r.outcome IS NOT NULL AS was_unknown
FROM unnest($1::uuid[], $2::int[], $3::uuid[], $4::uuid[]) AS u (job_id, position, message_id, sender_id)
JOIN bulk_jobs j ON j.id = u.job_id AND j.sender_id = u.sender_id AND j.status NOT IN ('Importing', 'Abandoned')
JOIN job_recipients r ON r.job_id = u.job_id AND r.position = u.position AND r.message_id = u.message_id
WHERE r.outcome IS NULL OR r.outcome = 'Unknown'`;

/** Its lane sees it at the next claim, which is only of a job that runs. */
const STOP = `
UPDATE bulk_jobs SET ${stopped('$2', '$3', '$4')}
WHERE id = $1 AND status IN ('Queued', 'Processing')`;

const ADD_DELTAS = `
INSERT INTO job_status_deltas (job_id, delivered, read, undelivered)
SELECT * FROM unnest($1::uuid[], $2::int[], $3::int[], $4::int[])`;

const TAKE_DELTAS = `
DELETE FROM job_status_deltas
WHERE id IN (SELECT id FROM job_status_deltas ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING job_id, delivered, read, undelivered`;

const LOCK_JOBS = `SELECT 1 FROM bulk_jobs WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`;

const FOLD = `
UPDATE bulk_jobs j SET delivered = j.delivered + d.delivered, read = j.read + d.read,
  undelivered = j.undelivered + d.undelivered, updated_at = now()
FROM unnest($1::uuid[], $2::int[], $3::int[], $4::int[]) AS d (job_id, delivered, read, undelivered)
WHERE j.id = d.job_id`;

/** Jobs, recipients and the table `job_status_deltas`. */
@Injectable()
export class TypeOrmJobStatusStore extends JobStatusStore {
  constructor(private readonly database: Database) {
    super();
  }

  async unsettled(
    recipients: readonly NamedRecipient[],
  ): Promise<{ jobId: string; position: number; wasUnknown: boolean }[]> {
    const rows = await this.database.rows<{ job_id: string; position: number; was_unknown: boolean }>(UNSETTLED, [
      recipients.map(({ jobId }) => jobId),
      recipients.map(({ position }) => position),
      recipients.map(({ messageId }) => messageId),
      recipients.map(({ senderId }) => senderId),
    ]);
    return rows.map((row) => ({ jobId: row.job_id, position: row.position, wasUnknown: row.was_unknown }));
  }

  async stop(jobId: string, { final, problem, reason }: JobStop): Promise<boolean> {
    return (await this.database.execute(STOP, [jobId, final, problem, reason])).affected > 0;
  }

  async addDeltas(deltas: readonly StatusDelta[]): Promise<void> {
    await this.database.execute(ADD_DELTAS, columnsOf(deltas));
  }

  foldDeltas(limit: number): Promise<number> {
    return this.database.transaction(async () => {
      const taken = await this.database.rows<DeltaRow>(TAKE_DELTAS, [limit]);
      const sums = new Map<string, StatusDelta>();
      for (const { job_id: jobId, delivered, read, undelivered } of taken) {
        const sum = sums.get(jobId) ?? { jobId, delivered: 0, read: 0, undelivered: 0 };
        sum.delivered += delivered;
        sum.read += read;
        sum.undelivered += undelivered;
        sums.set(jobId, sum);
      }
      if (sums.size > 0) {
        await this.database.execute(LOCK_JOBS, [[...sums.keys()]]);
        await this.database.execute(FOLD, columnsOf([...sums.values()]));
      }
      return taken.length;
    });
  }
}

function columnsOf(deltas: readonly StatusDelta[]): unknown[] {
  return [
    deltas.map(({ jobId }) => jobId),
    deltas.map(({ delivered }) => delivered),
    deltas.map(({ read }) => read),
    deltas.map(({ undelivered }) => undelivered),
  ];
}
