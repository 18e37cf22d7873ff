import type { Page, PageRequest, Slice } from '../../../kernel/page';
import type { PhoneNumber } from '../../../kernel/phone-number';
import type { TimeCursor } from '../../../kernel/time-cursor';
import type { OptOut, OptOutRecord, OptOutScope, Person } from './opt-out';

/** Stores opt-outs. People are identified by their key: see personKey. */
export abstract class OptOutStore {
  /** Records an opt-out, unless there is one; returns the stored one. */
  abstract add(accountId: string, person: string, optOut: OptOut): Promise<OptOut>;
  /** Ends the opt-outs of these keys of a person, in every scope, and returns them. */
  abstract remove(accountId: string, people: readonly string[]): Promise<OptOut[]>;
  /** The scopes of those of `people` who have opted out. */
  abstract scopesOf(accountId: string, people: readonly string[]): Promise<Map<string, Set<OptOutScope>>>;
  /** Current opt-outs, newest first. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<OptOut>>;
  /** At most `limit` of them after `after`, which is null for the newest; only those of these keys of a person, unless null. */
  abstract slice(
    accountId: string,
    range: { people: readonly string[] | null; after: TimeCursor | null; limit: number },
  ): Promise<Slice<OptOut>>;
  /** Those of these keys of a person, with the time of the latest opt-out by the person. */
  abstract listOf(accountId: string, people: readonly string[]): Promise<(OptOut & Pick<OptOutRecord, 'stopAt'>)[]>;

  /** Locks the records of the people, in the order of their keys; creates empty ones where there are none. */
  abstract lock(accountId: string, scope: OptOutScope, people: readonly Person[]): Promise<OptOutRecord[]>;
  /** Writes locked records. */
  abstract save(accountId: string, records: readonly OptOutRecord[]): Promise<void>;
  /** Adds the user ids of people to the records of their phone numbers. */
  abstract addUserIds(accountId: string, people: readonly (Person & { phone: PhoneNumber })[]): Promise<void>;
  /** Deletes all records of these people and returns them. */
  abstract deleteRecords(accountId: string, people: readonly string[]): Promise<OptOutRecord[]>;
}
