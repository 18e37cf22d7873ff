import type { Database } from '../../src/infra/database/database';
import { jobEventBody, type RecordedJobEvent } from '../../src/modules/events/adapters/recorded-job-event';

/** A body that waits for an endpoint. */
export interface WaitingBody {
  orderKey: string | null;
  body: string;
}

/** The bodies waiting for the endpoints of an account, in order of their rows. */
export async function waitingBodies(database: Database, accountId: string): Promise<WaitingBody[]> {
  const rows = await database.rows<{
    orderKey: string | null;
    payload: string | null;
    jobEvent: RecordedJobEvent;
    createdAt: Date;
  }>(
    `SELECT o.order_key AS "orderKey", o.payload, o.job_event AS "jobEvent", o.created_at AS "createdAt"
     FROM webhook_outbox o JOIN webhook_endpoints e ON e.id = o.endpoint_id WHERE e.account_id = $1 ORDER BY o.id`,
    [accountId],
  );
  return rows.flatMap(({ orderKey, payload, jobEvent, createdAt }) => {
    const bodies = payload?.split('\n') ?? [jobEventBody(jobEvent, createdAt)];
    return bodies.map((body) => ({ orderKey, body }));
  });
}

/** Records an event of a job with `n` recipients, as the triggers of `bulk_jobs` do. */
export async function recordJobEvent(database: Database, accountId: string, jobId: string, n: number): Promise<void> {
  const recorded = { type: 'job.completed', job: { id: jobId, total_recipients: n } };
  await database.execute(`SELECT webhook_outbox_add($1, 'job.completed', $2, $3::jsonb)`, [accountId, jobId, recorded]);
}

/** The number of an event: `n` of a test's own, the number of recipients of a recorded one. */
export function numberOf(body: string): number {
  const { data } = JSON.parse(body) as { data: { n?: number; totalRecipients?: number } };
  return (data.n ?? data.totalRecipients)!;
}
