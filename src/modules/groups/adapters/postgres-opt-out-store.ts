import { Injectable } from '@nestjs/common';
import { countedTotal, withNextPage } from '../../../infra/database/counted-pages';
import { Database } from '../../../infra/database/database';
import type { Page, PageRequest, Slice } from '../../../kernel/page';
import { encodeCursor, type TimeCursor } from '../../../kernel/time-cursor';
import type { PhoneNumber } from '../../../kernel/phone-number';
import { type OptOut, type OptOutRecord, type OptOutScope, type Person, personKey } from '../domain/opt-out';
import { OptOutStore } from '../domain/opt-out-store.port';
import * as sql from './opt-outs.sql';

/** Stores opt-outs by account, person and scope. */
@Injectable()
export class PostgresOptOutStore extends OptOutStore {
  constructor(private readonly database: Database) {
    super();
  }

  async add(accountId: string, person: string, { phone, userId, scope, source, createdAt }: OptOut): Promise<OptOut> {
    const added = [accountId, person, scope, phone, userId, source, createdAt];
    const [optOut] = await this.database.rows<OptOut>(sql.ADD, added);
    return optOut!;
  }

  async remove(accountId: string, people: readonly string[]): Promise<OptOut[]> {
    return this.database.rows<OptOut>(sql.REMOVE, [accountId, people]);
  }

  async scopesOf(accountId: string, people: readonly string[]): Promise<Map<string, Set<OptOutScope>>> {
    const rows = await this.database.rows<Pick<OptOutRecord, 'person' | 'scope' | 'stopped'>>(sql.RECORDS_OF, [
      accountId,
      people,
    ]);
    const scopes = new Map<string, Set<OptOutScope>>();
    for (const { person, scope, stopped } of rows) {
      if (stopped) scopes.set(person, (scopes.get(person) ?? new Set()).add(scope));
    }
    return scopes;
  }

  async list(accountId: string, request: PageRequest): Promise<Page<OptOut>> {
    const { page, pageSize } = request;
    const { limit, offset } = withNextPage(request);
    const read = await this.database.rows<OptOut>(sql.LIST, [accountId, limit, offset]);
    const totalCount = await countedTotal(request, read.length, async (most) => {
      const [count] = await this.database.rows<{ total: number }>(sql.COUNT, [accountId, most]);
      return count?.total ?? 0;
    });
    return { items: read.slice(0, pageSize), page, pageSize, totalCount };
  }

  async slice(
    accountId: string,
    { people, after, limit }: { people: readonly string[] | null; after: TimeCursor | null; limit: number },
  ): Promise<Slice<OptOut>> {
    const { at, id } = after ?? { at: 'infinity', id: ' ' };
    const rows = await this.database.rows<OptOut & { person: string; at: string }>(sql.SLICE, [
      ...[accountId, at, ...id.split(' '), people, limit + 1],
    ]);
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    return {
      items: rows.slice(0, limit).map(({ person: _person, at: _at, ...optOut }) => optOut),
      nextCursor: last ? encodeCursor({ at: last.at, id: `${last.person} ${last.scope}` }) : null,
    };
  }

  listOf(accountId: string, people: readonly string[]): Promise<(OptOut & Pick<OptOutRecord, 'stopAt'>)[]> {
    return this.database.rows(sql.LIST_OF, [accountId, people]);
  }

  async lock(accountId: string, scope: OptOutScope, people: readonly Person[]): Promise<OptOutRecord[]> {
    const byKey = new Map<string, Person>();
    for (const person of people) {
      const key = personKey(person);
      if (key !== null && !byKey.has(key)) byKey.set(key, person);
    }
    const keys = [...byKey.keys()];
    if (keys.length === 0) return [];
    const named = [...byKey.values()];
    const phones = named.map(({ phone }) => phone);
    const userIds = named.map(({ userId }) => userId);
    await this.database.execute(sql.PREPARE, [accountId, scope, keys, phones, userIds]);
    return this.database.rows<OptOutRecord>(sql.LOCK, [accountId, scope, keys]);
  }

  async save(accountId: string, records: readonly OptOutRecord[]): Promise<void> {
    if (records.length === 0) return;
    await this.database.execute(sql.SAVE, [
      accountId,
      records.map(({ person }) => person),
      records.map(({ scope }) => scope),
      records.map(({ source }) => source),
      records.map(({ stopped }) => stopped),
      records.map(({ createdAt }) => createdAt),
      records.map(({ stopAt }) => stopAt),
      records.map(({ startAt }) => startAt),
    ]);
  }

  async addUserIds(accountId: string, people: readonly (Person & { phone: PhoneNumber })[]): Promise<void> {
    const [phones, userIds] = [people.map(({ phone }) => phone), people.map(({ userId }) => userId)];
    await this.database.execute(sql.ADD_USER_IDS, [accountId, phones, userIds]);
  }

  deleteRecords(accountId: string, people: readonly string[]): Promise<OptOutRecord[]> {
    return this.database.rows<OptOutRecord>(sql.DELETE_RECORDS, [accountId, people]);
  }
}
