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

/** Stores the contacts of accounts; a contact of another account does not exist for the caller. */
export abstract class ContactStore {
  /** How many contacts the account has, counted up to `limit`. */
  abstract count(accountId: string, limit: number): Promise<number>;
  /** How many of these people have neither a contact with their phone nor one with their user id. */
  abstract countNew(accountId: string, people: readonly Person[]): Promise<number>;
  /** Throws ContactPhoneTakenError, ContactUserIdTakenError. */
  abstract create(accountId: string, contactId: string, contact: ContactDraft): Promise<void>;
  abstract find(accountId: string, contactId: string): Promise<Contact | null>;
  /** All contacts of the account, or the one with the phone, in any form. */
  abstract list(accountId: string, query: ContactRange & { phone?: PhoneNumber }): Promise<Contact[]>;
  abstract listOfGroup(accountId: string, groupId: string, range: ContactRange): Promise<Contact[]>;
  /**
   * The contacts whose name or username contains the text, ignoring case, or whose number begins with its digits, of the account or of one
   * group: at most `limit`, searching the next `among` contacts.
   */
  abstract search(
    accountId: string,
    groupId: string | null,
    search: ContactSearch,
    range: ContactRange & { among: number },
  ): Promise<SearchedRange>;
  /**
   * Changes a contact; returns false if there is none. Rejects with ContactPhoneTakenError or ContactUserIdTakenError, without the
   * other contact's id: after a failed statement its transaction cannot query anything.
   */
  abstract change(accountId: string, contactId: string, patch: ContactPatch): Promise<boolean>;
  /** Ids of the contacts with the phone, in any form, and with the user id. */
  abstract holders(accountId: string, person: Person): Promise<{ byPhone?: string; byUserId?: string }>;
  /**
   * Creates contacts for people who have none, and adds missing names and user ids to existing contacts, and the latest username. People differ in
   * their `personKey`, which is also the order of the locks. Joins the surrounding transaction.
   */
  abstract upsertFromInbound(accountId: string, people: readonly NamedPerson[]): Promise<void>;
  /**
   * Adds the user id of each person to the contact with their phone, or the phone to the contact with their user id; creates no
   * contacts, and takes nothing from another contact. Joins the surrounding transaction.
   */
  abstract linkIdentities(accountId: string, people: readonly Person[]): Promise<void>;
  /** Gives the contact of a person the new phone and the new user id, unless another contact has them. */
  abstract changeIdentity(accountId: string, change: IdentityChange): Promise<void>;
  /** Deletes the contact and removes it from its groups; returns whether it existed. */
  abstract remove(accountId: string, contactId: string): Promise<boolean>;
}
