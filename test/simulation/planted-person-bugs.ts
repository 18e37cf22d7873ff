import type { ClaimedRecipient, NextRecipient } from '../../src/modules/delivery/domain/lane-job-store.port';
import type { Epoch } from '../../src/modules/delivery/domain/lane-leases.port';
import type { OptOutRecord } from '../../src/modules/groups/domain/opt-out';
import type { OutboundMessage } from '../../src/modules/messages/domain/message';
import { MessageHistory } from '../../src/modules/messages/domain/message-history';
import type { RecipientRow } from '../fakes/engine-rows';
import type { IdentityStores } from './identity-stores';
import type { ProcessDatabase } from './process-database';
import { SimulatedJobErasureStore } from './simulated-erasures';
import { SimulatedKnownNumbers, SimulatedOptOutStore } from './simulated-identities';
import { SimulatedJobIntakeStore } from './simulated-job-intake-store';
import { SimulatedLaneJobStore } from './simulated-lane-job-store';
import { SimulatedMessageStore } from './simulated-message-store';
import { SimulatedTierStore } from './simulated-tier-store';
import type { PlantedBug, Sabotage } from './world';

const withIdentities =
  (stores: (database: ProcessDatabase) => Partial<IdentityStores>): Sabotage =>
  ({ identities }, { link }) => ({
    identities: identities && { ...identities, ...stores(link as ProcessDatabase) },
  });

/** Sends first attempts with the data that all recipients share. */
class FirstAttemptWithoutExtras extends SimulatedLaneJobStore {
  override async open(...of: Parameters<SimulatedLaneJobStore['open']>): Promise<NextRecipient[]> {
    return (await super.open(...of)).map((recipient) => ({ ...recipient, own: null }));
  }
}

/** Sends later attempts with the data that all recipients share. */
class LaterAttemptWithoutExtras extends SimulatedLaneJobStore {
  protected override async beginDue(jobId: string, epoch: Epoch, limit: number): Promise<ClaimedRecipient[]> {
    return (await super.beginDue(jobId, epoch, limit)).map((recipient) => ({ ...recipient, own: null }));
  }
}

/** Stores a retry job without the individual data of its recipients. */
class RetryWithoutExtras extends SimulatedJobIntakeStore {
  protected override ownOf(...of: Parameters<SimulatedJobIntakeStore['ownOf']>): Partial<RecipientRow> {
    return { ...super.ownOf(...of), extras: null };
  }
}

/** Records the reference of the job instead of the recipient's. */
class JobReference extends SimulatedMessageStore {
  override save(messages: readonly OutboundMessage[], at: Date): Promise<void> {
    const referenceOf = ({ jobId }: OutboundMessage): string | null =>
      this.database.server.jobs.row(jobId ?? '').committed?.reference ?? null;
    return super.save(
      messages.map((message) => ({ ...message, reference: referenceOf(message) })),
      at,
    );
  }
}

/** Finds no number by user id. */
class NumbersUnknown extends SimulatedKnownNumbers {
  override find(): Promise<never[]> {
    return Promise.resolve([]);
  }
}

/** Leaves an opt-out at the user id when the number becomes known. */
class OptOutsNotMoved extends SimulatedOptOutStore {
  override deleteRecords(): Promise<OptOutRecord[]> {
    return Promise.resolve([]);
  }
}

/** Erases a person by number only. */
class ErasesByNumberOnly extends SimulatedJobErasureStore {
  protected override isOf({ phone }: RecipientRow, people: readonly string[]): boolean {
    return people.includes(phone) && /^\d/.test(phone);
  }
}

/** Counts a person again by number who was counted by user id. */
class CountsBothIdentities extends SimulatedTierStore {
  override rename(): Promise<void> {
    return Promise.resolve();
  }
}

const withJobs =
  (Jobs: typeof SimulatedLaneJobStore): Sabotage =>
  (_parts, { link, terms }) => ({ laneJobStore: new Jobs(link as ProcessDatabase, terms) });

const BUGS: readonly PlantedBug[] = [
  {
    bug: 'a request has the extras of the job instead of its recipient',
    sabotage: withJobs(FirstAttemptWithoutExtras),
    breaks: ['requests match their recipients'],
  },
  {
    bug: 'a later attempt is sent without the extras of its recipient',
    sabotage: withJobs(LaterAttemptWithoutExtras),
    breaks: ['requests match their recipients'],
  },
  {
    bug: 'a retry job has no extras of its recipients',
    sabotage: ({ people }, { link }) => ({
      people: people && { ...people, intakes: new RetryWithoutExtras(link as ProcessDatabase) },
    }),
    breaks: ['a retry keeps the content of each recipient'],
    scale: { managed: 1 },
  },
  {
    bug: 'recorded messages have the reference of the job',
    sabotage: (_parts, { link }) => ({
      messageHistory: new MessageHistory(new JobReference(link as ProcessDatabase)),
    }),
    breaks: ['recorded messages match their recipients'],
  },
  {
    bug: 'opt-outs are looked up by one identity only',
    sabotage: withIdentities((database) => ({ numbers: new NumbersUnknown(database) })),
    breaks: ['nothing is sent to opted-out people'],
    // The tier would count both.
    scale: { limited: 0 },
  },
  {
    bug: 'an opt-out by user id is not applied to the number',
    sabotage: withIdentities((database) => ({ optOuts: new OptOutsNotMoved(database) })),
    breaks: ['nothing is sent to opted-out people'],
  },
  {
    bug: 'a person is erased by number only',
    sabotage: ({ people }, { link }) => ({
      people: people && { ...people, jobErasure: new ErasesByNumberOnly(link as ProcessDatabase) },
    }),
    breaks: ['nothing is sent to erased people', 'no data of erased people is left'],
    scale: { managed: 1 },
  },
  {
    bug: 'the messaging tier counts two identities of a person',
    sabotage: (_parts, { link, terms }) => ({
      tierStore: new CountsBothIdentities(link as ProcessDatabase, terms.tierWindowMs),
    }),
    breaks: ['the messaging tier counts a person once'],
    scale: { limited: 1 },
  },
];

/** Planted bugs of individual data and of people with two identities. */
export const PERSON_BUGS: readonly PlantedBug[] = BUGS.map((planted) => ({
  ...planted,
  scale: { ...planted.scale, identified: 1 },
}));
