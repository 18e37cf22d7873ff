import { PhoneNumbers } from '../../libs/phone-numbers/phone-numbers';
import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresContactStore } from '../../src/modules/groups/adapters/postgres-contact-store';
import type { ContactRange } from '../../src/modules/groups/domain/contact-store.port';
import { describeOnDatabase } from '../support/databases';
import { pagesOf, readingsOf } from '../support/explained-plans';

/** Contacts, with more of them than the index may find only where it takes seconds to add them. */
const CONTACTS = { shared: 60_000, embedded: 30_000 };
/** Contacts, among the oldest, that share a word; the oldest of them are members of a group. */
const SHARING = 15_000;

describeOnDatabase('Searches of many contacts', (open, isShared) => {
  const accountId = uuidV7();
  const groupId = uuidV7();
  let database: Database;
  let contacts: PostgresContactStore;

  beforeAll(async () => {
    database = await open();
    contacts = new PostgresContactStore(database);
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free')`, [accountId]);
    await database.execute(`INSERT INTO contact_groups (id, account_id, name) VALUES ($1, $2, 'Friends')`, [
      groupId,
      accountId,
    ]);
    for (let first = 1; first <= CONTACTS[isShared ? 'shared' : 'embedded']; first += 5000) {
      await database.execute(
        `INSERT INTO contacts (id, account_id, phone, phone_key, name, username)
         SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, p.phone, p.phone,
           CASE WHEN n = 7 THEN 'Zoë ZELDA' WHEN n = 9 THEN 'Ben' ELSE 'Ben ' || n END,
           CASE WHEN n = 8 THEN '@zelda.x' WHEN n BETWEEN 11 AND $3::int + 10 THEN '@winter.' || n END
         FROM generate_series($2::int, $2::int + 4999) n, LATERAL (SELECT (491510000000 + n)::text AS phone) p`,
        [accountId, first, SHARING],
      );
    }
    for (let first = 1; first <= SHARING; first += 5000) {
      await database.execute(
        `INSERT INTO contact_group_members (group_id, contact_id) SELECT $1, id FROM contacts WHERE phone_key::bigint - 491510000000 BETWEEN $2 AND $2 + 4999`,
        [groupId, first],
      );
    }
    if (isShared)
      for (const table of ['contacts', 'contact_groups', 'contact_group_members'])
        await database.execute(`VACUUM ANALYZE ${table}`);
  }, 120_000);

  const search = (text: string, beginnings: string[], range: Partial<ContactRange> = {}, group: string | null = null) =>
    contacts.searchIndexed(accountId, group, { text, number: { whole: null, beginnings } }, { limit: 50, ...range });
  const names = async (found: ReturnType<typeof search>) => (await found)!.found.map(({ name }) => name);

  it('find every contact by a part of a name and by the beginning or the end of a number, in one call', async () => {
    expect(await search('ZELDA', [])).toMatchObject({
      found: [{ username: '@zelda.x' }, { name: 'Zoë ZELDA' }],
      next: null,
    });
    expect(await names(search('zoë zel', []))).toEqual(['Zoë ZELDA']);
    expect(await names(search('zelda', [], {}, groupId))).toEqual(['Ben 8', 'Zoë ZELDA']);
    expect(await names(search('ben 59999', [], {}, groupId))).toEqual([]);
    expect(await names(search('zelda', [], { before: '00000000-0000-7000-8000-000000000008' }))).toEqual(['Zoë ZELDA']);
    expect(await search('49151000001', ['49151000001'], { limit: 3 })).toMatchObject({
      found: [{ name: 'Ben 19' }, { name: 'Ben 18' }, { name: 'Ben 17' }],
      next: '00000000-0000-7000-8000-000000000017',
    });
    expect((await names(search('0-777', ['0777']))).slice(-3)).toEqual(['Ben 20777', 'Ben 10777', 'Ben 777']);
    expect(await names(search('0777', ['0777'], { before: '00000000-0000-7000-8000-000000010777' }))).toEqual([
      'Ben 777',
    ]);
    expect(await search('nobody', [])).toEqual({ found: [], next: null });
    expect(await names(search('ben 29999', []))).toEqual(['Ben 29999']);
    // Shared by 15,000 old contacts.
    expect(await search('winter', [])).toMatchObject({
      found: { length: 50, 0: { name: 'Ben 15010' } },
      next: '00000000-0000-7000-8000-000000014961',
    });
    // Too short a text: read newest first.
    expect(await search('lx', [])).toBeNull();
  });

  // The embedded database holds less.
  if (!isShared) return;

  it('leave a word of more than 50,000 contacts to reading them newest first', async () => {
    expect(await search('ben', [])).toBeNull();
  });

  it.each([
    ['a rare name', 'zelda', []],
    ['a name that nobody has', 'nobody', []],
    ['a name with umlauts', 'zelda müller', []],
    ['a number', '4915100000777', ['4915100000777']],
    ['the end of a number', '00777', ['00777']],
    ['a number of any country', '015100000777', new PhoneNumbers().search('015100000777').beginnings],
  ])('read few pages of contacts: %s', async (_what, text, beginnings) => {
    const readings = await readingsOf(database, () => search(text, beginnings));
    expect(readings.flatMap(({ whole }) => whole)).toEqual([]);
    // 40 on an idle server; all contacts are 1,200.
    expect(pagesOf(readings)).toBeLessThan(200 + 4 * beginnings.length);
  });

  it('read few pages of contacts for a word that 15,000 old ones share', async () => {
    const readings = await readingsOf(database, () => search('winter', []));
    expect(readings.flatMap(({ whole }) => whole)).toEqual([]);
    expect(readings.length).toBe(2);
    expect(pagesOf(readings)).toBeLessThan(6000);
  });

  it.each([
    ['a name', 'ben 1234', []],
    ['a number', '4915100000123', ['4915100000123']],
    ['the end of a number', '01234', ['01234']],
  ])('look up contacts of a large group by %s only, not also all older ids', async (_what, text, beginnings) => {
    const before = `00000000-0000-7000-8000-${String(SHARING - 500).padStart(12, '0')}`;
    const [found] = await readingsOf(database, () => search(text, beginnings, { before }, groupId));
    expect(found!.bitmaps).not.toContain('contacts_pkey');
    expect(found!.bitmaps).not.toContain('contacts_by_account');
    expect(found!.rows).toBeLessThan(1000);
  });
});
