import type { IdentifiedPerson, KnownByUserId } from './identified-person';

/** Reads which phone numbers belong to user ids, from contacts, conversations and opt-outs. */
export abstract class KnownNumberStore {
  /** Those of the people whose number is known. */
  abstract find(people: readonly KnownByUserId[]): Promise<IdentifiedPerson[]>;
}
