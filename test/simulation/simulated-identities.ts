import type { Page, Slice } from '../../src/kernel/page';
import type { ConversationStore } from '../../src/modules/chat-history/domain/conversation-store.port';
import type { IdentifiedPerson, KnownByUserId } from '../../src/modules/groups/domain/identified-person';
import { KnownNumberStore } from '../../src/modules/groups/domain/known-number-store.port';
import {
  type OptOut,
  type OptOutRecord,
  type OptOutScope,
  type Person,
  personByKey,
  personKey,
} from '../../src/modules/groups/domain/opt-out';
import { OptOutStore } from '../../src/modules/groups/domain/opt-out-store.port';
import type { OptOutRow } from './history-database';
import type { ProcessDatabase } from './process-database';
import type { Row, Transaction } from './table';

const SCOPES: readonly OptOutScope[] = ['All', 'Marketing'];

/** Known numbers, statement by statement like the SQL of the real store. */
export class SimulatedKnownNumbers extends KnownNumberStore {
  constructor(protected readonly database: ProcessDatabase) {
    super();
  }

  find(people: readonly KnownByUserId[]): Promise<IdentifiedPerson[]> {
    return this.database.statement('KNOWN_NUMBERS', (transaction) =>
      people.flatMap(({ accountId, userId }) => {
        const link = this.database.server.links.row(`${accountId} ${userId}`).seenBy(transaction);
        return link ? [{ ...link }] : [];
      }),
    );
  }
}

/** Links numbers and user ids in one statement, like the SQL of the real store; everyone named has a conversation. */
export function linksOn(database: ProcessDatabase): Pick<ConversationStore, 'linkUserIds'> {
  const { server } = database;
  return {
    linkUserIds: (people) =>
      database.statement('LINK_USER_IDS', async (transaction) => {
        const linked: IdentifiedPerson[] = [];
        for (const person of [...people].sort((a, b) => (a.userId < b.userId ? -1 : 1))) {
          const row = server.links.row(`${person.accountId} ${person.userId}`);
          if (row.seenBy(transaction)?.phone === person.phone) continue;
          const wait = server.lock(transaction, row);
          if (wait) await wait;
          const { accountId, phone, userId } = person;
          transaction.writes.set(row, { accountId, phone, userId });
          linked.push(person);
        }
        return linked;
      }),
  };
}

/** Contacts as an erasure reads them: number and user id if both are known. */
export function contactsOn(database: ProcessDatabase): (accountId: string, id: string) => Promise<Person> {
  return (accountId, id) =>
    database.statement('CONTACT', () => {
      const links = [...database.server.links.committed()].filter((link) => link.accountId === accountId);
      const link = links.find(({ phone, userId }) => phone === id || userId === id);
      return link ?? personByKey(id);
    });
}

/** Opt-outs, statement by statement like the SQL of the real store. */
export class SimulatedOptOutStore extends OptOutStore {
  constructor(protected readonly database: ProcessDatabase) {
    super();
  }

  add(accountId: string, person: string, optOut: OptOut): Promise<OptOut> {
    return this.database.statement('ADD_OPT_OUT', async (transaction) => {
      const row = this.row(accountId, person, optOut.scope);
      await this.locked(transaction, row);
      const known = existing(row, transaction);
      if (known?.stopped) return known;
      const nothing = { accountId, person, stopAt: null, startAt: null, isDeleted: false };
      transaction.writes.set(row, { ...nothing, ...known, ...optOut, stopped: true });
      return optOut;
    });
  }

  scopesOf(accountId: string, people: readonly string[]): Promise<Map<string, Set<OptOutScope>>> {
    return this.database.statement('OPT_OUTS', (transaction) => {
      const found = new Map<string, Set<OptOutScope>>();
      for (const person of people) {
        const scopes = SCOPES.filter((scope) => existing(this.row(accountId, person, scope), transaction)?.stopped);
        if (this.database.server.optOuts.has(`${accountId} ${person}`)) scopes.push('All');
        if (scopes.length > 0) found.set(person, new Set(scopes));
      }
      return found;
    });
  }

  async lock(accountId: string, scope: OptOutScope, people: readonly Person[]): Promise<OptOutRecord[]> {
    const named = new Map(people.flatMap((one) => (personKey(one) === null ? [] : [[personKey(one)!, one] as const])));
    const rows = [...named.keys()].sort().map((person) => this.row(accountId, person, scope));
    await this.database.statement('PREPARE_OPT_OUTS', async (transaction) => {
      for (const person of [...named.keys()].sort()) {
        const row = this.row(accountId, person, scope);
        if (existing(row, transaction)) continue;
        await this.locked(transaction, row);
        if (existing(row, transaction)) continue;
        const { phone, userId } = named.get(person)!;
        const nothing = { stopped: false, stopAt: null, startAt: null, createdAt: this.database.server.now() };
        const made = { ...nothing, accountId, person, phone, userId, scope, source: 'Keyword' as const };
        transaction.writes.set(row, { ...made, isDeleted: false });
      }
    });
    return this.database.statement('LOCK_OPT_OUTS', (transaction) =>
      this.database.server.select(transaction, rows, ({ isDeleted }) => !isDeleted),
    );
  }

  async save(accountId: string, records: readonly OptOutRecord[]): Promise<void> {
    const byRow = new Map(records.map((record) => [this.row(accountId, record.person, record.scope), record]));
    await this.database.statement('SAVE_OPT_OUTS', async (transaction) => {
      for (const [row, { source, stopped, createdAt, stopAt, startAt }] of byRow) {
        await this.database.server.update(...([transaction, [row], exists] as const), () => {
          return { source, stopped, createdAt, stopAt, startAt };
        });
      }
    });
  }

  async addUserIds(accountId: string, people: readonly (Person & { phone: string })[]): Promise<void> {
    await this.database.statement('ADD_USER_IDS', async (transaction) => {
      for (const { phone, userId } of people) {
        const rows = SCOPES.map((scope) => this.row(accountId, phone, scope));
        const isOther = (row: OptOutRow): boolean => exists(row) && row.userId !== userId;
        await this.database.server.update(transaction, rows, isOther, () => ({ userId }));
      }
    });
  }

  deleteRecords(accountId: string, people: readonly string[]): Promise<OptOutRecord[]> {
    const rows = [...people].sort().flatMap((person) => SCOPES.map((scope) => this.row(accountId, person, scope)));
    return this.database.statement('DELETE_OPT_OUTS', (transaction) =>
      this.database.server.update(transaction, rows, exists, () => ({ isDeleted: true })),
    );
  }

  remove(): never {
    throw new Error('Not used in histories.');
  }

  list(): Promise<Page<OptOut>> {
    throw new Error('Not used in histories.');
  }

  slice(): Promise<Slice<OptOut>> {
    throw new Error('Not used in histories.');
  }

  listOf(): Promise<OptOutRecord[]> {
    throw new Error('Not used in histories.');
  }

  private row(accountId: string, person: string, scope: OptOutScope): Row<OptOutRow> {
    return this.database.server.optOutRecords.row(`${accountId} ${person} ${scope}`);
  }

  private async locked(transaction: Transaction, row: Row<OptOutRow>): Promise<void> {
    const wait = this.database.server.lock(transaction, row);
    if (wait) await wait;
  }
}

function exists({ isDeleted }: OptOutRow): boolean {
  return !isDeleted;
}

function existing(row: Row<OptOutRow>, transaction: Transaction): OptOutRow | null {
  const value = row.seenBy(transaction);
  return value && !value.isDeleted ? value : null;
}
