import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { Page, PageRequest, Slice, SliceRequest } from '../../../kernel/page';
import { decodeCursor } from '../../../kernel/time-cursor';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { isUserId } from '../../../kernel/user-id';
import { type Actor, AuditLogService } from '../../accounts/domain/audit-log.service';
import { EventOutbox } from '../../events/domain/event-outbox';
import { phoneError } from './contact';
import { ContactInvalidError, KeywordsInvalidError, OptOutNotFoundError } from './groups.errors';
import {
  applyChoice,
  OPT_OUT_IDS,
  type IdentityChange,
  type OptOut,
  type OptOutRecord,
  type OptOutScope,
  type OptOutChoice,
  type Person,
  personByKey,
  personKey,
  secondOf,
  mergeRecords,
} from './opt-out';
import {
  buttonReader,
  DEFAULT_KEYWORDS,
  errorsOfKeywords,
  keywordReader,
  type OptOutKeywords,
} from './opt-out-keywords';
import { OptOutKeywordsStore } from './opt-out-keywords-store.port';
import { KnownNumbers } from './known-numbers';
import { OptOutStore } from './opt-out-store.port';
import { PhoneBook } from './phone-book.port';

/** A text message from a person. */
export interface InboundText extends Person {
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

interface PersonChoice extends Person {
  choice: OptOutChoice;
}

/**
 * Opt-outs. Every check and every change joins the surrounding transaction. An opt-out applies to every
 * form of a phone number, and to a user id that belongs to the same contact.
 */
@Injectable()
export class OptOutsService {
  constructor(
    private readonly optOuts: OptOutStore,
    private readonly numbers: KnownNumbers,
    private readonly phones: PhoneBook,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
    private readonly keywordsStore: OptOutKeywordsStore,
    private readonly events: EventOutbox,
    private readonly audit: AuditLogService,
  ) {}

  /** Whether a person, by phone digits or user id, has opted out of all messages. */
  async isOptedOut(accountId: string, person: string): Promise<boolean> {
    return (await this.optedOutAmong(accountId, [person])).size > 0;
  }

  /** Those of the people, by phone digits or user id, who have opted out of all messages. */
  async optedOutAmong(accountId: string, people: readonly string[]): Promise<Set<string>> {
    const scopes = await this.scopesByPerson(accountId, people);
    return new Set([...scopes].filter(([, scope]) => scope === 'All').map(([person]) => person));
  }

  /** When a person, by phone digits or user id, last opted out of all messages; null: they have not. */
  async optedOutAt(accountId: string, person: string): Promise<Date | null> {
    const keys = await this.keysByPerson(accountId, [person]);
    const found = await this.optOuts.listOf(accountId, keys(person));
    const times = found.flatMap(({ scope, createdAt, stopAt }) =>
      scope === 'All' ? [createdAt, stopAt ?? createdAt] : [],
    );
    return times.length === 0 ? null : new Date(Math.max(...times.map((at) => at.getTime())));
  }

  /** The scope of each person, by phone digits or user id, who has opted out. */
  async scopesByPerson(accountId: string, people: readonly string[]): Promise<Map<string, OptOutScope>> {
    if (people.length === 0) return new Map();
    const keysOf = await this.keysByPerson(accountId, people);
    const found = await this.optOuts.scopesOf(accountId, [...new Set(people.flatMap(keysOf))]);
    if (found.size === 0) return new Map();
    return new Map(
      people.flatMap((person) => {
        const scopes = keysOf(person).flatMap((key) => [...(found.get(key) ?? [])]);
        return scopes.length > 0 ? [[person, scopes.includes('All') ? 'All' : 'Marketing'] as const] : [];
      }),
    );
  }

  /** Newest first; only those of `person`, if given: a phone number in any notation or a user id, as in `remove`. */
  async list(accountId: string, { person, ...request }: PageRequest & { person?: string }): Promise<Page<OptOut>> {
    if (person === undefined) return this.optOuts.list(accountId, request);
    const { page, pageSize } = request;
    const all = await this.optOuts.listOf(accountId, await this.keysOf(accountId, person));
    return { items: all.slice((page - 1) * pageSize, page * pageSize), page, pageSize, totalCount: all.length };
  }

  /** The same by cursors; an empty one starts. */
  async slice(
    accountId: string,
    { person, cursor = '', limit }: SliceRequest & { person?: string },
  ): Promise<Slice<OptOut>> {
    const people = person === undefined ? null : await this.keysOf(accountId, person);
    return this.optOuts.slice(accountId, { people, after: decodeCursor(cursor, OPT_OUT_IDS), limit });
  }

  /**
   * Records an opt-out of a number in any notation, or of a user id; an earlier record of the scope stays. Throws
   * ContactInvalidError for an invalid number.
   */
  async add(actor: Actor, given: { phone: string } | { userId: string }, scope: OptOutScope = 'All'): Promise<OptOut> {
    const { accountId } = actor;
    const person = await this.personGiven(accountId, given);
    const optOut: OptOut = { ...person, scope, source: 'Api', createdAt: this.clock.now() };
    const recorded = await this.unitOfWork.run(async () => {
      const [before] = await this.optOuts.lock(accountId, scope, [optOut]);
      const added = await this.optOuts.add(accountId, personKey(person)!, optOut);
      if (!before?.stopped) await this.emit(accountId, 'contact.opted_out', [{ ...optOut, at: optOut.createdAt }]);
      await this.audit.record(actor, { action: 'opt_out.created', targetId: null });
      return added;
    });
    if (person.phone === null) await this.joinIdentities(accountId, [person.userId!]);
    return recorded;
  }

  /** Records opt-outs of people; those who have opted out keep their record. Returns how many are new. */
  async addAll(accountId: string, people: readonly Person[]): Promise<number> {
    const at = this.clock.now();
    const added = await this.unitOfWork.run(async () => {
      const before = await this.optOuts.lock(accountId, 'All', people);
      const records = before
        .filter(({ stopped }) => !stopped)
        .map((record): OptOutRecord => ({ ...record, stopped: true, source: 'Api', createdAt: at }));
      await this.optOuts.save(accountId, records);
      await this.emit(
        accountId,
        'contact.opted_out',
        records.map((record) => ({ ...record, at })),
      );
      return records.length;
    });
    const hidden = people.flatMap(({ phone, userId }) => (phone === null && userId !== null ? [userId] : []));
    await this.joinIdentities(accountId, hidden);
    return added;
  }

  /**
   * Deletes the opt-out of a person, given by a phone number in any notation or by a user id; throws
   * OptOutNotFoundError, also if the text is neither.
   */
  async remove(actor: Actor, given: string): Promise<void> {
    const { accountId } = actor;
    const keys = await this.keysOf(accountId, given);
    await this.unitOfWork.run(async () => {
      const removed = await this.optOuts.remove(accountId, keys);
      if (removed.length === 0) throw new OptOutNotFoundError();
      const at = this.clock.now();
      await this.emit(
        accountId,
        'contact.opted_in',
        removed.map((optOut) => ({ ...optOut, source: 'Api', at })),
      );
      await this.audit.record(actor, { action: 'opt_out.deleted', targetId: null });
    });
  }

  /** The keywords of the account, or the defaults. */
  async keywords(accountId: string): Promise<OptOutKeywords> {
    return (await this.keywordsStore.of(accountId)) ?? DEFAULT_KEYWORDS;
  }

  /** Returns predicates for texts, and for labels and payloads of Marketing buttons, that opt a person out or in. */
  async reader(accountId: string): Promise<{ text: (text: string) => boolean; button: (text: string) => boolean }> {
    const keywords = await this.keywords(accountId);
    const keywordIn = keywordReader(keywords);
    return { text: (text) => keywordIn(text) !== null, button: buttonReader(keywords) };
  }

  /** Replaces the keywords of the account; STOP and START always work in addition. Throws KeywordsInvalidError. */
  async setKeywords(actor: Actor, keywords: OptOutKeywords): Promise<OptOutKeywords> {
    const errors = errorsOfKeywords(keywords);
    if (errors.length > 0) throw new KeywordsInvalidError(errors);
    await this.unitOfWork.run(async () => {
      await this.keywordsStore.set(actor.accountId, keywords);
      await this.audit.record(actor, {
        ...{ action: 'settings.changed', targetId: null },
        fields: ['optOutKeywords', 'optInKeywords'],
      });
    });
    return keywords;
  }

  /**
   * Opts people out or in whose text message is just a keyword. Repeated and outdated messages change nothing; of two in one call
   * within the same second, the opt-out wins.
   */
  applyMessages(accountId: string, messages: readonly InboundText[]): Promise<void> {
    return this.unitOfWork.run(async () => {
      if (messages.length === 0) return;
      const keywordIn = keywordReader(await this.keywords(accountId));
      const choices = messages.flatMap(({ phone, userId, text, at }): PersonChoice[] => {
        const choice = keywordIn(text);
        return choice === null ? [] : [{ phone, userId, choice: { stop: choice === 'out', source: 'Keyword', at } }];
      });
      await this.applyChoices(accountId, 'All', choices);
    });
  }

  /** Opts people out of marketing who pressed an opt-out button; like applyMessages. */
  applyButtons(accountId: string, buttons: readonly PressedButton[]): Promise<void> {
    return this.unitOfWork.run(async () => {
      if (buttons.length === 0) return;
      const optsOut = buttonReader(await this.keywords(accountId));
      const choices = buttons
        .filter(({ texts }) => texts.some(optsOut))
        .map(({ phone, userId, at }): PersonChoice => ({
          phone,
          userId,
          choice: { stop: true, source: 'Keyword', at },
        }));
      await this.applyChoices(accountId, 'Marketing', choices);
    });
  }

  /** Applies marketing preferences reported by the platform; like applyMessages. */
  applyPreferences(accountId: string, preferences: readonly ReportedPreference[]): Promise<void> {
    return this.unitOfWork.run(async () => {
      if (preferences.length === 0) return;
      const choices = preferences.map(({ phone, userId, stop, at }): PersonChoice => {
        return { phone, userId, choice: { stop, source: 'Platform', at } };
      });
      await this.applyChoices(accountId, 'Marketing', choices);
    });
  }

  /** Merges the opt-outs of people whose phone number and user id are now both known. */
  async mergeIdentities(accountId: string, people: readonly Person[]): Promise<void> {
    const known = new Map(people.flatMap(({ phone, userId }) => (phone && userId ? [[userId, phone] as const] : [])));
    if (known.size === 0) return;
    await this.unitOfWork.run(async () => {
      await this.optOuts.addUserIds(
        accountId,
        [...known].map(([userId, phone]) => ({ phone, userId })),
      );
      const deleted = await this.optOuts.deleteRecords(accountId, [...known.keys()]);
      for (const scope of new Set(deleted.map((record) => record.scope))) {
        const others = deleted.filter((record) => record.scope === scope);
        const named = others.map((other) => ({ phone: known.get(other.person)!, userId: other.person }));
        const records = await this.optOuts.lock(accountId, scope, named);
        const after = records.map((record) =>
          others.filter(({ person }) => known.get(person) === record.person).reduce(mergeRecords, record),
        );
        await this.optOuts.save(accountId, after);
      }
    });
  }

  /**
   * Moves opt-outs that were recorded under these user ids to the numbers that are known by now. Call it after the recording
   * transaction has committed: of an opt-out and a concurrent report of both identities, the later commit sees the other's rows.
   */
  async joinIdentities(accountId: string, userIds: readonly string[]): Promise<void> {
    const stopped = await this.optOuts.scopesOf(accountId, userIds);
    if (stopped.size === 0) return;
    const phones = await this.numbers.of(accountId, [...stopped.keys()]);
    await this.mergeIdentities(
      accountId,
      [...phones].map(([userId, phone]) => ({ phone, userId })),
    );
  }

  /**
   * Copies the opt-outs of a person to the new phone number or user id. The former ones remain, as files and jobs may still
   * contain it.
   */
  copyToNewIdentity(accountId: string, { before, after }: IdentityChange): Promise<void> {
    return this.unitOfWork.run(async () => {
      const formerKeys = [before.phone, before.userId].filter((key) => key !== null);
      const now = await this.numbers.identified(accountId, after);
      const key = personKey(now);
      for (const scope of await this.scopesOf(accountId, formerKeys)) {
        const people = [...formerKeys.map((former) => personByKey(former)), now];
        const records = await this.optOuts.lock(accountId, scope, people);
        const former = records.filter(({ person }) => person !== key);
        const record = records.find(({ person }) => person === key);
        if (record) await this.optOuts.save(accountId, [former.reduce(mergeRecords, record)]);
      }
    });
  }

  /** Returns a function with the keys of each of these people, by phone digits or user id. */
  private async keysByPerson(accountId: string, people: readonly string[]): Promise<(person: string) => string[]> {
    const phones = await this.numbers.of(accountId, people);
    return (person) => [person, phones.get(person) ?? person].map((one) => this.phones.canonical(one));
  }

  /** The scopes in which one of these keys has opted out. */
  private async scopesOf(accountId: string, keys: readonly string[]): Promise<OptOutScope[]> {
    return [...new Set([...(await this.optOuts.scopesOf(accountId, keys)).values()].flatMap((scopes) => [...scopes]))];
  }

  /** The keys of a person given by a phone number in any notation or by a user id; empty if the text is neither. */
  private async keysOf(accountId: string, given: string): Promise<string[]> {
    if (isUserId(given)) {
      const phone = (await this.numbers.of(accountId, [given])).get(given);
      return phone === undefined ? [given] : [given, phone];
    }
    const phone = (await this.phones.readerFor(accountId))(given);
    return phone === null ? [] : [phone];
  }

  private async personGiven(accountId: string, given: { phone: string } | { userId: string }): Promise<Person> {
    if ('userId' in given) return this.numbers.identified(accountId, { phone: null, userId: given.userId });
    const phone = (await this.phones.readerFor(accountId))(given.phone);
    if (phone === null) throw new ContactInvalidError([phoneError(given.phone)]);
    return { phone, userId: null };
  }

  private emit(
    accountId: string,
    type: 'contact.opted_out' | 'contact.opted_in',
    changes: readonly (Omit<OptOut, 'createdAt'> & { at: Date })[],
  ): Promise<void> {
    return this.events.write(
      changes.map(({ phone, userId, scope, source, at }) => ({
        accountId,
        type,
        at,
        data: { phone, userId, scope, source },
      })),
    );
  }

  /** All choices must have the same source. */
  private async applyChoices(accountId: string, scope: OptOutScope, choices: readonly PersonChoice[]): Promise<void> {
    const [first] = choices;
    if (!first) return;
    const { source } = first.choice;
    const now = this.clock.now();
    const withoutPhone = choices.flatMap(({ phone, userId }) => (phone === null && userId !== null ? [userId] : []));
    const phones = await this.numbers.of(accountId, withoutPhone);
    const named = choices.map(({ phone, userId, choice }): PersonChoice => {
      // A time in the future would override every later choice.
      const at = choice.at > now ? now : choice.at;
      return { phone: phone ?? phones.get(userId ?? '') ?? null, userId, choice: { ...choice, at } };
    });
    const before = await this.optOuts.lock(accountId, scope, named);
    const after = new Map(before.map((record) => [record.person, record]));
    for (const { choice, ...person } of named.sort(byTime)) {
      const record = after.get(personKey(person) ?? '');
      if (record) after.set(record.person, applyChoice(record, choice));
    }
    const changed = before.filter((record) => after.get(record.person) !== record);
    await this.optOuts.save(
      accountId,
      changed.map(({ person }) => after.get(person)!),
    );
    const switched = changed.filter(({ person, stopped }) => after.get(person)!.stopped !== stopped);
    const changes = switched.map(({ person }) => {
      const record = after.get(person)!;
      return { ...record, source, at: (record.stopped ? record.createdAt : record.startAt) ?? now };
    });
    const [out, back] = [changes.filter(({ stopped }) => stopped), changes.filter(({ stopped }) => !stopped)];
    await this.emit(accountId, 'contact.opted_out', out);
    await this.emit(accountId, 'contact.opted_in', back);
  }
}

/** The platform's times are in seconds: if the order is unknown, the opt-out wins, because not sending is harmless. */
function byTime({ choice: a }: PersonChoice, { choice: b }: PersonChoice): number {
  return secondOf(a.at).getTime() - secondOf(b.at).getTime() || Number(a.stop) - Number(b.stop);
}
