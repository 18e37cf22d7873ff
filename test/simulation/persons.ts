import { actorIn } from '../support/audit';
import type { RecipientRow, JobRow } from '../fakes/engine-rows';
import { personByKey } from '../../src/modules/groups/domain/opt-out';
import type { SendRequest } from '../../src/modules/sending/domain/sending.service';
import type { Identity, PlannedPersons } from './plan-persons';
import { Requests } from './requests';
import type { Flight } from './simulated-platform';
import type { World } from './world';

/** The header's media that belong to neither the job nor the recipient. */
const MEDIA = 'https://media.example/';

/** People whom the platform names by number, by user id or by both: who they are in jobs and single sends, and what they do. */
export class Persons {
  private readonly requests: Requests;

  constructor(
    private readonly world: World,
    private readonly plan: PlannedPersons,
  ) {
    this.requests = new Requests(world);
  }

  begin(): void {
    const { scheduler } = this.world;
    for (const [index, { optOut, reports }] of this.plan.people.entries()) {
      for (const at of reports) scheduler.after(at, () => void this.report(index));
      if (optOut) scheduler.after(optOut.at, () => void this.optOut(index, optOut.by));
    }
    this.world.platform.recipientOf = (flight) => this.namedIn(flight);
  }

  /** Whether every request is answered. */
  isOver(): boolean {
    return this.requests.pending === 0;
  }

  /** The individual data of a recipient; a person given by user id is stored with both identities if the number is known. */
  recipient(jobIndex: number, position: number): Partial<RecipientRow> {
    const { by, extras, person, reference } = this.plan.recipients[jobIndex]![position - 1]!;
    const own = { extras, reference, parameters: [`Mira ${position}`] };
    if (person === null) return own;
    const key = keyOf(person, by);
    const { accountId } = this.world.senders[this.plan.people[person]!.sender]!;
    const link = this.world.server.links.row(`${accountId} ${key}`).committed;
    return { ...own, phone: link?.phone ?? key, userId: link?.userId ?? null };
  }

  /** The data that all recipients of a job share. */
  job(jobIndex: number): Partial<JobRow> {
    return { headerMedia: { link: `${MEDIA}job-${jobIndex}.png` }, reference: `campaign ${jobIndex}` };
  }

  /** The individual data of a single send. */
  single(index: number, phone: string): Pick<SendRequest, 'extras' | 'recipient'> {
    const planned = this.plan.singles[index] ?? null;
    const recipient = planned ? personByKey(keyOf(planned.person, planned.by)) : { phone, userId: null };
    return { extras: { link: `${MEDIA}single-${index}.png` }, recipient };
  }

  /** The number and user id in the statuses of a message; null if they name only one. */
  private namedIn({ sender, to }: Flight): { phone: string; userId: string } | null {
    const index = this.plan.people.findIndex(
      (_, person) => keyOf(person, 'phone') === to || keyOf(person, 'userId') === to,
    );
    const person = this.plan.people[index];
    const isNamed = person && person.namedFrom !== null && person.namedFrom <= this.world.scheduler.now;
    return isNamed && this.world.senders[person.sender]!.id === sender.id ? both(index) : null;
  }

  /** A message that names the person by both identities. */
  private report(index: number): Promise<void> {
    const { accountId } = this.world.senders[this.plan.people[index]!.sender]!;
    const person = both(index);
    return this.requests.perform(`${person.userId} names both`, async ({ identities, parts }) => {
      const begun = this.world.scheduler.now;
      await parts.unitOfWork.run(() => identities.link([{ accountId, recipient: person } as never]));
      await identities.join([{ accountId, userId: person.userId }]);
      this.world.guard(() => this.world.persons!.named(accountId, person, begun));
    });
  }

  private optOut(index: number, by: Identity): Promise<void> {
    const { accountId } = this.world.senders[this.plan.people[index]!.sender]!;
    const key = keyOf(index, by);
    const given = by === 'phone' ? { phone: key } : { userId: key };
    return this.requests.perform(`${key} opts out`, ({ optOuts }) => optOuts.add(actorIn(accountId), given));
  }
}

function both(person: number): { phone: string; userId: string } {
  return { phone: keyOf(person, 'phone'), userId: keyOf(person, 'userId') };
}

function keyOf(person: number, by: Identity): string {
  return by === 'phone' ? String(491_580_000_000 + person) : `DE.${person}`;
}
