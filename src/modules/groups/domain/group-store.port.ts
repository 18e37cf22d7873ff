import type { Page, PageRequest } from '../../../kernel/page';
import type { ContactDraft } from './contact';
import type { Audience, ContactGroup, ContactsPut, GroupPatch, MemberPage, MemberRange } from './contact-group';

/** Stores contact groups and their members; those of other accounts are never returned or changed. */
export abstract class GroupStore {
  /** Throws GroupNameTakenError. */
  abstract create(group: ContactGroup): Promise<void>;
  abstract find(accountId: string, groupId: string): Promise<ContactGroup | null>;
  /** Newest first; only those whose name contains `search`, ignoring case, if it is given. */
  abstract list(accountId: string, page: PageRequest & { search?: string }): Promise<Page<ContactGroup>>;
  /** The changed group, null if there is none; throws GroupNameTakenError. */
  abstract change(accountId: string, groupId: string, patch: GroupPatch): Promise<ContactGroup | null>;
  /**
   * Removes up to `atMost` contacts from the group and, once it is empty, the group itself ('removed'). Repeated
   * while there are 'more', it deletes a group of a million contacts without a long statement.
   */
  abstract removeStep(accountId: string, groupId: string, atMost: number): Promise<'more' | 'removed' | 'missing'>;
  /**
   * Creates or updates contacts by their `personKey` and adds them to the group; keys and user ids must be distinct. Contacts
   * with a user id of another contact are skipped. Throws GroupNotFoundError. Joins the surrounding
   * transaction, which fails with ContactUserIdTakenError and can be repeated if another contact gets one of the
   * user ids concurrently.
   */
  abstract putContacts(accountId: string, groupId: string, contacts: readonly ContactDraft[]): Promise<ContactsPut>;
  /** Those of the contacts, of distinct keys, that `putContacts` would skip. */
  abstract withTakenUserId(accountId: string, contacts: readonly ContactDraft[]): Promise<ContactDraft[]>;
  /** Removes contacts and returns how many were in the group; null if there is no group. */
  abstract removeContacts(accountId: string, groupId: string, contactIds: readonly string[]): Promise<number | null>;
  /** How many of these people, by phone number or user id and each given once, are in the group. */
  abstract countMembers(accountId: string, groupId: string, people: readonly string[]): Promise<number>;
  abstract membersOf(accountId: string, audience: Audience, range: MemberRange): Promise<MemberPage>;
  /** Names of attributes of some contacts of the groups, in alphabetical order. */
  abstract attributeNames(accountId: string, groupIds: readonly string[]): Promise<string[]>;
}
