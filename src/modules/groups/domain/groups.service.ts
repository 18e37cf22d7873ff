import { Injectable } from '@nestjs/common';
import type { Page, PageRequest, Slice, SliceRequest } from '../../../kernel/page';
import { uuidV7 } from '../../../kernel/uuid';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { type Contact, type ContactDraft, readContact, userIdTaken } from './contact';
import type {
  ContactFault,
  ContactGroup,
  ContactsAdded,
  ContactsPut,
  ContactsRemoved,
  GroupMember,
  GroupPatch,
} from './contact-group';
import { ContactsService } from './contacts.service';
import { GroupStore } from './group-store.port';
import { ContactUserIdTakenError, GroupNotFoundError } from './groups.errors';
import { personKey } from './opt-out';
import { PhoneBook } from './phone-book.port';

/** Members that one transaction takes out of a group that is removed. */
const REMOVAL_STEP = 2000;

const PUT_ATTEMPTS = 5;

/** Contact groups of an account and who is in them. A job froze its recipients when it was made: no change here reaches it. */
@Injectable()
export class GroupsService {
  constructor(
    private readonly groups: GroupStore,
    private readonly contacts: ContactsService,
    private readonly phones: PhoneBook,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** A new, empty group; throws GroupNameTakenError. */
  async create(accountId: string, given: { name: string; description: string | null }): Promise<ContactGroup> {
    const now = this.clock.now();
    const group = { id: uuidV7(), accountId, ...given, contactCount: 0, createdAt: now, updatedAt: now };
    await this.groups.create(group);
    return group;
  }

  /** Newest first; those whose name contains `search`, whatever its case, where it is given. */
  list(accountId: string, page: PageRequest & { search?: string }): Promise<Page<ContactGroup>> {
    return this.groups.list(accountId, page);
  }

  /** Throws GroupNotFoundError. */
  async get(accountId: string, groupId: string): Promise<ContactGroup> {
    const group = await this.groups.find(accountId, groupId);
    if (!group) throw new GroupNotFoundError();
    return group;
  }

  /** Throws GroupNotFoundError, GroupNameTakenError. */
  async change(accountId: string, groupId: string, patch: GroupPatch): Promise<ContactGroup> {
    const group = await this.groups.change(accountId, groupId, patch);
    if (!group) throw new GroupNotFoundError();
    return group;
  }

  /** Removes the group and keeps its contacts. Where it is interrupted, a smaller group is left and can be removed again. */
  async remove(accountId: string, groupId: string): Promise<void> {
    let step = await this.groups.removeStep(accountId, groupId, REMOVAL_STEP);
    if (step === 'missing') throw new GroupNotFoundError();
    while (step === 'more') step = await this.groups.removeStep(accountId, groupId, REMOVAL_STEP);
  }

  /** Contacts of the group, newest first; throws GroupNotFoundError. */
  async contactsOf(
    accountId: string,
    groupId: string,
    slice: SliceRequest & { search?: string },
  ): Promise<Slice<Contact>> {
    await this.get(accountId, groupId);
    return this.contacts.listOfGroup(accountId, groupId, slice);
  }

  /**
   * Puts contacts into the group, makes those that are new and stores what is given for the others. `given` is taken as
   * it came: a bad entry is counted and told, and hinders no other. Throws GroupNotFoundError.
   */
  async addContacts(accountId: string, groupId: string, given: readonly unknown[]): Promise<ContactsAdded> {
    await this.get(accountId, groupId);
    const readPhone = await this.phones.readerFor(accountId);
    const drafts = new Map<string, ContactDraft>();
    const places = new Map<ContactDraft, number>();
    const userIds = new Set<string>();
    const errors: ContactFault[] = [];
    let duplicates = 0;
    given.forEach((entry, index) => {
      const read = readContact(entry, readPhone);
      if ('faults' in read) return errors.push({ index, ...read.faults[0] });
      const { draft } = read;
      const key = personKey(draft)!;
      if (drafts.has(key)) return duplicates++;
      if (draft.userId !== null && userIds.has(draft.userId)) return errors.push({ index, ...userIdTaken() });
      if (draft.userId !== null) userIds.add(draft.userId);
      drafts.set(key, draft);
      return places.set(draft, index);
    });
    const { added, updated, taken } = await this.putContacts(accountId, groupId, [...drafts.values()]);
    errors.push(...taken.map((draft) => ({ index: places.get(draft)!, ...userIdTaken() })));
    errors.sort((a, b) => a.index - b.index);
    return { added, updated, duplicates, invalid: errors.length, errors };
  }

  /** Takes contacts out of the group and keeps them; ids that it does not hold are counted. Throws GroupNotFoundError. */
  async removeContacts(accountId: string, groupId: string, contactIds: readonly string[]): Promise<ContactsRemoved> {
    const wanted = [...new Set(contactIds.map((id) => id.toLowerCase()))];
    const removed = await this.groups.removeContacts(accountId, groupId, wanted);
    if (removed === null) throw new GroupNotFoundError();
    return { removed, notInGroup: wanted.length - removed };
  }

  /**
   * Members of the group by rising contact id, those after `afterContactId`, at most `limit`; joins the surrounding
   * transaction. A group that is none has no members.
   */
  membersOf(accountId: string, groupId: string, afterContactId: string | null, limit: number): Promise<GroupMember[]> {
    return this.groups.membersOf(accountId, groupId, afterContactId, limit);
  }

  /** Contacts come with the opt-outs of their user ids, or not at all. */
  private async putContacts(accountId: string, groupId: string, drafts: readonly ContactDraft[]): Promise<ContactsPut> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.unitOfWork.run(async () => {
          const put = await this.groups.putContacts(accountId, groupId, drafts);
          const stored = drafts.filter((draft) => !put.taken.includes(draft));
          await this.contacts.identified(accountId, stored);
          return put;
        });
      } catch (error) {
        // Somebody who wrote got one of the user ids at the same moment; the next look finds who has it.
        if (!(error instanceof ContactUserIdTakenError) || attempt === PUT_ATTEMPTS) throw error;
      }
    }
  }
}
