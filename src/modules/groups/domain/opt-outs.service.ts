import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { Page, PageRequest } from '../../../kernel/page';
import { phoneKey } from '../../../kernel/phone-number';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { phoneFault } from './contact';
import { ContactInvalidError, KeywordsInvalidError, OptOutNotFoundError } from './groups.errors';
import {
  heard,
  type OptOut,
  type OptOutScope,
  type OptOutWord,
  type Person,
  personKey,
  secondOf,
  united,
} from './opt-out';
import { DEFAULT_KEYWORDS, faultsOfKeywords, keywordReader, type OptOutKeywords } from './opt-out-keywords';
import { OptOutKeywordsStore } from './opt-out-keywords-store.port';
import { OptOutStore } from './opt-out-store.port';
import { PhoneBook } from './phone-book.port';

/** A text message that a person wrote. */
export interface HeardMessage extends Person {
  text: string;
  at: Date;
}

/** What the platform says that a person wants of the account's marketing. */
export interface HeardPreference extends Person {
  stop: boolean;
  at: Date;
}

interface Said extends Person {
  word: OptOutWord;
}

/**
 * Who must not be written to. Every check and every change joins the surrounding transaction. An opt-out holds for every
 * form of a phone number, and for a user id that the contact book knows to be of the same person.
 */
@Injectable()
export class OptOutsService {
  constructor(
    private readonly optOuts: OptOutStore,
    private readonly phones: PhoneBook,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
    private readonly keywordsStore: OptOutKeywordsStore,
  ) {}

  /** Whether a person, by phone digits or by user id, wants no messages at all. */
  async isOptedOut(accountId: string, person: string): Promise<boolean> {
    return (await this.among(accountId, [person])).size > 0;
  }

  /** Those of the people, by phone digits or user id, that want no messages at all. */
  async among(accountId: string, people: readonly string[]): Promise<Set<string>> {
    const scopes = await this.standing(accountId, people);
    return new Set([...scopes].filter(([, scope]) => scope === 'All').map(([person]) => person));
  }

  /** What those of the people, by phone digits or user id, do not want who have opted out: all messages, or marketing alone. */
  async standing(accountId: string, people: readonly string[]): Promise<Map<string, OptOutScope>> {
    if (people.length === 0) return new Map();
    const userIds = people.filter(isUserId);
    const phones: ReadonlyMap<string, string> =
      userIds.length > 0 ? await this.optOuts.phonesOf(accountId, userIds) : new Map<string, string>();
    const keysOf = (person: string) => [person, phones.get(person) ?? person].map(phoneKey);
    const found = await this.optOuts.scopesOf(accountId, [...new Set(people.flatMap(keysOf))]);
    if (found.size === 0) return new Map();
    return new Map(
      people.flatMap((person) => {
        const scopes = keysOf(person).flatMap((key) => [...(found.get(key) ?? [])]);
        return scopes.length > 0 ? [[person, scopes.includes('All') ? 'All' : 'Marketing'] as const] : [];
      }),
    );
  }

  /** Newest first. */
  list(accountId: string, page: PageRequest): Promise<Page<OptOut>> {
    return this.optOuts.list(accountId, page);
  }

  /** Records that nobody may write to the number, as a person writes it; an earlier record stands. Throws ContactInvalidError. */
  async add(accountId: string, given: string): Promise<OptOut> {
    const phone = (await this.phones.readerFor(accountId))(given);
    if (phone === null) throw new ContactInvalidError([phoneFault(given)]);
    const optOut: OptOut = { phone, userId: null, scope: 'All', source: 'Api', createdAt: this.clock.now() };
    return this.optOuts.add(accountId, phoneKey(phone), optOut);
  }

  /**
   * Lets the account write to the person again, named by a phone number as a person writes it or by a user id; throws
   * OptOutNotFoundError, also for what is neither.
   */
  async remove(accountId: string, given: string): Promise<void> {
    if (!(await this.optOuts.remove(accountId, await this.keysOf(accountId, given)))) throw new OptOutNotFoundError();
  }

  /** The keywords of the account, or those of the service. */
  async keywords(accountId: string): Promise<OptOutKeywords> {
    return (await this.keywordsStore.of(accountId)) ?? DEFAULT_KEYWORDS;
  }

  /** Replaces the keywords of the account; STOP and START hold beside them. Throws KeywordsInvalidError. */
  async setKeywords(accountId: string, keywords: OptOutKeywords): Promise<OptOutKeywords> {
    const faults = faultsOfKeywords(keywords);
    if (faults.length > 0) throw new KeywordsInvalidError(faults);
    await this.keywordsStore.set(accountId, keywords);
    return keywords;
  }

  /**
   * Opts out or in who wrote nothing but a keyword. Takes the texts of messages of type text; a message that comes again,
   * or after a later one, changes nothing. Of two in one call that are of the same second, the one that stops counts.
   */
  heedMessages(accountId: string, messages: readonly HeardMessage[]): Promise<void> {
    return this.unitOfWork.run(async () => {
      if (messages.length === 0) return;
      const wordIn = keywordReader(await this.keywords(accountId));
      const said = messages.flatMap(({ phone, userId, text, at }): Said[] => {
        const word = wordIn(text);
        return word === null ? [] : [{ phone, userId, word: { stop: word === 'out', source: 'Keyword', at } }];
      });
      await this.hear(accountId, 'All', said);
    });
  }

  /** Keeps what the platform says of people's wish for marketing; like heedMessages. */
  heedPreferences(accountId: string, preferences: readonly HeardPreference[]): Promise<void> {
    return this.unitOfWork.run(async () => {
      if (preferences.length === 0) return;
      const said = preferences.map(({ phone, userId, stop, at }): Said => {
        return { phone, userId, word: { stop, source: 'Platform', at } };
      });
      await this.hear(accountId, 'Marketing', said);
    });
  }

  /** People whose number and user id are known now to be one person's: what was recorded under the user id holds for the number. */
  async unite(accountId: string, people: readonly Person[]): Promise<void> {
    const known = new Map(people.flatMap(({ phone, userId }) => (phone && userId ? [[userId, phone] as const] : [])));
    if (known.size === 0) return;
    await this.unitOfWork.run(async () => {
      const taken = await this.optOuts.take(accountId, [...known.keys()]);
      for (const scope of new Set(taken.map((record) => record.scope))) {
        const others = taken.filter((record) => record.scope === scope);
        const named = others.map((other) => ({ phone: known.get(other.person)!, userId: other.person }));
        const records = await this.optOuts.lock(accountId, scope, named);
        const after = records.map((record) =>
          others.filter(({ person }) => phoneKey(known.get(person)!) === record.person).reduce(united, record),
        );
        await this.optOuts.save(accountId, after);
      }
    });
  }

  /** What is meant by a phone number as a person writes it, or by a user id; nothing where it is neither. */
  private async keysOf(accountId: string, given: string): Promise<string[]> {
    if (isUserId(given)) {
      const phone = (await this.optOuts.phonesOf(accountId, [given])).get(given);
      return phone === undefined ? [given] : [given, phoneKey(phone)];
    }
    const phone = (await this.phones.readerFor(accountId))(given);
    return phone === null ? [] : [phoneKey(phone)];
  }

  private async hear(accountId: string, scope: OptOutScope, said: readonly Said[]): Promise<void> {
    if (said.length === 0) return;
    const now = this.clock.now();
    const withoutPhone = said.flatMap(({ phone, userId }) => (phone === null && userId !== null ? [userId] : []));
    const phones: ReadonlyMap<string, string> =
      withoutPhone.length > 0 ? await this.optOuts.phonesOf(accountId, withoutPhone) : new Map<string, string>();
    const named = said.map(({ phone, userId, word }): Said => {
      // A word from the future would outlive every later one.
      const at = word.at > now ? now : word.at;
      return { phone: phone ?? phones.get(userId ?? '') ?? null, userId, word: { ...word, at } };
    });
    const before = await this.optOuts.lock(accountId, scope, named);
    const after = new Map(before.map((record) => [record.person, record]));
    for (const { word, ...person } of named.sort(inOrder)) {
      const record = after.get(personKey(person) ?? '');
      if (record) after.set(record.person, heard(record, word));
    }
    const changed = before.filter((record) => after.get(record.person) !== record);
    await this.optOuts.save(
      accountId,
      changed.map(({ person }) => after.get(person)!),
    );
  }
}

/** Whole seconds are all that the platform tells: where no order is known, to be silent does no harm. */
function inOrder({ word: a }: Said, { word: b }: Said): number {
  return secondOf(a.at).getTime() - secondOf(b.at).getTime() || Number(a.stop) - Number(b.stop);
}

/** The country of the person, a dot, and letters and digits that the platform chose. */
function isUserId(text: string): boolean {
  return /^[A-Z]{2}\.[A-Za-z0-9.]{1,150}$/.test(text);
}
