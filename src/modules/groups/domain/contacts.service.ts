import { Injectable } from '@nestjs/common';
import type { Slice, SliceRequest } from '../../../kernel/page';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { uuidV7 } from '../../../kernel/uuid';
import {
  type Contact,
  type ContactPatch,
  type NamedPerson,
  type PhoneReader,
  phoneFault,
  readContact,
  searchFor,
  storablePerson,
} from './contact';
import { ContactStore } from './contact-store.port';
import {
  ContactInvalidError,
  ContactNotFoundError,
  ContactPhoneTakenError,
  ContactUserIdTakenError,
} from './groups.errors';
import { type Person, personKey } from './opt-out';
import { OptOutsService } from './opt-outs.service';
import { PhoneBook } from './phone-book.port';

/** Contacts that one search looks at, look by look: where many match, the first is enough, and none takes long. */
const LOOKS_OF_A_SEARCH = [500, 5000, 5000, 5000, 5000];

/** The people that an account can write to. A job froze its recipients when it was made: no change here reaches it. */
@Injectable()
export class ContactsService {
  constructor(
    private readonly contacts: ContactStore,
    private readonly phones: PhoneBook,
    private readonly optOuts: OptOutsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** A new contact in no group; throws ContactInvalidError, ContactPhoneTakenError, ContactUserIdTakenError. */
  async create(accountId: string, given: object): Promise<Contact> {
    const read = readContact(given, await this.phones.readerFor(accountId));
    if ('faults' in read) throw new ContactInvalidError(read.faults);
    const contactId = uuidV7();
    return this.unitOfWork.run(async () => {
      await this.contacts.create(accountId, contactId, read.draft);
      await this.optOuts.unite(accountId, [read.draft]);
      return this.get(accountId, contactId);
    });
  }

  /**
   * All contacts, newest first, or the one with `phone`, written as a person writes it, where `search` finds it; throws
   * ContactInvalidError for what is no number.
   */
  async list(
    accountId: string,
    { cursor, limit, phone, search }: SliceRequest & { phone?: string; search?: string },
  ): Promise<Slice<Contact>> {
    if (search !== undefined && phone === undefined) return this.search(accountId, null, search, { cursor, limit });
    const wanted = phone === undefined ? undefined : this.read(phone, await this.phones.readerFor(accountId));
    const found = await this.contacts.list(accountId, { phone: wanted, before: cursor, limit: limit + 1 });
    return sliceOf(search === undefined ? found : found.filter(searchFor(search)), limit);
  }

  /** Contacts of a group, newest contact first; a group that is none has no contacts. */
  async listOfGroup(
    accountId: string,
    groupId: string,
    { cursor, limit, search }: SliceRequest & { search?: string },
  ): Promise<Slice<Contact>> {
    if (search !== undefined) return this.search(accountId, groupId, search, { cursor, limit });
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
      throw new ContactInvalidError([phoneFault(undefined)]);
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
   * Makes contacts of people who wrote to the account and are none; a contact gets the name and the user id that it has
   * not, and one known by its user id alone the phone. Joins the surrounding unit of work; does nothing the second time.
   */
  async meet(accountId: string, people: readonly NamedPerson[]): Promise<void> {
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
      });
    }
    if (met.size === 0) return;
    await this.contacts.meet(accountId, [...met.values()]);
    await this.optOuts.unite(accountId, [...met.values()]);
  }

  /** Lets what is recorded of people under their user ids hold for their numbers, too. Joins the surrounding transaction. */
  identified(accountId: string, people: readonly Person[]): Promise<void> {
    return this.optOuts.unite(accountId, people);
  }

  /** Removes the contact from its groups and from the account; an opt-out of its number stands. Throws ContactNotFoundError. */
  async remove(accountId: string, contactId: string): Promise<void> {
    if (!(await this.contacts.remove(accountId, contactId))) throw new ContactNotFoundError();
  }

  /** Looks at no more contacts than a moment allows: a stretch may hold fewer than there is room for, and a cursor. */
  private async search(
    accountId: string,
    groupId: string | null,
    text: string,
    { cursor, limit }: SliceRequest,
  ): Promise<Slice<Contact>> {
    const items: Contact[] = [];
    let before = cursor;
    for (const among of LOOKS_OF_A_SEARCH) {
      const stretch = { before, among, limit: limit - items.length };
      const { found, next } = await this.contacts.search(accountId, groupId, text, stretch);
      items.push(...found);
      if (next === null || items.length >= limit) return { items, nextCursor: next };
      before = next;
    }
    return { items, nextCursor: before ?? null };
  }

  private read(phone: string, readPhone: PhoneReader): string {
    const read = readPhone(phone);
    if (read === null) throw new ContactInvalidError([phoneFault(phone)]);
    return read;
  }
}

/** The first `limit` of the contacts that were found; one more of them tells that the list goes on. */
function sliceOf(found: Contact[], limit: number): Slice<Contact> {
  const items = found.slice(0, limit);
  return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}
