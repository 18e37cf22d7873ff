import type { EventType } from '../../src/modules/events/domain/event';
import type { JobRow, MessageRow } from '../fakes/engine-rows';
import type { WebhooksInMemory } from '../fakes/webhooks-in-memory';
import type { Change, OutboxRow } from './history-database';

const FINAL: Readonly<Record<string, EventType>> = {
  Paused: 'job.paused',
  Failed: 'job.failed',
  Cancelled: 'job.cancelled',
  Completed: 'job.completed',
};

/** Writes the events of a commit for endpoints, like the statements of messages and the triggers of jobs. */
export function writeEvents(webhooks: WebhooksInMemory, changes: readonly Change[], at: Date): void {
  if (webhooks.endpoints.size === 0) return;
  const accounts = new Map<string, string>();
  for (const { row, after } of changes) {
    if (row.table === 'messages') accounts.set((after as MessageRow).id, (after as MessageRow).accountId);
  }
  for (const { row, before, after } of changes) {
    if (row.table === 'webhook_outbox') {
      const texts = (after as OutboxRow).payload
        .split('\n')
        .map((text) => ({ text, ...(JSON.parse(text) as WrittenEvent) }));
      for (const accountId of new Set(texts.map(({ data }) => accounts.get(data.messageId)!))) {
        void webhooks.add(
          accountId,
          texts.filter(({ data }) => accounts.get(data.messageId) === accountId),
        );
      }
    }
    if (row.table !== 'bulk_jobs' || before === null) continue;
    const { id: jobId, accountId, status } = after as JobRow;
    for (const type of jobEventsOf(before as JobRow, after as JobRow)) {
      const text = JSON.stringify({ type, timestamp: at.toISOString(), data: { jobId, status } });
      webhooks.addOrdered(accountId, { type, text }, jobId);
    }
  }
}

interface WrittenEvent {
  type: EventType;
  data: { messageId: string };
}

/** Applies the triggers of `bulk_jobs` to a change. */
function jobEventsOf(before: JobRow, after: JobRow): EventType[] {
  const events: EventType[] = [];
  if (before.startedAt === null && after.startedAt !== null && after.status === 'Processing')
    events.push('job.started');
  if (after.throttledReason !== null && after.throttledReason !== before.throttledReason) events.push('job.throttled');
  const { windowOpensAt } = after;
  if (windowOpensAt !== null && windowOpensAt.getTime() !== before.windowOpensAt?.getTime())
    events.push('job.throttled');
  const final = FINAL[after.status];
  if (final && after.status !== before.status) events.push(final);
  return events;
}
