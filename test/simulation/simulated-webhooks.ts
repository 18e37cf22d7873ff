import type { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import {
  DeliveryStore,
  type DueRows,
  type LeasedEndpoint,
  type Places,
  type RowResult,
} from '../../src/modules/events/domain/delivery-store.port';
import type { EventType } from '../../src/modules/events/domain/event';
import type { DeliveriesInMemory } from '../fakes/deliveries-in-memory';
import type { JobRow } from '../fakes/memory-database';
import type { WebhooksInMemory } from '../fakes/webhooks-in-memory';
import type { Change, OutboxRow } from './history-database';
import type { ProcessDatabase } from './process-database';
import type { MessageRow } from './simulated-message-store';

const FINAL: Readonly<Record<string, EventType>> = {
  Paused: 'job.paused',
  Failed: 'job.failed',
  Cancelled: 'job.cancelled',
  Completed: 'job.completed',
};

/** The statements of the deliveries of one process, each a transaction of its own but `disable`. */
export class SimulatedDeliveryStore extends DeliveryStore {
  constructor(
    private readonly database: ProcessDatabase,
    private readonly tables: DeliveriesInMemory,
    /** Names the process in the leases. */
    private readonly owner: string,
  ) {
    super();
  }

  lease(_owner: string, leaseMs: number, places: Places): Promise<LeasedEndpoint[]> {
    return this.database.statement('LEASE_ENDPOINTS', () => this.tables.lease(this.owner, leaseMs, places));
  }

  renew(_owner: string, endpointIds: readonly string[], leaseMs: number): Promise<LeasedEndpoint[]> {
    return this.database.statement('RENEW_ENDPOINTS', () => this.tables.renew(this.owner, endpointIds, leaseMs));
  }

  release(_owner: string, endpointId: string, restMs: number): Promise<void> {
    return this.database.statement('RELEASE_ENDPOINT', () => this.tables.release(this.owner, endpointId, restMs));
  }

  due(...of: Parameters<DeliveryStore['due']>): Promise<DueRows> {
    return this.database.statement('DUE_EVENTS', () => this.tables.due(...of));
  }

  stepReplay(endpointId: string): Promise<boolean> {
    return this.database.statement('STEP_REPLAY', () => this.tables.stepReplay(endpointId));
  }

  finish(results: readonly RowResult[]): Promise<void> {
    return this.database.statement('FINISH_EVENTS', () => this.tables.finish(results));
  }

  succeeded(endpointId: string): Promise<void> {
    return this.database.statement('ENDPOINT_SUCCEEDED', () => this.tables.succeeded(endpointId));
  }

  failed(...of: Parameters<DeliveryStore['failed']>): Promise<Date> {
    return this.database.statement('ENDPOINT_FAILED', () => this.tables.failed(...of));
  }

  disable(endpointId: string, reason: string): Promise<boolean> {
    return this.database.statement('DISABLE_ENDPOINT', (transaction) => {
      const { webhooks } = this.database.server;
      if (webhooks.endpoints.get(endpointId)?.status !== 'Enabled') return false;
      transaction.effects.push(() => {
        void this.tables.disable(endpointId, reason);
        webhooks.closed(endpointId);
      });
      return true;
    });
  }

  deleteLeftovers(limit: number): Promise<number> {
    return this.database.statement('DELETE_LEFTOVERS', () => this.tables.deleteLeftovers(limit));
  }
}

/** The audit log, of which histories look at nothing. */
export function auditLogOn(database: ProcessDatabase): AuditLogService {
  const record = (): Promise<void> => database.statement('RECORD_AUDIT', () => undefined);
  return { record } as Partial<AuditLogService> as AuditLogService;
}

/** Hands the events of a commit to endpoints, as the statements of messages and the triggers of jobs do. */
export function writeEvents(webhooks: WebhooksInMemory, changes: readonly Change[], at: Date): void {
  if (webhooks.endpoints.size === 0) return;
  const accounts = new Map<string, string>();
  for (const { row, after } of changes) {
    if (row.table === 'messages') accounts.set((after as MessageRow).id, (after as MessageRow).accountId);
  }
  for (const { row, before, after } of changes) {
    if (row.table === 'webhook_outbox') {
      const texts = (after as OutboxRow).payload.split('\n').map((text) => ({ text, ...(JSON.parse(text) as Told) }));
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

interface Told {
  type: EventType;
  data: { messageId: string };
}

/** What the triggers of `bulk_jobs` make of a change. */
function jobEventsOf(before: JobRow, after: JobRow): EventType[] {
  const events: EventType[] = [];
  if (before.startedAt === null && after.startedAt !== null && after.status === 'Processing')
    events.push('job.started');
  if (after.throttledReason !== null && after.throttledReason !== before.throttledReason) events.push('job.throttled');
  const final = FINAL[after.status];
  if (final && after.status !== before.status) events.push(final);
  return events;
}
