import type { Database } from '../../../infra/database/database';
import type { BodyFacts, DueRow, EventTrace } from '../domain/delivery-store.port';
import { contentsOf, type EventSubject } from '../domain/event';
import { TRACES } from './webhooks.sql';

/**
 * The facts of each body of each row. Its trace is that of the row, otherwise that of the request which sent its first message or created
 * its job. Read on delivery: statements that record thousands of messages a second write the events.
 */
export async function bodyFactsOf(
  database: Database,
  rows: readonly (Pick<DueRow, 'payload'> & { traceparent: string | null })[],
): Promise<BodyFacts[][]> {
  const contents = rows.map(({ payload }) => payload.split('\n').map(contentsOf));
  const traced = contents.flatMap((ofRow, n) => (rows[n]!.traceparent === null ? ofRow : []));
  const traces = await tracesOf(
    database,
    traced.flatMap(({ subjects }) => subjects),
  );
  return rows.map(({ traceparent: own }, n) =>
    contents[n]!.map(({ types, subjects }): BodyFacts => {
      return { types, trace: own === null ? traceOf(subjects, traces) : { traceparent: own, isFrequent: false } };
    }),
  );
}

/** The traces of requests, by the message that they sent or the job that they created. */
async function tracesOf(database: Database, subjects: readonly EventSubject[]): Promise<Map<string, string>> {
  if (subjects.length === 0) return new Map();
  const messages = subjects.flatMap(({ messageId, jobId }) => (messageId && !jobId ? [messageId] : []));
  const jobs = subjects.flatMap(({ jobId }) => jobId ?? []);
  const ids = [[...new Set(messages)], [...new Set(jobs)]];
  const found = await database.rows<{ id: string; traceparent: string }>(TRACES, ids);
  return new Map(found.map(({ id, traceparent }) => [id, traceparent]));
}

function traceOf(subjects: readonly EventSubject[], traces: ReadonlyMap<string, string>): EventTrace | null {
  for (const { messageId, jobId } of subjects) {
    const traceparent = traces.get(jobId ?? messageId ?? '');
    if (traceparent !== undefined) return { traceparent, isFrequent: messageId !== null && jobId !== null };
  }
  return null;
}
