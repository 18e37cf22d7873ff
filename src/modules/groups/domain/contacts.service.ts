import { Injectable } from '@nestjs/common';
import { freshClaim } from '../../../kernel/creation-claim';
import type { Slice, SliceRequest } from '../../../kernel/page';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import {
  type Contact,
  type ContactPatch,
  type ContactSearch,
  type NamedPerson,
  type PhoneReader,
  phoneError,
  readContact,
  searchFor,
  storablePerson,
} from './contact';
import { ContactQuota } from './contact-quota.service';
import { ContactStore } from './contact-store.port';
import {
  ContactInvalidError,
  ContactNotFoundError,
  ContactPhoneTakenError,
  ContactUserIdTakenError,
} from './groups.errors';
import { type IdentityChange, type Person, personKey } from './opt-out';
import { OptOutsService } from './opt-outs.service';
import { PhoneBook } from './phone-book.port';

/** How many contacts one search reads, in steps: if many match, the first step is enough, and every search is fast. */
const LOOKS_OF_A_SEARCH = [500, 5000, 5000, 5000, 5000];

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
  async create(accountId: string, plan: string, given: object, claim = freshClaim()): Promise<Contact> {
    const read = readContact(given, await this.phones.readerFor(accountId));
    if ('errors' in read) throw new ContactInvalidError(read.errors);
    await this.quota.reserve(accountId, plan, [read.draft]);
    const contactId = claim.resourceId;
    return this.unitOfWork.run(async () => {
      await claim.seal();
      await this.contacts.create(accountId, contactId, read.draft);
      await this.optOuts.unite(accountId, [read.draft]);
      return this.get(accountId, contactId);
    });
  }

  /**
   * All contacts, newest first, filtered by `phone` in any notation and by `search`; throws
   * ContactInvalidError for an invalid number.
   */
  async list(
    accountId: string,
    { cursor, limit, phone, search }: SliceRequest & { phone?: string; search?: string },
  ): Promise<Slice<Contact>> {
    const sought = search === undefined ? undefined : await this.sought(accountId, search);
    if (sought !== undefined && phone === undefined) return this.search(accountId, null, sought, { cursor, limit });
    const wanted = phone === undefined ? undefined : this.read(phone, await this.phones.readerFor(accountId));
    const found = await this.contacts.list(accountId, { phone: wanted, before: cursor, limit: limit + 1 });
    return sliceOf(sought === undefined ? found : found.filter(searchFor(sought)), limit);
  }

  /** Contacts of a group, newest first; empty for an unknown group. */
  async listOfGroup(
    accountId: string,
    groupId: string,
    { cursor, limit, search }: SliceRequest & { search?: string },
  ): Promise<Slice<Contact>> {
    if (search !== undefined) {
      return this.search(accountId, groupId, await this.sought(accountId, search), { cursor, limit });
    }
    const found = await this.contacts.listOfGroup(accountId, groupId, { before: cursor, limit: limit + 1 });
    return sliceOf(found, limit);
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
    const takesUserIdAway = patch.userId === null && phone === undefined;
    if (takesUserIdAway && (await this.get(accountId, contactId)).phone === null) {
      throw new ContactInvalidError([phoneError(undefined)]);
    }
    const change = this.unitOfWork.run(async () => {
      if (!(await this.contacts.change(accountId, contactId, { ...patch, phone }))) throw new ContactNotFoundError();
      await this.optOuts.unite(accountId, [await this.get(accountId, contactId)]);
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
   * Creates contacts for people who wrote to the account; existing contacts get a missing name and user id and the new username,
   * and those known only by user id get the phone. Joins the surrounding unit of work; repeating it changes nothing.
   */
  async upsertFromInbound(accountId: string, people: readonly NamedPerson[]): Promise<void> {
    const met = new Map<string, NamedPerson>();
    for (const given of people) {
      const person = storablePerson(given);
      const key = personKey(person);
      if (key === null) continue;
      const before = met.get(key);
      met.set(key, {
        phone: before?.phone ?? person.phone,
        userId: before?.userId ?? person.userId,
        name: before?.name ?? person.name,
        username: person.username ?? before?.username ?? null,
      });
    }
    if (met.size === 0) return;
    await this.contacts.upsertFromInbound(accountId, [...met.values()]);
    await this.optOuts.unite(accountId, [...met.values()]);
  }

  /** Extends opt-outs recorded under user ids to the phone numbers of the same people. Joins the surrounding transaction. */
  identified(accountId: string, people: readonly Person[]): Promise<void> {
    return this.optOuts.unite(accountId, people);
  }

  /**
   * Records that phone number and user id belong to the same person, for contacts that exist and for opt-outs. Joins the
   * surrounding unit of work.
   */
  async linkIdentities(accountId: string, people: readonly Person[]): Promise<void> {
    await this.contacts.linkIdentities(accountId, people);
    await this.optOuts.unite(accountId, people);
  }

  /**
   * Follows people to new phone numbers and user ids: their contacts and opt-outs. Joins the surrounding unit of work; repeating it
   * changes nothing.
   */
  async changeIdentities(accountId: string, changes: readonly IdentityChange[]): Promise<void> {
    for (const change of changes) {
      await this.contacts.changeIdentity(accountId, change);
      await this.optOuts.follow(accountId, change);
    }
  }

  /** Deletes the contact; an opt-out of its number remains. Throws ContactNotFoundError. */
  async remove(accountId: string, contactId: string): Promise<void> {
    if (!(await this.contacts.remove(accountId, contactId))) throw new ContactNotFoundError();
  }

  /** Searches a bounded number of contacts, so a page may be incomplete and still have a cursor. */
  private async search(
    accountId: string,
    groupId: string | null,
    search: ContactSearch,
    { cursor, limit }: SliceRequest,
  ): Promise<Slice<Contact>> {
    const items: Contact[] = [];
    let before = cursor;
    for (const among of LOOKS_OF_A_SEARCH) {
      const range = { before, among, limit: limit - items.length };
      const { found, next } = await this.contacts.search(accountId, groupId, search, range);
      items.push(...found);
      if (next === null || items.length >= limit) return { items, nextCursor: next };
      before = next;
    }
    return { items, nextCursor: before ?? null };
  }

  private async sought(accountId: string, text: string): Promise<ContactSearch> {
    return { text, number: await this.phones.search(accountId, text) };
  }

  private read(phone: string, readPhone: PhoneReader): string {
    const read = readPhone(phone);
    if (read === null) throw new ContactInvalidError([phoneError(phone)]);
    return read;
  }
}

/** The first `limit` of the found contacts; one more shows that there is a next page. */
function sliceOf(found: Contact[], limit: number): Slice<Contact> {
  const items = found.slice(0, limit);
  return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}
