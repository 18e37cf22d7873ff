import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { Page, PageRequest } from '../../../kernel/page';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { EventOutbox } from '../../events/domain/event-outbox.service';
import { phoneError } from './contact';
import { ContactInvalidError, KeywordsInvalidError, OptOutNotFoundError } from './groups.errors';
import {
  heard,
  type IdentityChange,
  type OptOut,
  type OptOutScope,
  type OptOutWord,
  type Person,
  personKey,
  secondOf,
  united,
} from './opt-out';
import {
  buttonReader,
  DEFAULT_KEYWORDS,
  errorsOfKeywords,
  keywordReader,
  type OptOutKeywords,
} from './opt-out-keywords';
import { OptOutKeywordsStore } from './opt-out-keywords-store.port';
import { OptOutStore } from './opt-out-store.port';
import { PhoneBook } from './phone-book.port';

/** A text message from a person. */
export interface HeardMessage extends Person {
  text: string;
  at: Date;
}

/** A button of a Marketing template that a person pressed. */
export interface PressedButton extends Person {
  /** Its label and its payload. */
  texts: readonly string[];
  at: Date;
}

/** A person's marketing preference, as reported by the platform. */
export interface ReportedPreference extends Person {
  stop: boolean;
  at: Date;
}

interface PersonWord extends Person {
  word: OptOutWord;
}

/**
 * Opt-outs. Every check and every change joins the surrounding transaction. An opt-out applies to every
 * form of a phone number, and to a user id that belongs to the same contact.
 */
@Injectable()
export class OptOutsService {
  constructor(
    private readonly optOuts: OptOutStore,
    private readonly phones: PhoneBook,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
    private readonly keywordsStore: OptOutKeywordsStore,
    private readonly events: EventOutbox,
  ) {}

  /** Whether a person, by phone digits or user id, has opted out of all messages. */
  async isOptedOut(accountId: string, person: string): Promise<boolean> {
    return (await this.among(accountId, [person])).size > 0;
  }

  /** The people, by phone digits or user id, who have opted out of all messages. */
  async among(accountId: string, people: readonly string[]): Promise<Set<string>> {
    const scopes = await this.standing(accountId, people);
    return new Set([...scopes].filter(([, scope]) => scope === 'All').map(([person]) => person));
  }

  /** The scope of each person, by phone digits or user id, who has opted out. */
  async standing(accountId: string, people: readonly string[]): Promise<Map<string, OptOutScope>> {
    if (people.length === 0) return new Map();
    const userIds = people.filter(isUserId);
    const phones: ReadonlyMap<string, string> =
      userIds.length > 0 ? await this.optOuts.phonesOf(accountId, userIds) : new Map<string, string>();
    const keysOf = (person: string) => [person, phones.get(person) ?? person].map((one) => this.phones.canonical(one));
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

  /** Records an opt-out of a number in any notation; an earlier record stays. Throws ContactInvalidError. */
  async add(accountId: string, given: string): Promise<OptOut> {
    const phone = (await this.phones.readerFor(accountId))(given);
    if (phone === null) throw new ContactInvalidError([phoneError(given)]);
    const optOut: OptOut = { phone, userId: null, scope: 'All', source: 'Api', createdAt: this.clock.now() };
    return this.unitOfWork.run(async () => {
      const [before] = await this.optOuts.lock(accountId, 'All', [optOut]);
      const added = await this.optOuts.add(accountId, phone, optOut);
      if (!before?.stopped) await this.tell(accountId, 'contact.opted_out', [{ ...optOut, at: optOut.createdAt }]);
      return added;
    });
  }

  /**
   * Deletes the opt-out of a person, given by a phone number in any notation or by a user id; throws
   * OptOutNotFoundError, also if the text is neither.
   */
  async remove(accountId: string, given: string): Promise<void> {
    const keys = await this.keysOf(accountId, given);
    await this.unitOfWork.run(async () => {
      const removed = await this.optOuts.remove(accountId, keys);
      if (removed.length === 0) throw new OptOutNotFoundError();
      const at = this.clock.now();
      await this.tell(
        accountId,
        'contact.opted_in',
        removed.map((optOut) => ({ ...optOut, source: 'Api', at })),
      );
    });
  }

  /** The keywords of the account, or the defaults. */
  async keywords(accountId: string): Promise<OptOutKeywords> {
    return (await this.keywordsStore.of(accountId)) ?? DEFAULT_KEYWORDS;
  }

  /** Replaces the keywords of the account; STOP and START always work in addition. Throws KeywordsInvalidError. */
  async setKeywords(accountId: string, keywords: OptOutKeywords): Promise<OptOutKeywords> {
    const errors = errorsOfKeywords(keywords);
    if (errors.length > 0) throw new KeywordsInvalidError(errors);
    await this.keywordsStore.set(accountId, keywords);
    return keywords;
  }

  /**
   * Opts people out or in whose text message is just a keyword. A message that arrives again,
   * or after a later one, changes nothing. Of two in one call within the same second, the opt-out wins.
   */
  applyMessages(accountId: string, messages: readonly HeardMessage[]): Promise<void> {
    return this.unitOfWork.run(async () => {
      if (messages.length === 0) return;
      const wordIn = keywordReader(await this.keywords(accountId));
      const words = messages.flatMap(({ phone, userId, text, at }): PersonWord[] => {
        const word = wordIn(text);
        return word === null ? [] : [{ phone, userId, word: { stop: word === 'out', source: 'Keyword', at } }];
      });
      await this.hear(accountId, 'All', words);
    });
  }

  /** Opts people out of marketing who pressed a button whose label or payload asks for that; like applyMessages. */
  applyButtons(accountId: string, buttons: readonly PressedButton[]): Promise<void> {
    return this.unitOfWork.run(async () => {
      if (buttons.length === 0) return;
      const optsOut = buttonReader(await this.keywords(accountId));
      const words = buttons
        .filter(({ texts }) => texts.some(optsOut))
        .map(({ phone, userId, at }): PersonWord => ({ phone, userId, word: { stop: true, source: 'Keyword', at } }));
      await this.hear(accountId, 'Marketing', words);
    });
  }

  /** Applies marketing preferences reported by the platform; like applyMessages. */
  applyPreferences(accountId: string, preferences: readonly ReportedPreference[]): Promise<void> {
    return this.unitOfWork.run(async () => {
      if (preferences.length === 0) return;
      const words = preferences.map(({ phone, userId, stop, at }): PersonWord => {
        return { phone, userId, word: { stop, source: 'Platform', at } };
      });
      await this.hear(accountId, 'Marketing', words);
    });
  }

  /** Merges opt-outs of people whose number and user id have turned out to belong together. */
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
          others.filter(({ person }) => known.get(person) === record.person).reduce(united, record),
        );
        await this.optOuts.save(accountId, after);
      }
    });
  }

  /**
   * Applies the opt-outs of a person to the new phone number or user id. Those of the former one stay too, as files and jobs may still
   * name it.
   */
  follow(accountId: string, { before, after }: IdentityChange): Promise<void> {
    return this.unitOfWork.run(async () => {
      const formerKeys = [before.phone, before.userId].filter((key) => key !== null);
      const known =
        after.userId === null ? undefined : (await this.optOuts.phonesOf(accountId, [after.userId])).get(after.userId);
      const now: Person = { phone: after.phone ?? known ?? null, userId: after.userId };
      const key = personKey(now);
      for (const scope of await this.scopesOf(accountId, formerKeys)) {
        const people = [...formerKeys.map((former) => personOf(former)), now];
        const records = await this.optOuts.lock(accountId, scope, people);
        const former = records.filter(({ person }) => person !== key);
        const record = records.find(({ person }) => person === key);
        if (record) await this.optOuts.save(accountId, [former.reduce(united, record)]);
      }
    });
  }

  /** The scopes in which one of these keys has opted out. */
  private async scopesOf(accountId: string, keys: readonly string[]): Promise<OptOutScope[]> {
    return [...new Set([...(await this.optOuts.scopesOf(accountId, keys)).values()].flatMap((scopes) => [...scopes]))];
  }

  /** The keys of a person given by a phone number in any notation or by a user id; empty if the text is neither. */
  private async keysOf(accountId: string, given: string): Promise<string[]> {
    if (isUserId(given)) {
      const phone = (await this.optOuts.phonesOf(accountId, [given])).get(given);
      return phone === undefined ? [given] : [given, phone];
    }
    const phone = (await this.phones.readerFor(accountId))(given);
    return phone === null ? [] : [phone];
  }

  private tell(
    accountId: string,
    type: 'contact.opted_out' | 'contact.opted_in',
    told: readonly (Omit<OptOut, 'createdAt'> & { at: Date })[],
  ): Promise<void> {
    return this.events.write(
      told.map(({ phone, userId, scope, source, at }) => ({
        accountId,
        type,
        at,
        data: { phone, userId, scope, source },
      })),
    );
  }

  /** All words have the same source. */
  private async hear(accountId: string, scope: OptOutScope, words: readonly PersonWord[]): Promise<void> {
    const [first] = words;
    if (!first) return;
    const { source } = first.word;
    const now = this.clock.now();
    const withoutPhone = words.flatMap(({ phone, userId }) => (phone === null && userId !== null ? [userId] : []));
    const phones: ReadonlyMap<string, string> =
      withoutPhone.length > 0 ? await this.optOuts.phonesOf(accountId, withoutPhone) : new Map<string, string>();
    const named = words.map(({ phone, userId, word }): PersonWord => {
      // A time in the future would override every later word.
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
    const turned = changed.filter(({ person, stopped }) => after.get(person)!.stopped !== stopped);
    const told = turned.map(({ person }) => {
      const record = after.get(person)!;
      return { ...record, source, at: (record.stopped ? record.createdAt : record.startAt) ?? now };
    });
    const [out, back] = [told.filter(({ stopped }) => stopped), told.filter(({ stopped }) => !stopped)];
    await this.tell(accountId, 'contact.opted_out', out);
    await this.tell(accountId, 'contact.opted_in', back);
  }
}

/** The platform's times are in seconds: if the order is unknown, the opt-out wins, because not sending does no harm. */
function inOrder({ word: a }: PersonWord, { word: b }: PersonWord): number {
  return secondOf(a.at).getTime() - secondOf(b.at).getTime() || Number(a.stop) - Number(b.stop);
}

/** A person with this key. */
function personOf(key: string): Person {
  return isUserId(key) ? { phone: null, userId: key } : { phone: key, userId: null };
}

/** Country of the person, a dot, and letters and digits. */
function isUserId(text: string): boolean {
  return /^[A-Z]{2}\.[A-Za-z0-9.]{1,150}$/.test(text);
}
