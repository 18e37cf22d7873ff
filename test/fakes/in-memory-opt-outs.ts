import type { Page, PageRequest, Slice } from '../../src/kernel/page';
import { encodeCursor, type TimeCursor } from '../../src/kernel/time-cursor';
import {
  type OptOut,
  type OptOutRecord,
  type OptOutScope,
  type Person,
  personKey,
} from '../../src/modules/groups/domain/opt-out';
import type { OptOutKeywords } from '../../src/modules/groups/domain/opt-out-keywords';
import { OptOutKeywordsStore } from '../../src/modules/groups/domain/opt-out-keywords-store.port';
import { OptOutStore } from '../../src/modules/groups/domain/opt-out-store.port';

/** Opt-outs in memory. */
export class InMemoryOptOuts extends OptOutStore {
  private records: (OptOutRecord & { accountId: string })[] = [];

  /** Since when the person has opted out of all messages; null if not. */
  optedOutAt(accountId: string, person: Person): Date | null {
    const key = personKey(person);
    const isOut = (one: OptOutRecord): boolean => one.person === key && one.scope === 'All' && one.stopped;
    return this.records.find((one) => one.accountId === accountId && isOut(one))?.createdAt ?? null;
  }

  add(accountId: string, person: string, optOut: OptOut): Promise<OptOut> {
    const known = this.of(accountId, [person]).find(({ scope }) => scope === optOut.scope);
    if (known?.stopped) return Promise.resolve(optOutOf(known));
    if (known) Object.assign(known, optOut, { stopped: true });
    else this.records.push({ ...optOut, accountId, person, stopped: true, stopAt: null, startAt: null });
    return Promise.resolve(optOut);
  }

  remove(accountId: string, people: readonly string[]): Promise<OptOut[]> {
    const current = this.of(accountId, people).filter(({ stopped }) => stopped);
    for (const record of current) record.stopped = false;
    return Promise.resolve(current.map(optOutOf));
  }

  scopesOf(accountId: string, people: readonly string[]): Promise<Map<string, Set<OptOutScope>>> {
    const scopes = new Map<string, Set<OptOutScope>>();
    for (const { person, scope, stopped } of this.of(accountId, people)) {
      if (stopped) scopes.set(person, (scopes.get(person) ?? new Set()).add(scope));
    }
    return Promise.resolve(scopes);
  }

  list(accountId: string, { page, pageSize }: PageRequest): Promise<Page<OptOut>> {
    const all = this.newestFirst(accountId);
    const items = all.slice((page - 1) * pageSize, page * pageSize).map(optOutOf);
    return Promise.resolve({ items, page, pageSize, totalCount: all.length });
  }

  slice(
    accountId: string,
    { people, after, limit }: { people: readonly string[] | null; after: TimeCursor | null; limit: number },
  ): Promise<Slice<OptOut>> {
    const all = this.newestFirst(accountId).filter(({ person }) => people?.includes(person) ?? true);
    const placeOf = ({ createdAt, person, scope }: OptOutRecord) =>
      encodeCursor({ at: createdAt.toISOString().replace('Z', '000Z'), id: `${person} ${scope}` });
    const rest = all.slice(after ? all.findIndex((one) => placeOf(one) === encodeCursor(after)) + 1 : 0);
    const items = rest.slice(0, limit);
    return Promise.resolve({
      items: items.map(optOutOf),
      nextCursor: rest.length > limit ? placeOf(items.at(-1)!) : null,
    });
  }

  listOf(accountId: string, people: readonly string[]): Promise<(OptOut & Pick<OptOutRecord, 'stopAt'>)[]> {
    const all = this.newestFirst(accountId).filter(({ person }) => people.includes(person));
    return Promise.resolve(all.map((one) => ({ ...optOutOf(one), stopAt: one.stopAt })));
  }

  private newestFirst(accountId: string) {
    return this.records
      .filter((one) => one.accountId === accountId && one.stopped)
      .sort(
        (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.person + a.scope < b.person + b.scope ? -1 : 1),
      );
  }

  lock(accountId: string, scope: OptOutScope, people: readonly Person[]): Promise<OptOutRecord[]> {
    const keys = new Set<string>();
    for (const one of people) {
      const person = personKey(one);
      if (person === null || keys.has(person)) continue;
      keys.add(person);
      if (this.of(accountId, [person]).some((record) => record.scope === scope)) continue;
      const nothing = { stopped: false, stopAt: null, startAt: null, createdAt: new Date() };
      const { phone, userId } = one;
      this.records.push({ ...nothing, accountId, person, phone, userId, scope, source: 'Keyword' });
    }
    const locked = this.of(accountId, [...keys]).filter((record) => record.scope === scope);
    return Promise.resolve(locked.map((record) => ({ ...record })));
  }

  save(accountId: string, records: readonly OptOutRecord[]): Promise<void> {
    for (const record of records) {
      const known = this.of(accountId, [record.person]).find(({ scope }) => scope === record.scope);
      if (known) Object.assign(known, record);
    }
    return Promise.resolve();
  }

  addUserIds(accountId: string, people: readonly (Person & { phone: string })[]): Promise<void> {
    for (const { phone, userId } of people) for (const record of this.of(accountId, [phone])) record.userId = userId;
    return Promise.resolve();
  }

  deleteRecords(accountId: string, people: readonly string[]): Promise<OptOutRecord[]> {
    const deleted = this.of(accountId, people);
    this.records = this.records.filter((record) => !deleted.includes(record));
    return Promise.resolve(deleted);
  }

  private of(accountId: string, people: readonly string[]): (OptOutRecord & { accountId: string })[] {
    return this.records.filter((one) => one.accountId === accountId && people.includes(one.person));
  }
}

/** Keywords in memory. */
export class InMemoryOptOutKeywords extends OptOutKeywordsStore {
  private readonly byAccount = new Map<string, OptOutKeywords>();

  of(accountId: string): Promise<OptOutKeywords | null> {
    return Promise.resolve(this.byAccount.get(accountId) ?? null);
  }

  set(accountId: string, keywords: OptOutKeywords): Promise<void> {
    this.byAccount.set(accountId, keywords);
    return Promise.resolve();
  }
}

function optOutOf({ phone, userId, scope, source, createdAt }: OptOut): OptOut {
  return { phone, userId, scope, source, createdAt };
}
