import type { Database } from '../../src/infra/database/database';
import { foldText } from '../../src/kernel/folded-text';
import { uuidV7 } from '../../src/kernel/uuid';
import { BY_KEYS } from '../../src/modules/groups/adapters/contact-search.sql';
import { PostgresContactStore } from '../../src/modules/groups/adapters/postgres-contact-store';
import { PostgresGroupStore } from '../../src/modules/groups/adapters/postgres-group-store';
import type { ContactQuota } from '../../src/modules/groups/domain/contact-quota';
import { ContactsService } from '../../src/modules/groups/domain/contacts.service';
import type { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { internationalPhoneBook } from '../support/phone-book';
import { ExplainedPlans } from '../support/explained-plans';
import { ImmediateUnitOfWork } from '../fakes/immediate-unit-of-work';
import { describeOnDatabase } from '../support/databases';

const MANY = 24_000;
const AT_ONCE = 4000;

describeOnDatabase('A search among many contacts', (open) => {
  const accountId = uuidV7();
  const groupId = uuidV7();
  let database: Database;
  let contacts: ContactsService;
  let anna: string;

  beforeAll(async () => {
    database = await open();
    contacts = new ContactsService(
      new PostgresContactStore(database),
      internationalPhoneBook(),
      {} as OptOutsService,
      new ImmediateUnitOfWork(),
      {} as ContactQuota,
    );
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Test', 'Free')`, [accountId]);
    await database.execute(`INSERT INTO contact_groups (id, account_id, name) VALUES ($1, $2, 'Öffentlich')`, [
      groupId,
      accountId,
    ]);
    const newContact = async (phone: string, name: string) => {
      const id = uuidV7();
      const contact = { phone, userId: null, name, parameters: null, attributes: null };
      await new PostgresContactStore(database).create(accountId, id, contact);
      return id;
    };
    anna = await newContact('5511987654321', 'Ánna Öz_%');
    for (let first = 0; first < MANY; first += AT_ONCE) {
      const ids = Array.from({ length: AT_ONCE }, () => uuidV7());
      await database.execute(
        `INSERT INTO contacts (id, account_id, phone, phone_key, name)
         SELECT id, $2, (491510000000 + $3::bigint + n)::text, (491510000000 + $3::bigint + n)::text, 'Ben'
         FROM unnest($1::uuid[]) WITH ORDINALITY AS u (id, n)`,
        [ids, accountId, first],
      );
      if (first > 0) continue;
      await database.execute(`UPDATE contacts SET username = '@winter' WHERE account_id = $1 AND name = 'Ben'`, [
        accountId,
      ]);
    }
    await database.execute(
      'INSERT INTO contact_group_members SELECT $1, id FROM contacts WHERE account_id = $2 AND name <> $3 LIMIT 3000',
      [groupId, accountId, 'Ben'],
    );
    await newContact('12025550123', 'Zoe');
  }, 60_000);

  const walk = async (search: string, limit = 50) => {
    const found: (string | null)[] = [];
    let calls = 0;
    for (let cursor: string | undefined; ;) {
      const { items, nextCursor } = await contacts.list(accountId, { search, limit, cursor });
      calls++;
      found.push(...items.map(({ name }) => name));
      if (nextCursor === null) return { found, calls };
      cursor = nextCursor;
    }
  };

  it('finds the newest immediately and the oldest in one call, by name in any case and by any form of the number', async () => {
    expect(await contacts.list(accountId, { search: 'ZOE', limit: 1 })).toMatchObject({ items: [{ name: 'Zoe' }] });
    for (const search of ['ánna', 'ÖZ_%', '+55 11 98', '551198']) {
      const { found, calls } = await walk(search);
      expect([search, found]).toEqual([search, ['Ánna Öz_%']]);
      expect(calls).toBe(1);
    }
    // No three characters that have keys.
    expect(await walk('ÖZ')).toEqual({ found: ['Ánna Öz_%'], calls: 2 });
    expect((await walk('nobody')).found).toEqual([]);
  });

  it('finds the next of thousands of old ones in one call, and reads on in order instead of using the index where the newest match', async () => {
    const rows = jest.spyOn(database, 'rows');
    try {
      expect((await contacts.list(accountId, { search: 'winter', limit: 50 })).items).toHaveLength(50);
      rows.mockClear();
      expect((await contacts.list(accountId, { search: 'BEN', limit: 1000 })).items).toHaveLength(1000);
      expect(rows.mock.calls.filter(([sql]) => sql === BY_KEYS)).toHaveLength(0);
    } finally {
      rows.mockRestore();
    }
    expect(await walk('winter', 200)).toMatchObject({ found: { length: AT_ONCE }, calls: AT_ONCE / 200 });
  });

  it('finds a user id by its index', async () => {
    const contact = { phone: null, userId: 'DE.77', name: 'Una', parameters: null, attributes: null };
    await new PostgresContactStore(database).create(accountId, uuidV7(), contact);
    await database.execute('ANALYZE contacts');
    expect(await walk('DE.77')).toEqual({ found: ['Una'], calls: 1 });
    const rows = jest.spyOn(database, 'rows');
    await contacts.list(accountId, { search: 'DE.77', limit: 50 });
    const read = rows.mock.calls.map(([text, parameters]) => ({
      text,
      parameters: parameters!.map((one) => one ?? null),
    }));
    rows.mockRestore();
    expect(read).toHaveLength(1);
    const { list } = await database.transaction(async () => {
      const plans = new ExplainedPlans(database, { list: read[0]! });
      await plans.prepare();
      return plans.read(() => 'custom');
    });
    expect(list!.whole).not.toContain('contacts');
    expect(list!.rows).toBeLessThan(10);
  });

  it('finds names without their accents, and accents in names without', async () => {
    for (const [phone, name] of Object.entries({ '12025550124': 'Aydın Großmüller', '12025550125': 'GROSSMULLER' })) {
      const contact = { phone, userId: null, name, parameters: null, attributes: null };
      await new PostgresContactStore(database).create(accountId, uuidV7(), contact);
    }
    const both = ['GROSSMULLER', 'Aydın Großmüller'];
    for (const [search, found] of [
      ['aydin', ['Aydın Großmüller']],
      ['AYDIN GROSS', ['Aydın Großmüller']],
      ['grossmüller, aydın', ['Aydın Großmüller']],
      ['großmüller', both],
      ['grossmu', both],
      ['ssm', both],
      ['anna oz', ['Ánna Öz_%']],
    ] as const) {
      expect([search, await walk(search)]).toEqual([search, { found, calls: 1 }]);
    }
    for (const [phone, name] of Object.entries({ '12025550126': 'Jörg Mueller', '12025550127': 'Joerg Müller' })) {
      const contact = { phone, userId: null, name, parameters: null, attributes: null };
      await new PostgresContactStore(database).create(accountId, uuidV7(), contact);
    }
    // So that the newest contacts alone do not answer.
    await database.execute(
      `INSERT INTO contacts (id, account_id, phone, phone_key, name)
       SELECT id, $2, (491710000000 + n)::text, (491710000000 + n)::text, 'Ben' FROM unnest($1::uuid[]) WITH ORDINALITY AS u (id, n)`,
      [Array.from({ length: 1000 }, () => uuidV7()), accountId],
    );
    for (const search of ['joerg', 'jörg', 'jorg', 'MÜLLER JÖRG', 'muller j']) {
      const found = ['Joerg Müller', 'Jörg Mueller'];
      expect([search, await walk(search)]).toEqual([search, { found, calls: 1 }]);
    }
    const rows = jest.spyOn(database, 'rows');
    try {
      // Too many old ones.
      expect((await contacts.list(accountId, { search: '491510', limit: 50 })).items).toHaveLength(50);
      expect(rows.mock.calls.filter(([sql]) => sql === BY_KEYS)).toHaveLength(1);
    } finally {
      rows.mockRestore();
    }
    // Without keys.
    expect((await walk('ßm')).found).toEqual(both);
  });

  it('folds each letter in SQL as in the service', async () => {
    const letters = [0xc0, 0x1e00, 0x2100].flatMap((first) =>
      Array.from({ length: 0x2c0 }, (_, n) => String.fromCharCode(first + n)),
    );
    const rows = await database.rows<{ letter: string; folded: string }>(
      `SELECT letter, folded_text('a' || letter || 'b') AS folded FROM unnest($1::text[]) letter`,
      [letters],
    );
    const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);
    expect(rows.filter(({ folded }) => isAscii(folded))).toEqual(
      letters.map((letter) => ({ letter, folded: foldText(`a${letter}b`) })).filter(({ folded }) => isAscii(folded)),
    );
  });

  it('has the same keys in each collation, and for each character that one of them folds to ASCII', async () => {
    const collations = await database.rows<{ name: string }>(
      `SELECT collname AS name FROM pg_collation WHERE collname IN ('default', 'C', 'tr-x-icu') AND collnamespace = 'pg_catalog'::regnamespace`,
    );
    for (const { name } of collations) {
      const [row] = await database.rows(
        `SELECT search_keys($1, 'İSTANBUL K' COLLATE "${name}") = search_keys($1, 'istanbul k') AS same,
           search_keys($1, 'ISTANBUL' COLLATE "${name}") = search_keys($1, 'istanbul') AS "sameOfAscii",
           search_keys($1, NULL) AS "ofNull"`,
        [accountId],
      );
      expect([name, row]).toEqual([name, { same: true, sameOfAscii: true, ofNull: null }]);
    }
    expect(collations.length).toBeGreaterThan(1);
  });

  it('returns each of many matches exactly once', async () => {
    const numbers = new Set<string | null>();
    let listed = 0;
    for (let cursor: string | undefined; ;) {
      const { items, nextCursor } = await contacts.list(accountId, { search: '49151001', limit: 200, cursor });
      listed += items.length;
      items.forEach(({ phone }) => numbers.add(phone));
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
    expect([listed, numbers.size]).toEqual([10_000, 10_000]);
  });

  it('searches one group if requested, and groups by name', async () => {
    expect((await contacts.listOfGroup(accountId, groupId, { search: 'a', limit: 10 })).items).toMatchObject([
      { id: anna },
    ]);
    expect((await contacts.listOfGroup(accountId, groupId, { search: 'zoe', limit: 10 })).items).toEqual([]);
    const groups = new PostgresGroupStore(database);
    for (const search of ['FENT', 'OFFENT', 'ÖFF']) {
      const found = await groups.list(accountId, { page: 1, pageSize: 10, search });
      expect(found).toMatchObject({ totalCount: 1, items: [{ id: groupId }] });
    }
    expect(await groups.list(accountId, { page: 1, pageSize: 10, search: '_' })).toMatchObject({ totalCount: 0 });
  });
});
