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

/** A result that is written again after its answer was lost violates the primary key of the log. */
class ResultsOnce extends DeliveriesInMemory {
  override finish(results: readonly RowResult[]): Promise<void> {
    const isKnown = results.some(({ attempts }) => attempts.some(({ id }) => this.tables.log.has(id)));
    return isKnown ? Promise.reject(new DatabaseError('duplicate key')) : super.finish(results);
  }
}

/** A lease is renewed whatever became of its endpoint. */
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

/** A lease of a disabled endpoint is renewed. */
class LeasesOfDisabled extends DeliveriesInMemory {
  protected override isRenewable({ leaseOwner }: EndpointRow, owner: string): boolean {
    return leaseOwner === owner;
  }
}

/** A disabled endpoint is taken. */
class DisabledTaken extends DeliveriesInMemory {
  protected override isFree(row: EndpointRow, now: number): boolean {
    return super.isFree({ ...row, status: 'Enabled' }, now);
  }
}

/** A lease is taken while another process has it. */
class LeasesShared extends DeliveriesInMemory {
  protected override isFree(row: EndpointRow, now: number): boolean {
    return super.isFree({ ...row, leaseUntil: -Infinity }, now);
  }
}

/** A process renews the lease that another one has taken. */
class LeasesOfOthersRenewed extends DeliveriesInMemory {
  protected override isRenewable({ status }: EndpointRow): boolean {
    return status === 'Enabled';
  }
}

/** What waits for a disabled endpoint is deleted after 3 s. */
class KeptForSeconds extends DeliveriesInMemory {
  protected override readonly keptWhileDisabledMs = 3000;
}

/** An event does not wait for those before it. */
class NoOrder extends DeliveriesInMemory {
  protected override heads(waiting: readonly WaitingRow[]): WaitingRow[] {
    return waiting.filter(({ orderKey }) => orderKey !== null);
  }
}

/** A replay forgets whose events it repeats. */
class ReplaysWithoutOrder extends DeliveriesInMemory {
  protected override repeat(row: LogRow): boolean {
    return super.repeat({ ...row, orderKey: null });
  }
}

/** What failed is done with. */
class FailuresForgotten extends DeliveriesInMemory {
  override finish(results: readonly RowResult[]): Promise<void> {
    return super.finish(results.map((result) => ({ ...result, again: null })));
  }
}

/** A row with one body that failed is tried again as a whole, but what it has left is what has arrived. */
class WrongRest extends DeliveriesInMemory {
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

/** Bugs of the deliveries to webhook endpoints. */
export const DELIVERY_BUGS: readonly PlantedBug[] = [
  {
    bug: 'results of deliveries cannot be written again after their answer was lost',
    sabotage: withDeliveries(ResultsOnce),
    breaks: ['every event is delivered'],
  },
  {
    bug: 'deliveries go on to a deleted endpoint',
    sabotage: withDeliveries(LeasesOfDeleted),
    breaks: ['nothing leaves for an endpoint that is disabled or deleted'],
  },
  {
    bug: 'deliveries go on to a disabled endpoint',
    sabotage: withDeliveries(LeasesOfDisabled),
    breaks: ['nothing leaves for an endpoint that is disabled or deleted'],
  },
  {
    bug: 'a disabled endpoint is taken',
    sabotage: withDeliveries(DisabledTaken),
    breaks: ['nothing leaves for an endpoint that is disabled or deleted'],
  },
  {
    bug: 'an endpoint is taken while another process has its lease',
    sabotage: withDeliveries(LeasesShared),
    breaks: ['events leave under the lease of their endpoint'],
  },
  {
    bug: 'the lease of an endpoint is renewed that another process has taken',
    sabotage: withDeliveries(LeasesOfOthersRenewed),
    breaks: ['events leave under the lease of their endpoint'],
  },
  {
    bug: 'events of a disabled endpoint are deleted after 3 s',
    sabotage: withDeliveries(KeptForSeconds),
    breaks: ['every event is delivered'],
  },
  {
    bug: 'an event of a job does not wait for those before it',
    sabotage: withDeliveries(NoOrder),
    breaks: ['events of a job leave one after the other', 'events of a job arrive in order'],
  },
  {
    bug: 'a replay ignores the order of a job',
    sabotage: withDeliveries(ReplaysWithoutOrder),
    breaks: ['events of a job leave one after the other'],
  },
  {
    bug: 'an event that an endpoint refused is not tried again',
    sabotage: withDeliveries(FailuresForgotten),
    breaks: ['every event is delivered'],
  },
  {
    bug: 'what is tried again is what has arrived',
    sabotage: withDeliveries(WrongRest),
    breaks: ['every event is delivered', 'the log says what the endpoint got'],
  },
].map((planted) => ({ ...planted, scale: { subscribed: 1 } }));
