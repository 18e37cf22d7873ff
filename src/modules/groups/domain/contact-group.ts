import type { PhoneNumber } from '../../../kernel/phone-number';
import type { ContactAttributes, ContactDraft, ContactFieldError, ContactParameters } from './contact';

/** Maximum length of a group name, in characters. */
export const GROUP_NAME_LENGTH = 128;
/** Maximum length of a group description, in characters. */
export const GROUP_DESCRIPTION_LENGTH = 1024;
/** Maximum number of contacts that one call adds or removes. */
export const CONTACTS_PER_CALL = 1000;

/** A named group of contacts: the recipients of a group send. */
export interface ContactGroup {
  id: string;
  accountId: string;
  /** Unique within the account, ignoring case. */
  name: string;
  description: string | null;
  /** Exact number of contacts in the group. */
  contactCount: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Changes of a group: absent fields keep their values, null removes the description. */
export interface GroupPatch {
  name?: string;
  description?: string | null;
}

/** One recipient of a group send. */
export interface GroupMember {
  contactId: string;
  name: string | null;
  /** Null if only the user id is known. */
  phone: PhoneNumber | null;
  /** Null if unknown. */
  userId: string | null;
  parameters: ContactParameters;
  /** Those that were asked for, as far as the contact has them. */
  attributes: ContactAttributes;
}

/** Whom a send addresses: the contacts of `groupIds`, each once, who are in none of `excludeGroupIds`. */
export interface Audience {
  groupIds: readonly string[];
  excludeGroupIds: readonly string[];
}

/** The members of an audience after a contact, in ascending order of contact id. */
export interface MemberRange {
  after: string | null;
  limit: number;
  /** Names of the attributes to read. */
  attributes: readonly string[];
}

/** At most `limit` members; fewer, or none, if others were excluded. */
export interface MemberPage {
  members: GroupMember[];
  excluded: number;
  /** Where the next page begins; null: this is the last one. */
  next: string | null;
}

/** The result of putting contacts into a group. */
export interface ContactsPut {
  added: number;
  /** Already in the group. */
  updated: number;
  /** Skipped: another contact has the user id. */
  taken: ContactDraft[];
}

/** Why a contact of a list was skipped; `index` counts from 0. */
export interface ContactError extends ContactFieldError {
  index: number;
}

/** The result of adding a list of contacts to a group; the four counts add up to the length of the list. */
export interface ContactsAdded {
  /** Contacts that were added to the group. */
  added: number;
  /** Contacts that were already in the group; given names and parameters are stored. */
  updated: number;
  /** Entries dropped because an earlier entry has the same phone, in any form. */
  duplicates: number;
  /** Entries skipped because of an error. */
  invalid: number;
  /** The first error of each skipped entry. */
  errors: ContactError[];
}

/** The result of removing a list of contacts from a group. */
export interface ContactsRemoved {
  removed: number;
  /** Contacts of the list that were not in the group. */
  notInGroup: number;
}
