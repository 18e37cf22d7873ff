import type { LeasedEndpoint, RowResult } from '../../src/modules/events/domain/delivery-store.port';
import { DeliveriesInMemory } from '../fakes/deliveries-in-memory';
import type { EndpointRow, LogRow, WaitingRow } from '../fakes/webhooks-in-memory';
import { DatabaseError } from './history-database';
import type { ProcessDatabase } from './process-database';
import { SimulatedDeliveryStore } from './simulated-webhooks';
import type { PlantedBug, Sabotage } from './world';

const withDeliveries =
  (Deliveries: typeof DeliveriesInMemory): Sabotage =>
  ({ events, life }, { link }) => {
    const database = link as ProcessDatabase;
    const store = new SimulatedDeliveryStore(database, new Deliveries(database.server.webhooks), life.name);
    return { events: events && { ...events, store } };
  };

/** Violates the primary key of the log when a result is written again after its response was lost. */
class ResultsOnce extends DeliveriesInMemory {
  override finish(results: readonly RowResult[]): Promise<void> {
    const isKnown = results.some(({ attempts }) => attempts.some(({ id }) => this.tables.log.has(id)));
    return isKnown ? Promise.reject(new DatabaseError('duplicate key')) : super.finish(results);
  }
}

/** Renews leases of deleted endpoints. */
class LeasesOfDeleted extends DeliveriesInMemory {
  private readonly known = new Map<string, LeasedEndpoint>();

  override async lease(...of: Parameters<DeliveriesInMemory['lease']>): Promise<LeasedEndpoint[]> {
    return this.remember(await super.lease(...of));
  }

  override async renew(...of: Parameters<DeliveriesInMemory['renew']>): Promise<LeasedEndpoint[]> {
    const renewed = this.remember(await super.renew(...of));
    const deleted = of[1].filter((id) => !this.tables.endpoints.has(id));
    return [...renewed, ...deleted.flatMap((id) => this.known.get(id) ?? [])];
  }

  private remember(leased: LeasedEndpoint[]): LeasedEndpoint[] {
    for (const endpoint of leased) this.known.set(endpoint.id, endpoint);
    return leased;
  }
}

/** Renews leases of disabled endpoints. */
class LeasesOfDisabled extends DeliveriesInMemory {
  protected override isRenewable({ leaseOwner }: EndpointRow, owner: string): boolean {
    return leaseOwner === owner;
  }
}

/** Takes disabled endpoints. */
class DisabledTaken extends DeliveriesInMemory {
  protected override isFree(row: EndpointRow, now: number): boolean {
    return super.isFree({ ...row, status: 'Enabled' }, now);
  }
}

/** Takes a lease that another process holds. */
class LeasesShared extends DeliveriesInMemory {
  protected override isFree(row: EndpointRow, now: number): boolean {
    return super.isFree({ ...row, leaseUntil: -Infinity }, now);
  }
}

/** Renews a lease that another process has taken. */
class ForeignLeasesRenewed extends DeliveriesInMemory {
  protected override isRenewable({ status }: EndpointRow): boolean {
    return status === 'Enabled';
  }
}

/** Deletes the backlog of a disabled endpoint after 3 s. */
class BacklogKeptForSeconds extends DeliveriesInMemory {
  protected override readonly keptWhileDisabledMs = 3000;
}

/** Delivers an event without waiting for earlier ones. */
class NoOrder extends DeliveriesInMemory {
  protected override heads(waiting: readonly WaitingRow[]): WaitingRow[] {
    return waiting.filter(({ orderKey }) => orderKey !== null);
  }
}

/** Stores replays without the job whose order they follow. */
class ReplaysWithoutOrder extends DeliveriesInMemory {
  protected override repeat(row: LogRow): boolean {
    return super.repeat({ ...row, orderKey: null });
  }
}

/** Treats failed deliveries as done. */
class FailuresTreatedAsDone extends DeliveriesInMemory {
  override finish(results: readonly RowResult[]): Promise<void> {
    return super.finish(results.map((result) => ({ ...result, again: null })));
  }
}

/** Retries the delivered bodies of a row instead of the failed ones. */
class WrongRemainder extends DeliveriesInMemory {
  override finish(results: readonly RowResult[]): Promise<void> {
    return super.finish(
      results.map((result) => {
        const lines = result.attempts.length;
        const again = result.again && lines > 1 ? { ...result.again, remaining: [0] } : result.again;
        return { ...result, again };
      }),
    );
  }
}

/** Planted bugs of webhook deliveries. */
export const DELIVERY_BUGS: readonly PlantedBug[] = [
  {
    bug: 'delivery results cannot be written again after a lost response',
    sabotage: withDeliveries(ResultsOnce),
    breaks: ['every event is delivered'],
  },
  {
    bug: 'deliveries to a deleted endpoint continue',
    sabotage: withDeliveries(LeasesOfDeleted),
    breaks: ['nothing leaves for an endpoint that is disabled or deleted'],
  },
  {
    bug: 'deliveries to a disabled endpoint continue',
    sabotage: withDeliveries(LeasesOfDisabled),
    breaks: ['nothing leaves for an endpoint that is disabled or deleted'],
  },
  {
    bug: 'a disabled endpoint is taken',
    sabotage: withDeliveries(DisabledTaken),
    breaks: ['nothing leaves for an endpoint that is disabled or deleted'],
  },
  {
    bug: 'an endpoint is taken while another process holds its lease',
    sabotage: withDeliveries(LeasesShared),
    breaks: ['events leave under the lease of their endpoint'],
  },
  {
    bug: 'a process renews a lease that another process has taken',
    sabotage: withDeliveries(ForeignLeasesRenewed),
    breaks: ['events leave under the lease of their endpoint'],
  },
  {
    bug: 'events of a disabled endpoint are deleted after 3 s',
    sabotage: withDeliveries(BacklogKeptForSeconds),
    breaks: ['every event is delivered', 'the log says what the endpoint got'],
  },
  {
    bug: 'an event of a job does not wait for earlier ones',
    sabotage: withDeliveries(NoOrder),
    breaks: ['events of a job leave one after the other', 'events of a job arrive in order'],
  },
  {
    bug: 'a replay ignores the order of a job',
    sabotage: withDeliveries(ReplaysWithoutOrder),
    breaks: ['events of a job leave one after the other'],
  },
  {
    bug: 'a failed delivery is not retried',
    sabotage: withDeliveries(FailuresTreatedAsDone),
    breaks: ['every event is delivered'],
  },
  {
    bug: 'a retry repeats the delivered bodies instead of the failed ones',
    sabotage: withDeliveries(WrongRemainder),
    breaks: ['every event is delivered', 'the log says what the endpoint got'],
  },
].map((planted) => ({ ...planted, scale: { subscribed: 1 } }));
