import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { Page, PageRequest } from '../../../kernel/page';
import type { PhoneNumber } from '../../../kernel/phone-number';
import {
  type OptOut,
  type OptOutRecord,
  type OptOutScope,
  type OptOutSource,
  type Person,
  personKey,
} from '../domain/opt-out';
import { OptOutStore } from '../domain/opt-out-store.port';
import * as sql from './opt-outs.sql';

interface OptOutRow {
  person: string;
  scope: OptOutScope;
  phone: string | null;
  user_id: string | null;
  source: OptOutSource;
  stopped: boolean;
  created_at: Date;
  stop_at: Date | null;
  start_at: Date | null;
}

/** Opt-outs in the table `opt_outs`, whose key is the account, the person and the scope. */
@Injectable()
export class TypeOrmOptOutStore extends OptOutStore {
  constructor(private readonly database: Database) {
    super();
  }

  async add(accountId: string, person: string, { phone, userId, scope, source, createdAt }: OptOut): Promise<OptOut> {
    const added = [accountId, person, scope, phone, userId, source, createdAt];
    const [row] = await this.database.rows<OptOutRow>(sql.ADD, added);
    return optOutOf(row!);
  }

  async remove(accountId: string, people: readonly string[]): Promise<boolean> {
    return (await this.database.execute(sql.REMOVE, [accountId, people])).affected > 0;
  }

  async scopesOf(accountId: string, people: readonly string[]): Promise<Map<string, Set<OptOutScope>>> {
    const rows = await this.database.rows<OptOutRow>(sql.RECORDS_OF, [accountId, people]);
    const scopes = new Map<string, Set<OptOutScope>>();
    for (const { person, scope, stopped } of rows) {
      if (stopped) scopes.set(person, (scopes.get(person) ?? new Set()).add(scope));
    }
    return scopes;
  }

  async list(accountId: string, { page, pageSize }: PageRequest): Promise<Page<OptOut>> {
    const [count] = await this.database.rows<{ total: number }>(sql.COUNT, [accountId]);
    const rows = await this.database.rows<OptOutRow>(sql.LIST, [accountId, pageSize, (page - 1) * pageSize]);
    return { items: rows.map(optOutOf), page, pageSize, totalCount: count?.total ?? 0 };
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
    return (await this.database.rows<OptOutRow>(sql.LOCK, [accountId, scope, keys])).map(recordOf);
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

  async take(accountId: string, people: readonly string[]): Promise<OptOutRecord[]> {
    const { rows } = await this.database.execute<OptOutRow>(sql.TAKE, [accountId, people]);
    return rows.map(recordOf);
  }

  async phonesOf(accountId: string, userIds: readonly string[]): Promise<Map<string, PhoneNumber>> {
    const rows = await this.database.rows<{ user_id: string; phone: string }>(sql.PHONES_OF, [accountId, userIds]);
    return new Map(rows.map((row) => [row.user_id, row.phone]));
  }
}

function recordOf(row: OptOutRow): OptOutRecord {
  const { person, stopped, stop_at: stopAt, start_at: startAt } = row;
  return { ...optOutOf(row), person, stopped, stopAt, startAt };
}

function optOutOf(row: OptOutRow): OptOut {
  const { phone, user_id: userId, scope, source, created_at: createdAt } = row;
  return { phone, userId, scope, source, createdAt };
}
