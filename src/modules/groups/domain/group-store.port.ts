import type { Page, PageRequest } from '../../../kernel/page';
import type { PhoneNumber } from '../../../kernel/phone-number';
import type { ContactDraft } from './contact';
import type { ContactGroup, ContactsPut, GroupMember, GroupPatch } from './contact-group';

/** Keeps contact groups and who is in them; a group of another account is treated as none. */
export abstract class GroupStore {
  /** Throws GroupNameTakenError. */
  abstract create(group: ContactGroup): Promise<void>;
  abstract find(accountId: string, groupId: string): Promise<ContactGroup | null>;
  /** Newest first; those whose name contains `search`, whatever its case, where it is given. */
  abstract list(accountId: string, page: PageRequest & { search?: string }): Promise<Page<ContactGroup>>;
  /** The changed group, null where there is none; throws GroupNameTakenError. */
  abstract change(accountId: string, groupId: string, patch: GroupPatch): Promise<ContactGroup | null>;
  /**
   * Takes up to `atMost` contacts out of the group and, when none is left, the group itself away ('removed'). Repeated
   * while there are 'more', it removes a group of a million without one statement that holds the database up.
   */
  abstract removeStep(accountId: string, groupId: string, atMost: number): Promise<'more' | 'removed' | 'missing'>;
  /**
   * Stores the contacts by their `personKey`, which must differ as their user ids do, and puts them into the group: all
   * but those with the user id of another contact, or none with GroupNotFoundError. Joins the surrounding
   * transaction, which fails with ContactUserIdTakenError, and can be repeated, where a person who writes gets one of the
   * user ids at the same moment.
   */
  abstract putContacts(accountId: string, groupId: string, contacts: readonly ContactDraft[]): Promise<ContactsPut>;
  /** How many of the contacts were in the group and are no longer; null where there is no group. */
  abstract removeContacts(accountId: string, groupId: string, contactIds: readonly string[]): Promise<number | null>;
  /** How many of the people with these phones, which must differ, are in the group. */
  abstract countMembers(accountId: string, groupId: string, phones: readonly PhoneNumber[]): Promise<number>;
  /** Members by rising contact id, those after `afterContactId`, at most `limit`. */
  abstract membersOf(
    accountId: string,
    groupId: string,
    afterContactId: string | null,
    limit: number,
  ): Promise<GroupMember[]>;
}
