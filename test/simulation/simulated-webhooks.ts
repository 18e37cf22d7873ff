import type { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import {
  DeliveryStore,
  type DueRows,
  type EndpointWithBacklog,
  type LeasedEndpoint,
  type LeaseLimits,
  type RowResult,
} from '../../src/modules/events/domain/delivery-store.port';
import type { DeliveriesInMemory } from '../fakes/deliveries-in-memory';
import type { ProcessDatabase } from './process-database';

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

  lease(_owner: string, leaseMs: number, places: LeaseLimits): Promise<LeasedEndpoint[]> {
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

  takeUpkeep(forMs: number): Promise<boolean> {
    return this.database.statement('TAKE_UPKEEP', () => this.tables.takeUpkeep(forMs));
  }

  backlogs(least: number): Promise<EndpointWithBacklog[]> {
    return this.database.statement('BACKLOGS', () => this.tables.backlogs(least));
  }

  isBacklogFull(...of: Parameters<DeliveryStore['isBacklogFull']>): Promise<boolean> {
    return this.database.statement('FULL_BACKLOG', () => this.tables.isBacklogFull(...of));
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
