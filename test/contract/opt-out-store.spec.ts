import type { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import type { UnitOfWork } from '../../src/kernel/unit-of-work';
import type { Slice } from '../../src/kernel/page';
import { decodeCursor } from '../../src/kernel/time-cursor';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresContactStore } from '../../src/modules/groups/adapters/postgres-contact-store';
import { RECORDS_OF } from '../../src/modules/groups/adapters/opt-outs.sql';
import { PostgresOptOutKeywordsStore } from '../../src/modules/groups/adapters/postgres-opt-out-keywords-store';
import { PostgresOptOutStore } from '../../src/modules/groups/adapters/postgres-opt-out-store';
import { OPT_OUT_IDS, type OptOut, type OptOutScope } from '../../src/modules/groups/domain/opt-out';
import type { OptOutKeywordsStore } from '../../src/modules/groups/domain/opt-out-keywords-store.port';
import type { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import type { OptOutStore } from '../../src/modules/groups/domain/opt-out-store.port';
import { ImmediateUnitOfWork } from '../fakes/immediate-unit-of-work';
import { InMemoryOptOutKeywords, InMemoryOptOuts } from '../fakes/in-memory-opt-outs';
import { describeOnDatabase } from '../support/databases';
import { actorIn } from '../support/audit';
import { optOutsOn } from '../support/opt-outs-on';

const PHONES = Array.from({ length: 1500 }, (_, index) => String(491_510_000_000 + index));
const [ANNA, BEN, CARA] = PHONES as [string, string, string];
const HIDDEN = 'DE.1349abc';
const FIRST_PAGE = { page: 1, pageSize: 20 };

interface Stores {
  optOuts: OptOutStore;
  keywords: OptOutKeywordsStore;
  unitOfWork: UnitOfWork;
  newAccount: () => Promise<string>;
}

const at = (minute: number) => new Date(Date.UTC(2026, 0, 15, 9, minute));
const optOut = (phone: string, minute = 1, more: Partial<OptOut> = {}): OptOut => ({
  ...{ phone, userId: null, scope: 'All', source: 'Api', createdAt: at(minute) },
  ...more,
});

function storesKeepTheirPromises(open: () => Promise<Stores>): void {
  let stores: Stores;
  let optOuts: OptOutStore;
  let accountId: string;
  let strangerId: string;

  beforeAll(async () => {
    stores = await open();
    ({ optOuts } = stores);
  });

  beforeEach(async () => {
    accountId = await stores.newAccount();
    strangerId = await stores.newAccount();
  });

  const add = (account: string, entry: OptOut) => optOuts.add(account, entry.phone!, entry);
  const standing = async (people: readonly string[]) => [...(await optOuts.scopesOf(accountId, people)).keys()].sort();
  const stopped = (scope: OptOutScope, phone: string) =>
    stores.unitOfWork.run(async () => {
      const [record] = await optOuts.lock(accountId, scope, [{ phone, userId: null }]);
      const word = { stopped: true, source: 'Keyword' as const, createdAt: at(9), stopAt: at(9) };
      await optOuts.save(accountId, [{ ...record!, ...word }]);
    });

  it('keep the first record of a person, and a new one after its removal', async () => {
    const first = optOut(ANNA, 1, { source: 'Keyword' });
    expect(await add(accountId, first)).toEqual(first);
    expect(await add(accountId, optOut(ANNA, 2))).toEqual(first);
    expect((await optOuts.list(accountId, FIRST_PAGE)).totalCount).toBe(1);
    await optOuts.remove(accountId, [ANNA]);
    expect(await add(accountId, optOut(ANNA, 3))).toEqual(optOut(ANNA, 3));
  });

  it('find those who opted out among many, of this account only', async () => {
    await add(accountId, optOut(ANNA));
    await add(strangerId, optOut(BEN));
    expect(await standing(PHONES)).toEqual([ANNA]);
    expect(await standing([])).toEqual([]);
  });

  it('add the user ids of people to their records', async () => {
    await add(accountId, optOut(ANNA));
    await add(strangerId, optOut(ANNA));
    await optOuts.addUserIds(accountId, [{ phone: ANNA, userId: HIDDEN }]);
    expect((await optOuts.list(accountId, FIRST_PAGE)).items).toEqual([optOut(ANNA, 1, { userId: HIDDEN })]);
    expect((await optOuts.list(strangerId, FIRST_PAGE)).items).toEqual([optOut(ANNA)]);
  });

  it('distinguish the scopes', async () => {
    await add(accountId, optOut(ANNA));
    await stopped('Marketing', ANNA);
    await stopped('Marketing', BEN);
    expect(await optOuts.scopesOf(accountId, [ANNA, BEN, CARA])).toEqual(
      new Map([
        [ANNA, new Set(['All', 'Marketing'])],
        [BEN, new Set(['Marketing'])],
      ]),
    );
  });

  it('are removed only by their own account, in every scope', async () => {
    await add(accountId, optOut(ANNA));
    await stopped('Marketing', ANNA);
    expect(await optOuts.remove(strangerId, [ANNA])).toEqual([]);
    const removed = await optOuts.remove(accountId, [BEN, ANNA]);
    expect(removed.map(({ phone, scope }) => [phone, scope]).sort()).toEqual([
      [ANNA, 'All'],
      [ANNA, 'Marketing'],
    ]);
    expect(await optOuts.remove(accountId, [ANNA])).toEqual([]);
    expect(await optOuts.remove(accountId, [])).toEqual([]);
    expect(await standing([ANNA])).toEqual([]);
    expect((await optOuts.list(accountId, FIRST_PAGE)).items).toEqual([]);
  });

  it('are listed newest first, in pages', async () => {
    for (const [minute, phone] of [ANNA, BEN, CARA].entries()) await add(accountId, optOut(phone, minute));
    const phonesOn = async (page: number) =>
      (await optOuts.list(accountId, { page, pageSize: 2 })).items.map(({ phone }) => phone);
    expect(await phonesOn(1)).toEqual([CARA, BEN]);
    expect(await phonesOn(2)).toEqual([ANNA]);
    await stopped('Marketing', BEN);
    const listed = await optOuts.listOf(accountId, [BEN]);
    expect(listed.map(({ phone, scope }) => `${phone} ${scope}`).sort()).toEqual([`${BEN} All`, `${BEN} Marketing`]);
    await optOuts.remove(accountId, [BEN]);
    expect(await optOuts.listOf(accountId, [BEN])).toEqual([]);
    expect(await optOuts.listOf(strangerId, [ANNA])).toEqual([]);
  });

  it('are listed by cursors in the same order, also those of the same time, and those of one person', async () => {
    for (const phone of [CARA, ANNA, BEN]) await add(accountId, optOut(phone));
    await stopped('Marketing', BEN);
    const walk = async (people: string[] | null, limit: number) => {
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const slice: Slice<OptOut> = await optOuts.slice(accountId, {
          ...{ people, limit },
          after: decodeCursor(cursor, OPT_OUT_IDS),
        });
        found.push(...slice.items.map(({ phone, scope }) => `${phone} ${scope}`));
        cursor = slice.nextCursor;
      }
      return found;
    };
    const { items } = await optOuts.list(accountId, FIRST_PAGE);
    expect(items).toHaveLength(4);
    for (const limit of [1, 2, 4, 5]) {
      expect(await walk(null, limit)).toEqual(items.map(({ phone, scope }) => `${phone} ${scope}`));
    }
    expect(await walk([BEN], 1)).toEqual([`${BEN} Marketing`, `${BEN} All`]);
  });

  it('create an empty record for people without one, one per person', async () => {
    await add(accountId, optOut(ANNA));
    await stores.unitOfWork.run(async () => {
      const people = [
        ...[ANNA, '5511987654321', '5511987654321', BEN].map((phone) => ({ phone, userId: null })),
        { phone: null, userId: HIDDEN },
        { phone: null, userId: null },
      ];
      const records = await optOuts.lock(accountId, 'All', people);
      expect(records.map(({ person, stopped: isOut }) => [person, isOut]).sort()).toEqual([
        [ANNA, true],
        [BEN, false],
        ['5511987654321', false],
        [HIDDEN, false],
      ]);
    });
    expect((await optOuts.list(accountId, FIRST_PAGE)).totalCount).toBe(1);
  });

  it('keep what was saved of a thousand people at once', async () => {
    const people = PHONES.map((phone) => ({ phone, userId: null }));
    await stores.unitOfWork.run(async () => {
      const records = await optOuts.lock(accountId, 'All', people);
      await optOuts.save(
        accountId,
        records.map((record) => ({ ...record, stopped: true, stopAt: at(1), startAt: at(0), createdAt: at(1) })),
      );
    });
    expect(await standing(PHONES)).toHaveLength(PHONES.length);
    await stores.unitOfWork.run(async () => {
      const [record] = await optOuts.lock(accountId, 'All', [{ phone: CARA, userId: null }]);
      expect(record).toMatchObject({ stopped: true, stopAt: at(1), startAt: at(0), createdAt: at(1) });
    });
  });

  it('are returned completely when taken', async () => {
    await stopped('Marketing', ANNA);
    await add(accountId, optOut(ANNA));
    await add(accountId, optOut(BEN));
    const taken = await stores.unitOfWork.run(() => optOuts.deleteRecords(accountId, [ANNA, CARA]));
    expect(taken.map(({ scope, stopped: isOut }) => [scope, isOut]).sort()).toEqual([
      ['All', true],
      ['Marketing', true],
    ]);
    expect(await standing(PHONES)).toEqual([BEN]);
  });

  it('keep the keywords of each account apart', async () => {
    expect(await stores.keywords.of(accountId)).toBeNull();
    const keywords = { optOutKeywords: ['ARRÊT', "l'arrêt {1}", '"NULL"'], optInKeywords: ['начать'] };
    await stores.keywords.set(accountId, keywords);
    expect(await stores.keywords.of(accountId)).toEqual(keywords);
    expect(await stores.keywords.of(strangerId)).toBeNull();
  });
}

describe('Opt-outs in memory', () => {
  storesKeepTheirPromises(() =>
    Promise.resolve({
      optOuts: new InMemoryOptOuts(),
      keywords: new InMemoryOptOutKeywords(),
      unitOfWork: new ImmediateUnitOfWork(),
      newAccount: () => Promise.resolve(uuidV7()),
    }),
  );
});

describeOnDatabase('Opt-outs', (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  const newAccount = async () => {
    const id = uuidV7();
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Test', 'Free')`, [id]);
    return id;
  };

  storesKeepTheirPromises(() =>
    Promise.resolve({
      optOuts: new PostgresOptOutStore(database),
      keywords: new PostgresOptOutKeywordsStore(database),
      unitOfWork: new TypeOrmUnitOfWork(database),
      newAccount,
    }),
  );

  it('converge under concurrent changes of two processes', async () => {
    const accountId = await newAccount();
    const optOuts = optOutsOn(database);
    const people = PHONES.slice(0, 40);
    const applyKeyword = (text: string, minute: number, order: string[]) =>
      optOuts.applyMessages(
        accountId,
        order.map((phone) => ({ phone, userId: null, text, at: at(minute) })),
      );
    for (const minute of [1, 11, 21]) {
      await Promise.all([
        applyKeyword('STOP', minute, people),
        applyKeyword('START', minute + 1, [...people].reverse()),
        applyKeyword('STOP', minute, [...people].reverse()),
        applyKeyword('START', minute + 1, people),
      ]);
      expect(await optOuts.optedOutAmong(accountId, people)).toEqual(new Set());
    }
    await Promise.all([applyKeyword('START', 31, people), applyKeyword('STOP', 32, [...people].reverse())]);
    expect((await optOuts.optedOutAmong(accountId, people)).size).toBe(people.length);
  });

  it('look up a hidden number in the contact book', async () => {
    const accountId = await newAccount();
    await database.execute(
      `INSERT INTO contacts (id, account_id, phone, phone_key, user_id) VALUES ($1, $2, $3, $3, $4)`,
      [uuidV7(), accountId, ANNA, HIDDEN],
    );
    const optOuts = optOutsOn(database);
    await optOuts.applyMessages(accountId, [{ phone: null, userId: HIDDEN, text: 'stop', at: at(1) }]);
    expect(await optOuts.isOptedOut(accountId, ANNA)).toBe(true);
    expect(await optOuts.isOptedOut(accountId, HIDDEN)).toBe(true);
  });

  describe('of a number', () => {
    let accountId: string;
    let contactId: string;
    let optOuts: OptOutsService;
    const remove = () => new PostgresContactStore(database).remove(accountId, contactId);

    beforeEach(async () => {
      [accountId, contactId, optOuts] = [await newAccount(), uuidV7(), optOutsOn(database)];
      await database.execute(
        `INSERT INTO contacts (id, account_id, phone, phone_key, user_id) VALUES ($1, $2, $3, $3, $4)`,
        [contactId, accountId, ANNA, HIDDEN],
      );
    });

    it.each([
      ['a keyword', () => optOuts.applyMessages(accountId, [{ phone: ANNA, userId: null, text: 'stop', at: at(1) }])],
      ['the account', () => optOuts.add(actorIn(accountId), { phone: ANNA })],
    ])('apply to the user id after the contact is deleted: by %s', async (_, optOutNow) => {
      await optOutNow();
      await remove();
      expect(await optOuts.isOptedOut(accountId, HIDDEN)).toBe(true);
      expect(await optOuts.isOptedOut(accountId, ANNA)).toBe(true);
    });

    it('of an earlier version, without the user id, do so, too', async () => {
      await optOuts.add(actorIn(accountId), { phone: ANNA });
      await database.execute('UPDATE opt_outs SET user_id = NULL WHERE account_id = $1', [accountId]);
      await remove();
      expect(await optOuts.isOptedOut(accountId, HIDDEN)).toBe(true);
    });
  });

  it('are rolled back with their transaction', async () => {
    const accountId = await newAccount();
    const optOuts = optOutsOn(database);
    const work = new TypeOrmUnitOfWork(database).run(async () => {
      await optOuts.applyMessages(accountId, [{ phone: ANNA, userId: null, text: 'stop', at: at(1) }]);
      throw new Error('the message could not be kept');
    });
    await expect(work).rejects.toThrow('could not be kept');
    expect(await optOuts.isOptedOut(accountId, ANNA)).toBe(false);
  });

  it('find the few among many by the key, without statistics', async () => {
    const accountId = await newAccount();
    const plan = await database.transaction(async () => {
      await database.execute('SET LOCAL enable_seqscan = off');
      return database.rows<Record<string, string>>(`EXPLAIN ${RECORDS_OF}`, [accountId, PHONES.slice(0, 50)]);
    });
    const text = plan.map((row) => Object.values(row).join()).join('\n');
    expect(text).toMatch(/opt_outs_pkey/);
  });
});
