import type { PhoneNumber } from '../../../kernel/phone-number';
import type { Contact, ContactDraft, ContactPatch, NamedPerson } from './contact';
import type { Person } from './opt-out';

/** Which stretch of contacts is wanted: newest first, those after the contact `before`, at most `limit`. */
export interface ContactStretch {
  before?: string;
  limit: number;
}

/** What was found in a stretch of contacts, and where the next one begins; null at the end of the list. */
export interface SearchedStretch {
  found: Contact[];
  next: string | null;
}

/** Keeps the contacts of accounts; a contact of another account is treated as none. */
export abstract class ContactStore {
  /** Throws ContactPhoneTakenError, ContactUserIdTakenError. */
  abstract create(accountId: string, contactId: string, contact: ContactDraft): Promise<void>;
  abstract find(accountId: string, contactId: string): Promise<Contact | null>;
  /** All contacts of the account, or the one with a phone in any of its forms. */
  abstract list(accountId: string, query: ContactStretch & { phone?: PhoneNumber }): Promise<Contact[]>;
  abstract listOfGroup(accountId: string, groupId: string, stretch: ContactStretch): Promise<Contact[]>;
  /**
   * Those whose name contains `text`, whatever its case, or whose number begins with its digits, of the account or of one
   * group: found among the next `among`, `limit` at most.
   */
  abstract search(
    accountId: string,
    groupId: string | null,
    text: string,
    stretch: ContactStretch & { among: number },
  ): Promise<SearchedStretch>;
  /**
   * Whether there was such a contact. Rejects with ContactPhoneTakenError or ContactUserIdTakenError, which do not say who has
   * it: after a failed statement nothing can be asked inside its transaction.
   */
  abstract change(accountId: string, contactId: string, patch: ContactPatch): Promise<boolean>;
  /** Ids of the contacts that have the phone, in any of its forms, and the user id. */
  abstract holders(accountId: string, person: Person): Promise<{ byPhone?: string; byUserId?: string }>;
  /**
   * Makes contacts of those who are none, and adds the name and the user id that a contact has not. People differ in
   * their `personKey`. Joins the surrounding transaction; locks contacts in the order of that.
   */
  abstract meet(accountId: string, people: readonly NamedPerson[]): Promise<void>;
  /** Takes the contact out of its groups and away; whether there was one. */
  abstract remove(accountId: string, contactId: string): Promise<boolean>;
}
