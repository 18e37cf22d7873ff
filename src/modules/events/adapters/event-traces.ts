import type { Database } from '../../../infra/database/database';
import type { DueRow, EventTrace } from '../domain/delivery-store.port';
import { subjectsIn } from '../domain/event';
import { TRACES } from './webhooks.sql';

/**
 * The trace of each body of each row: that of the row, otherwise that of the request which sent its first message or created its job.
 * Read on delivery: statements that record thousands of messages a second write the events.
 */
export async function tracesOf(
  database: Database,
  rows: readonly (Pick<DueRow, 'payload'> & { traceparent: string | null })[],
): Promise<(EventTrace | null)[][]> {
  const subjects = rows.map(({ payload, traceparent }) =>
    payload.split('\n').map((body) => (traceparent === null ? subjectsIn(body) : [])),
  );
  const all = subjects.flat(2);
  const messages = all.flatMap(({ messageId, jobId }) => (messageId && !jobId ? [messageId] : []));
  const jobs = new Set(all.flatMap(({ jobId }) => jobId ?? []));
  const found =
    all.length === 0
      ? []
      : await database.rows<{ id: string; traceparent: string }>(TRACES, [[...new Set(messages)], [...jobs]]);
  const traces = new Map(found.map(({ id, traceparent }) => [id, traceparent]));
  return rows.map(({ traceparent: own }, n) =>
    subjects[n]!.map((ofBody): EventTrace | null => {
      if (own !== null) return { traceparent: own, isFrequent: false };
      for (const { messageId, jobId } of ofBody) {
        const traceparent = traces.get(jobId ?? messageId ?? '');
        if (traceparent !== undefined) return { traceparent, isFrequent: messageId !== null && jobId !== null };
      }
      return null;
    }),
  );
}
