import { Injectable } from '@nestjs/common';
import { unkeyedClaim } from '../../../kernel/creation-claim';
import type { Slice, SliceRequest } from '../../../kernel/page';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { isUserId } from '../../../kernel/user-id';
import {
  type Contact,
  type ContactPatch,
  type ContactSearch,
  type NamedPerson,
  type PhoneReader,
  phoneError,
  readContact,
  contactMatcher,
  cleanPerson,
} from './contact';
import { ContactQuota } from './contact-quota';
import { ContactStore } from './contact-store.port';
import {
  ContactInvalidError,
  ContactNotFoundError,
  ContactPhoneTakenError,
  ContactUserIdTakenError,
} from './groups.errors';
import { type IdentityChange, type Person, personKey } from './opt-out';
import { OptOutsService } from './opt-outs.service';
import { type ListReader, PhoneBook } from './phone-book.port';

/** Contacts that a search reads before it uses an index: if many match, they are enough. */
const FIRST_STEP = 500;
/** Contacts that it reads before the index if the first step found so many that these are likely to have the rest of the page. */
const MOST_BEFORE_INDEX = 5000;
/** Contacts that it reads in each step if no index can find them. */
const FURTHER_STEPS = [5000, 5000, 5000, 5000];

/** The contacts of an account. Changes do not affect existing jobs, which have copies of their recipients. */
@Injectable()
export class ContactsService {
  constructor(
    private readonly contacts: ContactStore,
    private readonly phones: PhoneBook,
    private readonly optOuts: OptOutsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly quota: ContactQuota,
  ) {}

  /**
   * Creates a contact without groups; throws ContactInvalidError, ContactPhoneTakenError, ContactUserIdTakenError,
   * QuotaExceededError.
   */
  async create(accountId: string, plan: string, given: object, claim = unkeyedClaim()): Promise<Contact> {
    const read = readContact(given, await this.phones.readerFor(accountId));
    if ('errors' in read) throw new ContactInvalidError(read.errors);
    await this.quota.reserve(accountId, plan, [read.draft]);
    const contactId = claim.resourceId;
    return this.unitOfWork.run(async () => {
      await claim.seal();
      await this.contacts.create(accountId, contactId, read.draft);
      await this.optOuts.mergeIdentities(accountId, [read.draft]);
      return this.get(accountId, contactId);
    });
  }

  /**
   * All contacts, newest first, filtered by `phone` in any notation, by `userId` and by `search`; a search for the user id of a contact
   * finds only that. Throws ContactInvalidError for an invalid number.
   */
  async list(
    accountId: string,
    { cursor, limit, phone, userId, search }: SliceRequest & { phone?: string; userId?: string; search?: string },
  ): Promise<Slice<Contact>> {
    const contactSearch = search === undefined ? undefined : await this.toSearch(accountId, search);
    if (contactSearch !== undefined && phone === undefined && userId === undefined)
      return this.search(accountId, null, contactSearch, { cursor, limit });
    const wanted = phone === undefined ? undefined : this.read(phone, await this.phones.readerFor(accountId));
    const found = await this.contacts.list(accountId, { phone: wanted, userId, before: cursor, limit: limit + 1 });
    return sliceOf(contactSearch === undefined ? found : found.filter(contactMatcher(contactSearch)), limit);
  }

  /** Returns the reader of the phone numbers of a list, with the given country or else the account's default country. */
  listReader(accountId: string, country?: string): Promise<ListReader> {
    return this.phones.listReaderFor(accountId, country);
  }

  /** Contacts of a group, newest first; empty for an unknown group. */
  async listOfGroup(
    accountId: string,
    groupId: string,
    { cursor, limit, search }: SliceRequest & { search?: string },
  ): Promise<Slice<Contact>> {
    if (search !== undefined) {
      return this.search(accountId, groupId, await this.toSearch(accountId, search), { cursor, limit });
    }
    const found = await this.contacts.listOfGroup(accountId, groupId, { before: cursor, limit: limit + 1 });
    return sliceOf(found, limit);
  }

  /** The name of each person's contact, in the given order; null: unknown. */
  namesOf(accountId: string, people: readonly Person[]): Promise<(string | null)[]> {
    return this.contacts.namesOf(accountId, people);
  }

  /** Throws ContactNotFoundError. */
  async get(accountId: string, contactId: string): Promise<Contact> {
    const contact = await this.contacts.find(accountId, contactId);
    if (!contact) throw new ContactNotFoundError();
    return contact;
  }

  /**
   * Throws ContactNotFoundError, ContactInvalidError, ContactPhoneTakenError, ContactUserIdTakenError. An opt-out stays
   * with the old number.
   */
  async change(accountId: string, contactId: string, patch: ContactPatch): Promise<Contact> {
    const phone =
      patch.phone === undefined ? undefined : this.read(patch.phone, await this.phones.readerFor(accountId));
    const removesUserId = patch.userId === null && phone === undefined;
    if (removesUserId && (await this.get(accountId, contactId)).phone === null) {
      throw new ContactInvalidError([phoneError(undefined)]);
    }
    const change = this.unitOfWork.run(async () => {
      if (!(await this.contacts.change(accountId, contactId, { ...patch, phone }))) throw new ContactNotFoundError();
      await this.optOuts.mergeIdentities(accountId, [await this.get(accountId, contactId)]);
      return this.get(accountId, contactId);
    });
    return change.catch(async (error: unknown) => {
      const isPhone = error instanceof ContactPhoneTakenError;
      if (!isPhone && !(error instanceof ContactUserIdTakenError)) throw error;
      const person = { phone: phone ?? null, userId: patch.userId ?? null };
      const { byPhone, byUserId } = await this.contacts.holders(accountId, person);
      throw isPhone ? new ContactPhoneTakenError(byPhone) : new ContactUserIdTakenError(byUserId);
    });
  }

  /**
   * Creates contacts for people who wrote to the account; existing contacts get a missing name, user id or phone and the new username.
   * Joins the surrounding unit of work; idempotent.
   */
  async upsertFromInbound(accountId: string, people: readonly NamedPerson[]): Promise<void> {
    const byKey = new Map<string, NamedPerson>();
    for (const given of people) {
      const person = cleanPerson(given);
      const key = personKey(person);
      if (key === null) continue;
      const before = byKey.get(key);
      byKey.set(key, {
        phone: before?.phone ?? person.phone,
        userId: before?.userId ?? person.userId,
        name: before?.name ?? person.name,
        username: person.username ?? before?.username ?? null,
      });
    }
    if (byKey.size === 0) return;
    await this.contacts.upsertFromInbound(accountId, [...byKey.values()]);
    await this.optOuts.mergeIdentities(accountId, [...byKey.values()]);
  }

  /** Applies opt-outs recorded under user ids to the phone numbers of the same people. Joins the surrounding transaction. */
  mergeOptOuts(accountId: string, people: readonly Person[]): Promise<void> {
    return this.optOuts.mergeIdentities(accountId, people);
  }

  /**
   * Links phone number and user id of each person in existing contacts and in opt-outs. Joins the surrounding unit of work.
   */
  async linkIdentities(accountId: string, people: readonly Person[]): Promise<void> {
    await this.contacts.linkIdentities(accountId, people);
    await this.optOuts.mergeIdentities(accountId, people);
  }

  /**
   * Moves contacts and opt-outs of people to their new phone numbers and user ids. Joins the surrounding unit of work; idempotent.
   */
  async changeIdentities(accountId: string, changes: readonly IdentityChange[]): Promise<void> {
    for (const change of changes) {
      await this.contacts.changeIdentity(accountId, change);
      await this.optOuts.copyToNewIdentity(accountId, change);
    }
  }

  /** Deletes the contact; an opt-out of its number remains. Throws ContactNotFoundError. */
  async remove(accountId: string, contactId: string): Promise<void> {
    if (!(await this.contacts.remove(accountId, contactId))) throw new ContactNotFoundError();
  }

  /** Searches a limited number of contacts, so an incomplete page may have a cursor. */
  private async search(
    accountId: string,
    groupId: string | null,
    search: ContactSearch,
    { cursor, limit }: SliceRequest,
  ): Promise<Slice<Contact>> {
    const exact = isUserId(search.text) ? await this.contacts.list(accountId, { userId: search.text, limit: 1 }) : [];
    if (exact.length > 0) {
      const isSearched = (contact: Contact) => groupId === null || contact.groups.some(({ id }) => id === groupId);
      return { items: cursor === undefined ? exact.filter(isSearched) : [], nextCursor: null };
    }
    const first = await this.contacts.search(accountId, groupId, search, { before: cursor, limit, among: FIRST_STEP });
    const items = first.found;
    let { next } = first;
    const isDone = () => next === null || items.length >= limit;
    const further = () => ({ before: next!, limit: limit - items.length });
    const toRead = Math.ceil((FIRST_STEP * (limit - items.length)) / items.length);
    if (!isDone() && toRead <= MOST_BEFORE_INDEX) {
      const among = Math.min(toRead + FIRST_STEP, MOST_BEFORE_INDEX);
      const second = await this.contacts.search(accountId, groupId, search, { ...further(), among });
      items.push(...second.found);
      next = second.next;
    }
    const indexed = isDone() ? null : await this.contacts.searchIndexed(accountId, groupId, search, further());
    if (indexed) return { items: [...items, ...indexed.found], nextCursor: indexed.next };
    for (const among of FURTHER_STEPS) {
      if (isDone()) break;
      const range = await this.contacts.search(accountId, groupId, search, { ...further(), among });
      items.push(...range.found);
      next = range.next;
    }
    return { items, nextCursor: next };
  }

  private async toSearch(accountId: string, text: string): Promise<ContactSearch> {
    return { text: text.trim(), number: await this.phones.search(accountId, text) };
  }

  private read(phone: string, readPhone: PhoneReader): string {
    const read = readPhone(phone);
    if (read === null) throw new ContactInvalidError([phoneError(phone)]);
    return read;
  }
}

/** The first `limit` contacts; one more in `found` means that there is a next page. */
function sliceOf(found: Contact[], limit: number): Slice<Contact> {
  const items = found.slice(0, limit);
  return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}
