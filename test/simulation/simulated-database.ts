import { DatabaseServer } from './database-server';
import type { LinkEnd, ProcessStores, StoreTerms } from './history-database';
import { ProcessDatabase } from './process-database';
import { SimulatedJobStatusStore } from './simulated-job-status-store';
import { SimulatedLaneStore } from './simulated-lane-store';
import { SimulatedMessageStore, SimulatedStatusStore } from './simulated-message-store';
import { SimulatedSingleSendStore } from './simulated-single-send-store';

/** A database in memory, with the stores that do on it what the SQL of the real ones does. */
export class SimulatedDatabase extends DatabaseServer {
  connect(end: LinkEnd, terms: StoreTerms): ProcessStores {
    const link = new ProcessDatabase(this, end);
    return {
      link,
      unitOfWork: link,
      laneStore: new SimulatedLaneStore(link, terms),
      singleSendStore: new SimulatedSingleSendStore(link),
      messageStore: new SimulatedMessageStore(link),
      statusStore: new SimulatedStatusStore(link),
      jobStatusStore: new SimulatedJobStatusStore(link),
      optedOut: (accountId, phones) =>
        link.read('OPT_OUTS', () => new Set(phones.filter((phone) => this.optOuts.has(`${accountId} ${phone}`)))),
    };
  }
}
