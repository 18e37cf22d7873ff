import type { Page, PageRequest } from '../../../kernel/page';
import type { PhoneNumber } from '../../../kernel/phone-number';
import type { OptOut, OptOutRecord, OptOutScope, Person } from './opt-out';

/** Keeps whom an account must not write to. People are named by their key: see personKey. */
export abstract class OptOutStore {
  /** Records the opt-out; one that stands already stays as it is, and is what is given back. */
  abstract add(accountId: string, person: string, optOut: OptOut): Promise<OptOut>;
  /** Takes back what stands of these keys of a person, in every scope; whether there was anything. */
  abstract remove(accountId: string, people: readonly string[]): Promise<boolean>;
  /** The scopes in which those of `people` who have opted out did so. */
  abstract scopesOf(accountId: string, people: readonly string[]): Promise<Map<string, Set<OptOutScope>>>;
  /** What stands, newest first. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<OptOut>>;

  /** Locks the records of the people, in the order of their keys; who has none gets one in which nothing stands. */
  abstract lock(accountId: string, scope: OptOutScope, people: readonly Person[]): Promise<OptOutRecord[]>;
  /** Writes locked records. */
  abstract save(accountId: string, records: readonly OptOutRecord[]): Promise<void>;
  /** Takes all records of these people away and gives them back. */
  abstract take(accountId: string, people: readonly string[]): Promise<OptOutRecord[]>;
  /** The phone numbers of contacts with these user ids. */
  abstract phonesOf(accountId: string, userIds: readonly string[]): Promise<Map<string, PhoneNumber>>;
}
