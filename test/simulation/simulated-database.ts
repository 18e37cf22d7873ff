import { DeliveriesInMemory } from '../fakes/deliveries-in-memory';
import { DatabaseServer } from './database-server';
import type { LinkEnd, ProcessStores, StoreTerms } from './history-database';
import { ProcessDatabase } from './process-database';
import { SimulatedBulkJobStore } from './simulated-bulk-job-store';
import { claimsOn } from './simulated-claims';
import { SimulatedErasureStore, SimulatedJobErasureStore } from './simulated-erasures';
import { contactsOn, linksOn, SimulatedKnownNumbers, SimulatedOptOutStore } from './simulated-identities';
import { SimulatedJobIntakeStore } from './simulated-job-intake-store';
import { SimulatedJobScheduleStore } from './simulated-job-schedule-store';
import { SimulatedJobWindowStore } from './simulated-job-window-store';
import { SimulatedJobStatusStore } from './simulated-job-status-store';
import { SimulatedLaneJobStore } from './simulated-lane-job-store';
import { SimulatedLaneLeases } from './simulated-lane-leases';
import { SimulatedMessageStore, SimulatedStatusStore } from './simulated-message-store';
import { SimulatedRestoredDatabase } from './simulated-restored-database';
import { SimulatedSingleSendStore } from './simulated-single-send-store';
import { SimulatedTierStore } from './simulated-tier-store';
import { auditLogOn, SimulatedDeliveryStore } from './simulated-webhooks';

/** An in-memory database, with stores that act on it like the SQL of the real ones. */
export class SimulatedDatabase extends DatabaseServer {
  connect(end: LinkEnd, terms: StoreTerms): ProcessStores {
    const link = new ProcessDatabase(this, end);
    return {
      link,
      unitOfWork: link,
      laneLeases: new SimulatedLaneLeases(link, terms),
      laneJobStore: new SimulatedLaneJobStore(link, terms),
      tierStore: new SimulatedTierStore(link, terms.tierWindowMs),
      singleSendStore: new SimulatedSingleSendStore(link),
      messageStore: new SimulatedMessageStore(link),
      statusStore: new SimulatedStatusStore(link),
      jobStatusStore: new SimulatedJobStatusStore(link, terms.dayMs),
      jobScheduleStore: new SimulatedJobScheduleStore(link, terms),
      jobWindowStore: new SimulatedJobWindowStore(link, terms),
      optedOut: (accountId, phones) =>
        link.read('OPT_OUTS', () => new Set(phones.filter((phone) => this.optOuts.has(`${accountId} ${phone}`)))),
      events: {
        store: new SimulatedDeliveryStore(link, new DeliveriesInMemory(this.webhooks), end.life.name),
        audit: auditLogOn(link),
      },
      restoredDatabase: new SimulatedRestoredDatabase(link),
      people: {
        jobs: new SimulatedBulkJobStore(link),
        intakes: new SimulatedJobIntakeStore(link),
        jobErasure: new SimulatedJobErasureStore(link),
        erasures: new SimulatedErasureStore(link),
        audit: auditLogOn(link),
        claims: claimsOn(link),
        readTime: () => link.read('TIME', () => this.now().getTime()),
      },
      observation: null,
      identities: {
        numbers: new SimulatedKnownNumbers(link),
        optOuts: new SimulatedOptOutStore(link),
        conversations: linksOn(link),
        contact: contactsOn(link),
      },
    };
  }
}
