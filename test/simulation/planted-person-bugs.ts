import type { ClaimedRecipient, OpenRecipient } from '../../src/modules/delivery/domain/lane-job-store.port';
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

/** A first attempt is sent with what the job has for everybody. */
class FirstWithoutOwn extends SimulatedLaneJobStore {
  override async open(...of: Parameters<SimulatedLaneJobStore['open']>): Promise<OpenRecipient[]> {
    return (await super.open(...of)).map((recipient) => ({ ...recipient, own: null }));
  }
}

/** A later attempt is sent with what the job has for everybody. */
class LaterWithoutOwn extends SimulatedLaneJobStore {
  protected override async beginDue(jobId: string, epoch: Epoch, limit: number): Promise<ClaimedRecipient[]> {
    return (await super.beginDue(jobId, epoch, limit)).map((recipient) => ({ ...recipient, own: null }));
  }
}

/** A retry job is stored without what its recipients have of their own. */
class RetriesWithoutOwn extends SimulatedJobIntakeStore {
  protected override ownOf(...of: Parameters<SimulatedJobIntakeStore['ownOf']>): Partial<RecipientRow> {
    return { ...super.ownOf(...of), extras: null };
  }
}

/** The history takes the reference of the job, whatever the recipient has. */
class ReferenceOfTheJob extends SimulatedMessageStore {
  override save(messages: readonly OutboundMessage[], at: Date): Promise<void> {
    const referenceOf = ({ jobId }: OutboundMessage): string | null =>
      this.database.server.jobs.row(jobId ?? '').committed?.reference ?? null;
    return super.save(
      messages.map((message) => ({ ...message, reference: referenceOf(message) })),
      at,
    );
  }
}

/** Nobody's number is known by the user id. */
class NumbersUnknown extends SimulatedKnownNumbers {
  override find(): Promise<never[]> {
    return Promise.resolve([]);
  }
}

/** An opt-out by user id stays where it is when the number becomes known. */
class OptOutsOfUserIdsStay extends SimulatedOptOutStore {
  override deleteRecords(): Promise<OptOutRecord[]> {
    return Promise.resolve([]);
  }
}

/** A person is erased under the number only. */
class ErasesNumbers extends SimulatedJobErasureStore {
  protected override isOf({ phone }: RecipientRow, people: readonly string[]): boolean {
    return people.includes(phone) && /^\d/.test(phone);
  }
}

/** Who was counted by user id is counted again by the number. */
class CountsIdentities extends SimulatedTierStore {
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
    sabotage: withJobs(FirstWithoutOwn),
    breaks: ['a request has what its recipient has'],
  },
  {
    bug: 'a later attempt leaves without the extras of its recipient',
    sabotage: withJobs(LaterWithoutOwn),
    breaks: ['a request has what its recipient has'],
  },
  {
    bug: 'a retry job has no extras of its recipients',
    sabotage: ({ people }, { link }) => ({
      people: people && { ...people, intakes: new RetriesWithoutOwn(link as ProcessDatabase) },
    }),
    breaks: ['a retry sends what was to be sent'],
    scale: { peopled: 1 },
  },
  {
    bug: 'the history takes the reference of the job',
    sabotage: (_parts, { link }) => ({
      messageHistory: new MessageHistory(new ReferenceOfTheJob(link as ProcessDatabase)),
    }),
    breaks: ['the history holds what was sent'],
  },
  {
    bug: 'opt-outs are looked for by one identity only',
    sabotage: withIdentities((database) => ({ numbers: new NumbersUnknown(database) })),
    breaks: ['nobody is written to who has opted out'],
    // The tier would count both.
    scale: { limited: 0 },
  },
  {
    bug: 'an opt-out by user id does not follow to the number',
    sabotage: withIdentities((database) => ({ optOuts: new OptOutsOfUserIdsStay(database) })),
    breaks: ['nobody is written to who has opted out'],
  },
  {
    bug: 'a person is erased by number only',
    sabotage: ({ people }, { link }) => ({
      people: people && { ...people, jobErasure: new ErasesNumbers(link as ProcessDatabase) },
    }),
    breaks: ['an erased person is not sent to', 'nothing is left of an erased person'],
    scale: { peopled: 1 },
  },
  {
    bug: 'the messaging tier counts two identities of a person',
    sabotage: (_parts, { link, terms }) => ({
      tierStore: new CountsIdentities(link as ProcessDatabase, terms.tierWindowMs),
    }),
    breaks: ['the messaging tier counts a person once'],
    scale: { limited: 1 },
  },
];

/** Bugs of recipients with extras, and of people with two identities. */
export const PERSON_BUGS: readonly PlantedBug[] = BUGS.map((planted) => ({
  ...planted,
  scale: { ...planted.scale, identified: 1 },
}));
