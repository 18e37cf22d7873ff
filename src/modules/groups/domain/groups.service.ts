import { Injectable } from '@nestjs/common';
import type { Page, PageRequest, Slice, SliceRequest } from '../../../kernel/page';
import { Clock } from '../../../kernel/clock';
import { unkeyedClaim } from '../../../kernel/creation-claim';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { QuotaExceededError } from '../../accounts/domain/accounts.errors';
import { type Contact, type ContactDraft, readContact, userIdTakenError } from './contact';
import type {
  Audience,
  ContactError,
  ContactGroup,
  ContactsAdded,
  ContactsPut,
  ContactsRemoved,
  GroupPatch,
  MemberPage,
  MemberRange,
} from './contact-group';
import { ContactQuota } from './contact-quota';
import { ContactsService } from './contacts.service';
import { GroupStore } from './group-store.port';
import { ContactUserIdTakenError, GroupNotFoundError } from './groups.errors';
import { personKey } from './opt-out';
import { PhoneBook } from './phone-book.port';

/** Members removed per transaction when a group is deleted. */
const REMOVAL_STEP = 2000;

const MAX_PUT_ATTEMPTS = 5;

/** Contact groups and their members. Changes do not affect existing jobs, which have copies of their recipients. */
@Injectable()
export class GroupsService {
  constructor(
    private readonly groups: GroupStore,
    private readonly contacts: ContactsService,
    private readonly phones: PhoneBook,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
    private readonly quota: ContactQuota,
  ) {}

  /** Creates an empty group if the account has fewer than `maxGroups`; throws GroupNameTakenError, QuotaExceededError. */
  async create(
    accountId: string,
    given: { name: string; description: string | null },
    maxGroups: number,
    claim = unkeyedClaim(),
  ): Promise<ContactGroup> {
    const { totalCount } = await this.groups.list(accountId, { page: 1, pageSize: 1 });
    if (totalCount >= maxGroups) throw new QuotaExceededError('maxGroups', maxGroups);
    const now = this.clock.now();
    const group = { id: claim.resourceId, accountId, ...given, contactCount: 0, createdAt: now, updatedAt: now };
    await this.unitOfWork.run(async () => {
      await claim.seal();
      await this.groups.create(group);
    });
    return group;
  }

  /** Newest first; only those whose name contains `search`, ignoring case, if it is given. */
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

  /** Deletes the group and keeps its contacts. If it is interrupted, a smaller group remains and can be deleted again. */
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
   * Adds contacts to the group, creating new and updating existing ones. `given` is not validated yet: invalid entries are
   * reported and do not affect the others. Throws GroupNotFoundError, QuotaExceededError.
   */
  async addContacts(
    accountId: string,
    plan: string,
    groupId: string,
    given: readonly unknown[],
  ): Promise<ContactsAdded> {
    await this.get(accountId, groupId);
    const readPhone = await this.phones.readerFor(accountId);
    const drafts = new Map<string, ContactDraft>();
    const indices = new Map<ContactDraft, number>();
    const userIds = new Set<string>();
    const errors: ContactError[] = [];
    let duplicates = 0;
    given.forEach((entry, index) => {
      const read = readContact(entry, readPhone);
      if ('errors' in read) return errors.push({ index, ...read.errors[0] });
      const { draft } = read;
      const key = personKey(draft)!;
      if (drafts.has(key)) return duplicates++;
      if (draft.userId !== null && userIds.has(draft.userId)) return errors.push({ index, ...userIdTakenError() });
      if (draft.userId !== null) userIds.add(draft.userId);
      drafts.set(key, draft);
      return indices.set(draft, index);
    });
    await this.quota.reserve(accountId, plan, [...drafts.values()]);
    const { added, updated, taken } = await this.putContacts(accountId, groupId, [...drafts.values()]);
    errors.push(...taken.map((draft) => ({ index: indices.get(draft)!, ...userIdTakenError() })));
    errors.sort((a, b) => a.index - b.index);
    return { added, updated, duplicates, invalid: errors.length, errors };
  }

  /** Removes contacts from the group; ids that are not in it are counted. Throws GroupNotFoundError. */
  async removeContacts(accountId: string, groupId: string, contactIds: readonly string[]): Promise<ContactsRemoved> {
    const distinctIds = [...new Set(contactIds.map((id) => id.toLowerCase()))];
    const removed = await this.groups.removeContacts(accountId, groupId, distinctIds);
    if (removed === null) throw new GroupNotFoundError();
    return { removed, notInGroup: distinctIds.length - removed };
  }

  /** One page of an audience; joins the surrounding transaction. Unknown groups are empty. */
  membersOf(accountId: string, audience: Audience, range: MemberRange): Promise<MemberPage> {
    return this.groups.membersOf(accountId, audience, range);
  }

  /** Names of attributes of some contacts of the groups, in alphabetical order. */
  attributeNames(accountId: string, groupIds: readonly string[]): Promise<string[]> {
    return this.groups.attributeNames(accountId, groupIds);
  }

  /** Adds the contacts and merges their opt-outs in one transaction. */
  private async putContacts(accountId: string, groupId: string, drafts: readonly ContactDraft[]): Promise<ContactsPut> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.unitOfWork.run(async () => {
          const put = await this.groups.putContacts(accountId, groupId, drafts);
          const stored = drafts.filter((draft) => !put.taken.includes(draft));
          await this.contacts.mergeOptOuts(accountId, stored);
          return put;
        });
      } catch (error) {
        // An inbound message has given one of the user ids to a contact meanwhile; the next attempt finds that contact.
        if (!(error instanceof ContactUserIdTakenError) || attempt === MAX_PUT_ATTEMPTS) throw error;
      }
    }
  }
}
