import type { PhoneNumber } from '../../../kernel/phone-number';
import type { Contact, ContactDraft, ContactPatch, ContactSearch, NamedPerson } from './contact';
import type { IdentityChange, Person } from './opt-out';

/** A page of contacts: newest first, those after the contact `before`, at most `limit`. */
export interface ContactRange {
  before?: string;
  limit: number;
}

/** The contacts of a page and the cursor of the next one; null at the end of the list. */
export interface SearchedRange {
  found: Contact[];
  next: string | null;
}

/** Stores contacts; those of other accounts are never returned or changed. */
export abstract class ContactStore {
  /** How many contacts the account has, counted up to `limit`. */
  abstract count(accountId: string, limit: number): Promise<number>;
  /** Counts the people without a contact for their phone or user id. */
  abstract countNew(accountId: string, people: readonly Person[]): Promise<number>;
  /** The name of each person's contact, in the given order; null: unknown. */
  abstract namesOf(accountId: string, people: readonly Person[]): Promise<(string | null)[]>;
  /** Throws ContactPhoneTakenError, ContactUserIdTakenError. */
  abstract create(accountId: string, contactId: string, contact: ContactDraft): Promise<void>;
  abstract find(accountId: string, contactId: string): Promise<Contact | null>;
  /** All contacts of the account, or the one with the phone, in any form, or with the user id. */
  abstract list(accountId: string, query: ContactRange & { phone?: PhoneNumber; userId?: string }): Promise<Contact[]>;
  abstract listOfGroup(accountId: string, groupId: string, range: ContactRange): Promise<Contact[]>;
  /**
   * Searches the next `among` contacts of the account or of one group and returns at most `limit`: those whose name or username contains
   * the text, ignoring case, or whose number begins with its digits or ends with at least 4.
   */
  abstract search(
    accountId: string,
    groupId: string | null,
    search: ContactSearch,
    range: ContactRange & { among: number },
  ): Promise<SearchedRange>;
  /** Searches all further contacts by an index; null: none has the text, or too many contacts match. */
  abstract searchIndexed(
    accountId: string,
    groupId: string | null,
    search: ContactSearch,
    range: ContactRange,
  ): Promise<SearchedRange | null>;
  /**
   * Changes a contact; returns false if there is none. Rejects with ContactPhoneTakenError or ContactUserIdTakenError, without the
   * other contact's id: the transaction of a failed statement cannot run queries.
   */
  abstract change(accountId: string, contactId: string, patch: ContactPatch): Promise<boolean>;
  /** Ids of the contacts with the phone, in any form, and with the user id. */
  abstract holders(accountId: string, person: Person): Promise<{ byPhone?: string; byUserId?: string }>;
  /**
   * Creates missing contacts; adds missing names and user ids, and the latest username, to existing ones. The people must have distinct
   * `personKey`s, in whose order contacts are locked. Joins the surrounding transaction.
   */
  abstract upsertFromInbound(accountId: string, people: readonly NamedPerson[]): Promise<void>;
  /**
   * Adds the user id of each person to the contact with their phone, or the phone to the contact with their user id, unless another
   * contact has it; creates no contacts. Joins the surrounding transaction.
   */
  abstract linkIdentities(accountId: string, people: readonly Person[]): Promise<void>;
  /** Updates phone and user id of a person's contact, unless another contact has them. */
  abstract changeIdentity(accountId: string, change: IdentityChange): Promise<void>;
  /** Deletes the contact and removes it from its groups; returns whether it existed. */
  abstract remove(accountId: string, contactId: string): Promise<boolean>;
}
