import type { FieldFault } from '../../../kernel/domain-error';
import type { PhoneNumber } from '../../../kernel/phone-number';
import type { ContactDraft, ContactParameters } from './contact';

/** Longest name of a group, in characters. */
export const GROUP_NAME_LENGTH = 128;
/** Longest description of a group, in characters. */
export const GROUP_DESCRIPTION_LENGTH = 1024;
/** Most contacts that one call adds to a group or takes out of it. */
export const CONTACTS_PER_CALL = 1000;

/** Contacts under a name, as the recipients of a group send. */
export interface ContactGroup {
  id: string;
  accountId: string;
  /** Unique within the account, whatever its case. */
  name: string;
  description: string | null;
  /** Exactly the number of contacts in the group. */
  contactCount: number;
  createdAt: Date;
  updatedAt: Date;
}

/** What a change of a group sets: an absent field stays, a null description is taken away. */
export interface GroupPatch {
  name?: string;
  description?: string | null;
}

/** One recipient of a group send. */
export interface GroupMember {
  contactId: string;
  /** Null where only the platform's user id is known: templates are not sent to that. */
  phone: PhoneNumber | null;
  parameters: ContactParameters;
}

/** What became of contacts that were put into a group. */
export interface ContactsPut {
  added: number;
  /** In the group before. */
  updated: number;
  /** Left out: another contact has the user id. */
  taken: ContactDraft[];
}

/** Why one contact of a list was left out; `index` is its place in the list, from 0. */
export interface ContactFault extends FieldFault {
  index: number;
}

/** What became of a list of contacts that was put into a group: the four counts add up to the length of the list. */
export interface ContactsAdded {
  /** Contacts that are in the group now and were not before. */
  added: number;
  /** Contacts that were in the group already; their name and parameters, where given, are stored. */
  updated: number;
  /** Entries with the phone of an earlier entry of the list, in any of its forms, which are dropped. */
  duplicates: number;
  /** Entries that were left out for a fault. */
  invalid: number;
  /** The first fault of each entry that was left out. */
  errors: ContactFault[];
}

/** What became of a list of contacts that was taken out of a group. */
export interface ContactsRemoved {
  removed: number;
  /** Contacts of the list that were not in the group. */
  notInGroup: number;
}
