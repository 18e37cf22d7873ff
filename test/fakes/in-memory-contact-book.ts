import type { Page, PageRequest } from '../../src/kernel/page';
import { uuidV7 } from '../../src/kernel/uuid';
import {
  type Contact,
  type ContactAttributes,
  type ContactDraft,
  type ContactPatch,
  type NamedPerson,
  type ContactSearch,
  contactMatcher,
  MAX_ATTRIBUTES,
} from '../../src/modules/groups/domain/contact';
import type {
  Audience,
  ContactGroup,
  ContactsPut,
  GroupPatch,
  MemberPage,
  MemberRange,
} from '../../src/modules/groups/domain/contact-group';
import {
  ContactStore,
  type ContactRange,
  type SearchedRange,
} from '../../src/modules/groups/domain/contact-store.port';
import { GroupStore } from '../../src/modules/groups/domain/group-store.port';
import {
  ContactPhoneTakenError,
  ContactUserIdTakenError,
  GroupNameTakenError,
  GroupNotFoundError,
} from '../../src/modules/groups/domain/groups.errors';
import { type IdentityChange, type Person, personKey } from '../../src/modules/groups/domain/opt-out';
import { InMemoryKnownNumbers } from './in-memory-known-numbers';
import { InMemoryOptOuts } from './in-memory-opt-outs';

type StoredContact = Omit<Contact, 'optedOutAt' | 'groups'>;

/** Groups, contacts and opt-outs in memory, shared by three stores. */
export class InMemoryContactBook {
  readonly groupsById = new Map<string, Omit<ContactGroup, 'contactCount'>>();
  readonly contactsById = new Map<string, StoredContact>();
  /** Contact ids by group id. */
  readonly members = new Map<string, Set<string>>();
  readonly groups: GroupStore = new InMemoryGroupStore(this);
  readonly contacts: ContactStore = new InMemoryContactStore(this);
  readonly optOuts = new InMemoryOptOuts();
  readonly knownNumbers = new InMemoryKnownNumbers((accountId, userId) => this.contactOf(accountId, userId)?.phone);

  contactWith(accountId: string, phone: string | null): StoredContact | undefined {
    if (phone === null) return undefined;
    return this.find(accountId, (one) => one.phone !== null && one.phone === phone);
  }

  contactOf(accountId: string, userId: string | null): StoredContact | undefined {
    return userId === null ? undefined : this.find(accountId, (one) => one.userId === userId);
  }

  private find(accountId: string, isWanted: (contact: StoredContact) => boolean): StoredContact | undefined {
    return [...this.contactsById.values()].find((one) => one.accountId === accountId && isWanted(one));
  }
}

class InMemoryGroupStore extends GroupStore {
  constructor(private readonly book: InMemoryContactBook) {
    super();
  }

  async create(group: ContactGroup): Promise<void> {
    this.refuseTaken(group.accountId, group.id, group.name);
    this.book.groupsById.set(group.id, group);
    this.book.members.set(group.id, new Set());
    return Promise.resolve();
  }

  find(accountId: string, groupId: string): Promise<ContactGroup | null> {
    const group = this.book.groupsById.get(groupId);
    if (group?.accountId !== accountId) return Promise.resolve(null);
    return Promise.resolve({ ...group, contactCount: this.membersOfGroup(groupId).size });
  }

  async list(
    accountId: string,
    { page, pageSize, search = '' }: PageRequest & { search?: string },
  ): Promise<Page<ContactGroup>> {
    const ids = [...this.book.groupsById.values()]
      .filter((group) => group.accountId === accountId && group.name.toLowerCase().includes(search.toLowerCase()))
      .map(({ id }) => id);
    const wanted = ids
      .sort()
      .reverse()
      .slice((page - 1) * pageSize, page * pageSize);
    const items = await Promise.all(wanted.map((id) => this.find(accountId, id)));
    return { items: items.filter((group) => group !== null), page, pageSize, totalCount: ids.length };
  }

  async change(accountId: string, groupId: string, patch: GroupPatch): Promise<ContactGroup | null> {
    const group = await this.find(accountId, groupId);
    if (!group) return null;
    if (patch.name !== undefined) this.refuseTaken(accountId, groupId, patch.name);
    const { name = group.name, description = group.description } = patch;
    const changed = { ...group, name, description, updatedAt: new Date() };
    this.book.groupsById.set(groupId, changed);
    return changed;
  }

  async removeStep(accountId: string, groupId: string, atMost: number): Promise<'more' | 'removed' | 'missing'> {
    if (!(await this.find(accountId, groupId))) return 'missing';
    const members = this.membersOfGroup(groupId);
    const leaving = [...members].slice(0, atMost);
    leaving.forEach((id) => members.delete(id));
    if (leaving.length === atMost) return 'more';
    this.book.groupsById.delete(groupId);
    this.book.members.delete(groupId);
    return 'removed';
  }

  async putContacts(accountId: string, groupId: string, contacts: readonly ContactDraft[]): Promise<ContactsPut> {
    if (!(await this.find(accountId, groupId))) throw new GroupNotFoundError();
    const members = this.membersOfGroup(groupId);
    const before = members.size;
    const taken = await this.withTakenUserId(accountId, contacts);
    for (const draft of contacts) {
      if (taken.includes(draft)) continue;
      const { phone, userId, name, parameters, attributes } = draft;
      const holder = this.book.contactOf(accountId, userId);
      const known = phone === null ? holder : this.book.contactWith(accountId, phone);
      const id = known?.id ?? uuidV7();
      this.book.contactsById.set(id, {
        id,
        accountId,
        phone: known?.phone ?? phone,
        userId: userId ?? known?.userId ?? null,
        name: name ?? known?.name ?? null,
        username: known?.username ?? null,
        parameters: parameters ?? known?.parameters ?? {},
        attributes: merged(known?.attributes ?? {}, attributes ?? {}),
      });
      members.add(id);
    }
    const added = members.size - before;
    return { added, updated: contacts.length - taken.length - added, taken };
  }

  withTakenUserId(accountId: string, contacts: readonly ContactDraft[]): Promise<ContactDraft[]> {
    return Promise.resolve(
      contacts.filter(({ phone, userId }) => {
        const holder = phone === null ? undefined : this.book.contactOf(accountId, userId);
        return holder !== undefined && holder.phone !== phone;
      }),
    );
  }

  async removeContacts(accountId: string, groupId: string, contactIds: readonly string[]): Promise<number | null> {
    if (!(await this.find(accountId, groupId))) return null;
    const members = this.membersOfGroup(groupId);
    return contactIds.filter((id) => members.delete(id)).length;
  }

  countMembers(accountId: string, groupId: string, people: readonly string[]): Promise<number> {
    const members = this.membersOfGroup(groupId);
    const idOf = (person: string) =>
      (this.book.contactWith(accountId, person) ?? this.book.contactOf(accountId, person))?.id ?? '';
    return Promise.resolve(new Set(people.map(idOf).filter((id) => members.has(id))).size);
  }

  membersOf(
    accountId: string,
    { groupIds, excludeGroupIds }: Audience,
    { after, limit, attributes: names }: MemberRange,
  ): Promise<MemberPage> {
    const idsOf = (ids: readonly string[]) => new Set(ids.flatMap((id) => [...this.membersOfGroup(id)]));
    const excluded = idsOf(excludeGroupIds);
    const page = [...idsOf(groupIds)]
      .sort()
      .filter((id) => after === null || id > after)
      .slice(0, limit)
      .map((id) => this.book.contactsById.get(id)!)
      .filter((contact) => contact.accountId === accountId);
    const members = page
      .filter(({ id }) => !excluded.has(id))
      .map(({ id, name, phone, userId, parameters, attributes }) => ({
        ...{ contactId: id, name, phone, userId, parameters },
        attributes: Object.fromEntries(Object.entries(attributes).filter(([attribute]) => names.includes(attribute))),
      }));
    const next = page.length < limit ? null : page.at(-1)!.id;
    return Promise.resolve({ members, excluded: page.length - members.length, next });
  }

  attributeNames(accountId: string, groupIds: readonly string[]): Promise<string[]> {
    const contacts = groupIds
      .flatMap((id) => [...this.membersOfGroup(id)])
      .map((id) => this.book.contactsById.get(id)!)
      .filter((contact) => contact.accountId === accountId);
    return Promise.resolve([...new Set(contacts.flatMap(({ attributes }) => Object.keys(attributes)))].sort());
  }

  private membersOfGroup(groupId: string): Set<string> {
    return this.book.members.get(groupId) ?? new Set();
  }

  private refuseTaken(accountId: string, groupId: string, name: string): void {
    for (const other of this.book.groupsById.values()) {
      const sameName = other.name.toLowerCase() === name.toLowerCase();
      if (sameName && other.accountId === accountId && other.id !== groupId) throw new GroupNameTakenError();
    }
  }
}

class InMemoryContactStore extends ContactStore {
  constructor(private readonly book: InMemoryContactBook) {
    super();
  }

  count(accountId: string, limit: number): Promise<number> {
    const own = [...this.book.contactsById.values()].filter((one) => one.accountId === accountId);
    return Promise.resolve(Math.min(own.length, limit));
  }

  countNew(accountId: string, people: readonly Person[]): Promise<number> {
    const isNew = ({ phone, userId }: Person): boolean =>
      !this.book.contactWith(accountId, phone) && !this.book.contactOf(accountId, userId);
    return Promise.resolve(people.filter(isNew).length);
  }

  namesOf(accountId: string, people: readonly Person[]): Promise<(string | null)[]> {
    const nameOf = ({ phone, userId }: Person): string | null =>
      (this.book.contactWith(accountId, phone) ?? this.book.contactOf(accountId, userId))?.name ?? null;
    return Promise.resolve(people.map(nameOf));
  }

  async create(accountId: string, contactId: string, contact: ContactDraft): Promise<void> {
    this.refuseTaken(accountId, contactId, contact);
    const stored = {
      ...contact,
      ...{ id: contactId, accountId, username: null },
      ...{ parameters: contact.parameters ?? {}, attributes: merged({}, contact.attributes ?? {}) },
    };
    this.book.contactsById.set(contactId, stored);
    return Promise.resolve();
  }

  find(accountId: string, contactId: string): Promise<Contact | null> {
    const stored = this.book.contactsById.get(contactId);
    return Promise.resolve(stored?.accountId === accountId ? this.whole(stored) : null);
  }

  list(
    accountId: string,
    { phone, userId, ...range }: ContactRange & { phone?: string; userId?: string },
  ): Promise<Contact[]> {
    const isOf = (one: StoredContact) => isOfPhone(one, phone) && (userId === undefined || one.userId === userId);
    return Promise.resolve(this.range(accountId, range, isOf));
  }

  listOfGroup(accountId: string, groupId: string, range: ContactRange): Promise<Contact[]> {
    const members = this.book.members.get(groupId);
    return Promise.resolve(this.range(accountId, range, ({ id }) => members?.has(id) === true));
  }

  search(
    accountId: string,
    groupId: string | null,
    search: ContactSearch,
    { limit, ...range }: ContactRange & { among: number },
  ): Promise<SearchedRange> {
    const members = groupId === null ? null : this.book.members.get(groupId);
    const matches = contactMatcher(search);
    const matching = this.range(
      accountId,
      { ...range, limit: Infinity },
      (one) => (members === null || members?.has(one.id) === true) && matches(one),
    );
    const found = matching.slice(0, limit);
    return Promise.resolve({ found, next: matching.length > limit ? (found.at(-1)?.id ?? null) : null });
  }

  searchIndexed(): Promise<null> {
    return Promise.resolve(null);
  }

  async change(accountId: string, contactId: string, patch: ContactPatch): Promise<boolean> {
    const stored = await this.find(accountId, contactId);
    if (!stored) return false;
    const { phone = stored.phone, userId = stored.userId, name = stored.name } = patch;
    const { parameters = stored.parameters, attributes = stored.attributes } = patch;
    const { username } = stored;
    this.refuseTaken(accountId, contactId, { phone, userId });
    const identity = { id: contactId, accountId, phone, userId, name, username };
    this.book.contactsById.set(contactId, { ...identity, parameters, attributes });
    return true;
  }

  holders(accountId: string, { phone, userId }: Person): Promise<{ byPhone?: string; byUserId?: string }> {
    const byPhone = this.book.contactWith(accountId, phone)?.id;
    return Promise.resolve({ byPhone, byUserId: this.book.contactOf(accountId, userId)?.id });
  }

  async upsertFromInbound(accountId: string, people: readonly NamedPerson[]): Promise<void> {
    const inOrder = [...people].sort((a, b) => (personKey(a)! < personKey(b)! ? -1 : 1));
    for (const person of inOrder) {
      const holder = this.book.contactOf(accountId, person.userId);
      const joining = holder?.phone === null ? holder : undefined;
      const known = person.phone === null ? holder : (this.book.contactWith(accountId, person.phone) ?? joining);
      const id = known?.id ?? uuidV7();
      this.book.contactsById.set(id, {
        id,
        accountId,
        phone: known?.phone ?? person.phone,
        userId: known?.userId ?? (holder ? null : person.userId),
        name: known?.name ?? person.name,
        username: person.username ?? known?.username ?? null,
        parameters: known?.parameters ?? {},
        attributes: known?.attributes ?? {},
      });
    }
    return Promise.resolve();
  }

  linkIdentities(accountId: string, people: readonly Person[]): Promise<void> {
    const known = people.filter(
      ({ phone, userId }) => this.book.contactWith(accountId, phone) ?? this.book.contactOf(accountId, userId),
    );
    return this.upsertFromInbound(
      accountId,
      known.map((person) => ({ ...person, name: null, username: null })),
    );
  }

  changeIdentity(accountId: string, { before, after }: IdentityChange): Promise<void> {
    const contact = this.book.contactWith(accountId, before.phone) ?? this.book.contactOf(accountId, before.userId);
    if (contact && after.phone !== null && !this.book.contactWith(accountId, after.phone)) contact.phone = after.phone;
    if (contact && after.userId !== null && !this.book.contactOf(accountId, after.userId))
      contact.userId = after.userId;
    return Promise.resolve();
  }

  async remove(accountId: string, contactId: string): Promise<boolean> {
    if (!(await this.find(accountId, contactId))) return false;
    for (const members of this.book.members.values()) members.delete(contactId);
    return this.book.contactsById.delete(contactId);
  }

  private range(
    accountId: string,
    { before, limit }: ContactRange,
    isWanted: (contact: StoredContact) => boolean,
  ): Contact[] {
    return [...this.book.contactsById.values()]
      .filter((one) => one.accountId === accountId && isWanted(one) && (before === undefined || one.id < before))
      .sort((a, b) => (a.id < b.id ? 1 : -1))
      .slice(0, limit)
      .map((one) => this.whole(one));
  }

  private whole(stored: StoredContact): Contact {
    const groups = [...this.book.groupsById.values()]
      .filter(({ id }) => this.book.members.get(id)?.has(stored.id))
      .map(({ id, name }) => ({ id, name }))
      .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
    return { ...stored, optedOutAt: this.book.optOuts.optedOutAt(stored.accountId, stored), groups };
  }

  private refuseTaken(
    accountId: string,
    contactId: string,
    { phone, userId }: Pick<NamedPerson, 'phone' | 'userId'>,
  ): void {
    const other = this.book.contactWith(accountId, phone);
    if (other && other.id !== contactId) throw new ContactPhoneTakenError(other.id);
    const holder = this.book.contactOf(accountId, userId);
    if (holder && holder.id !== contactId) throw new ContactUserIdTakenError(holder.id);
  }
}

function isOfPhone(contact: StoredContact, phone: string | undefined): boolean {
  return phone === undefined || (contact.phone !== null && contact.phone === phone);
}

/** The given attributes, then the stored ones that are not removed, up to the limit. */
function merged(stored: ContactAttributes, given: NonNullable<ContactDraft['attributes']>): ContactAttributes {
  const filled = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null);
  const kept = Object.entries(stored).filter(([name]) => !Object.hasOwn(given, name));
  kept.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries([...filled, ...kept].slice(0, MAX_ATTRIBUTES));
}
