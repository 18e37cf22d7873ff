import type { TemplateExtras } from '../../src/modules/templates/domain/template-extras';
import { Dice } from './dice';
import type { Plan, PlannedJob } from './plan';

/** The identity by which a person is named. */
export type Identity = 'phone' | 'userId';

/** A person with a number and a user id. */
export interface PlannedPerson {
  sender: number;
  /** Time from which statuses name both identities; null: never. */
  namedFrom: number | null;
  /** Times of messages of the person that name both identities. */
  reports: number[];
  optOut: { at: number; by: Identity } | null;
}

/** The individual data of a recipient. */
export interface PlannedRecipient {
  person: number | null;
  by: Identity;
  extras: TemplateExtras | null;
  reference: string | null;
}

/** The people of a history, and the recipients of each job by position (from 1). */
export interface PlannedPersons {
  people: PlannedPerson[];
  recipients: PlannedRecipient[][];
  /** The recipients of single sends. */
  singles: ({ person: number; by: Identity } | null)[];
}

const BY: readonly Identity[] = ['phone', 'userId'];

/** Adds extras and user ids to the recipients of some histories. Uses its own dice, so that other histories stay unchanged. */
export function withPersons(plan: Plan, share: number): Plan {
  const dice = new Dice(plan.seed ^ 0x1d_e5);
  if (!dice.chance(share)) return plan;
  const people = Array.from({ length: dice.whole(3, 9) }, () => plannedPerson(dice, plan));
  const recipients = plan.jobs.map((job) => plannedRecipients(dice, job, people));
  const singles = plan.singles.map(({ sender }) => {
    const person = dice.chance(0.7) ? personOf(dice, people, sender, []) : null;
    return person === null ? null : { person, by: dice.pick(BY) };
  });
  // Opt-outs of these people are planned separately.
  const jobs = plan.jobs.map((job, index) => {
    const optedOut = job.optedOut.filter((position) => recipients[index]![position - 1]!.person === null);
    return { ...job, optedOut };
  });
  return {
    ...plan,
    jobs,
    persons: { people, recipients, singles },
    people: withErasures(dice, plan, { people, recipients, singles }),
  };
}

function plannedPerson(dice: Dice, { healedAt, senders }: Plan): PlannedPerson {
  const moment = (): number => dice.between(0, healedAt);
  return {
    sender: dice.chance(0.7) ? 0 : dice.whole(0, senders.length - 1),
    namedFrom: dice.chance(0.7) ? moment() - 3000 : null,
    reports: dice.chance(0.4) ? Array.from({ length: dice.whole(1, 2) }, moment) : [],
    optOut: dice.chance(0.4) ? { at: moment(), by: dice.pick(BY) } : null,
  };
}

function plannedRecipients(dice: Dice, job: PlannedJob, people: readonly PlannedPerson[]): PlannedRecipient[] {
  const named: string[] = [];
  return Array.from({ length: job.size }, (_, index) => {
    const position = index + 1;
    const by = dice.pick(BY);
    // An identity occurs once per list.
    const taken = named.flatMap((key) => (key.endsWith(by) ? Number.parseInt(key, 10) : []));
    const isInvalid = job.invalid.includes(position);
    const person = dice.chance(0.4) && !isInvalid ? personOf(dice, people, job.sender, taken) : null;
    if (person !== null) named.push(`${person} ${by}`);
    const extras = isInvalid ? null : plannedExtras(dice, position);
    return { person, by, extras, reference: dice.chance(0.4) && !isInvalid ? `order ${position}` : null };
  });
}

function plannedExtras(dice: Dice, position: number): TemplateExtras | null {
  const link = `https://media.example/${position}.png`;
  const payloads = { '0': `payload ${position}` };
  return dice.pick([null, null, { link }, { payloads }, { link, payloads }]);
}

function personOf(
  dice: Dice,
  people: readonly PlannedPerson[],
  sender: number,
  taken: readonly number[],
): number | null {
  const own = people.flatMap((one, index) => (one.sender === sender && !taken.includes(index) ? index : []));
  return own.length > 0 ? dice.pick(own) : null;
}

/** If people manage jobs, plans erasures of recipients whom the platform may know by number and user id. */
function withErasures(
  dice: Dice,
  { healedAt, jobs, people }: Plan,
  { recipients, singles }: PlannedPersons,
): Plan['people'] {
  if (!people) return null;
  // An erasure does not cover data created after it.
  const last = Math.max(...jobs.map(({ at }) => at));
  const jobActions = people.jobActions.map((one, index) => {
    const persons = recipients[index]!;
    const own = persons.flatMap(({ person }, at) => (person === null ? [] : at + 1));
    const isErased = (position: number): boolean => own.includes(position);
    const sequences = one.sequences.filter(
      ({ steps }) => !steps.some((s) => s.kind === 'erase' && isErased(s.position)),
    );
    // Single sends may be requested after an erasure.
    const erasable = own.filter((position) => singles.every((one) => one?.person !== persons[position - 1]!.person));
    // Lists of requests have numbers only.
    const kept = { ...one, creation: null, sequences };
    if (erasable.length === 0 || !dice.chance(0.6)) return kept;
    const at = dice.between(last, Math.max(last, healedAt) + 4000);
    return {
      ...kept,
      sequences: [...sequences, { at, steps: [{ kind: 'erase' as const, position: dice.pick(erasable) }] }],
    };
  });
  return { ...people, jobActions };
}
