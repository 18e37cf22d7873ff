import { PhoneNumbers } from '../../libs/phone-numbers/phone-numbers';
import { uuidV7 } from '../../src/kernel/uuid';
import type { ContactDraft, NamedPerson } from '../../src/modules/groups/domain/contact';
import { ContactPhoneTakenError, ContactUserIdTakenError } from '../../src/modules/groups/domain/groups.errors';
import type { Person } from '../../src/modules/groups/domain/opt-out';
import { type ContactBook, describeContactBooks } from '../support/contact-books';

const [ANNA, BEN] = ['4915100000001', '4915100000002'];
const BRAZIL = '5511987654321';
const USER = 'BR.13491208655302741918';
const OTHER_USER = 'BR.7';

const draft = (phone: string | null, more: Partial<ContactDraft> = {}): ContactDraft => ({
  phone,
  userId: null,
  name: null,
  parameters: null,
  attributes: null,
  ...more,
});

describeContactBooks('Who is who in the contact book', (open) => {
  let book: ContactBook;
  let accountId: string;

  beforeAll(async () => {
    book = await open();
  });
  beforeEach(async () => {
    accountId = await book.newAccount();
  });

  const create = async (contact: ContactDraft) => {
    const id = uuidV7();
    await book.contacts.create(accountId, id, contact);
    return id;
  };
  const all = () => book.contacts.list(accountId, { limit: 100 });
  const meetAll = (people: readonly Omit<NamedPerson, 'username'>[]) =>
    book.contacts.upsertFromInbound(
      accountId,
      people.map((person) => ({ username: null, ...person })),
    );
  const meet = (phone: string | null, userId: string | null, name: string | null = null) =>
    meetAll([{ phone, userId, name }]);
  const newGroup = async () => {
    const id = uuidV7();
    const now = new Date();
    const named = { id, accountId, name: id, description: null, contactCount: 0, createdAt: now, updatedAt: now };
    await book.groups.create(named);
    return id;
  };

  it('is one contact in every form of the number, shown in its first form', async () => {
    const id = await create(draft(BRAZIL));
    await expect(create(draft(BRAZIL))).rejects.toMatchObject(new ContactPhoneTakenError(id));
    expect(await book.contacts.list(accountId, { limit: 2, phone: BRAZIL })).toMatchObject([{ id, phone: BRAZIL }]);
    const hidden = await create({ ...draft(null), userId: 'BR.1' });
    expect(await book.contacts.list(accountId, { limit: 2, userId: 'BR.1' })).toMatchObject([{ id: hidden }]);
    expect(await book.contacts.list(accountId, { limit: 2, phone: BRAZIL, userId: 'BR.1' })).toEqual([]);
    await book.contacts.remove(accountId, hidden);
    const groupId = await newGroup();
    const put = await book.groups.putContacts(accountId, groupId, [draft(BRAZIL, { name: 'Bia' })]);
    expect(put).toEqual({ added: 1, updated: 0, taken: [] });
    expect(await all()).toMatchObject([{ id, phone: BRAZIL, name: 'Bia' }]);
  });

  it('may have no phone, and a user id unique in the account', async () => {
    const id = await create(draft(null, { userId: USER }));
    expect(await book.contacts.find(accountId, id)).toMatchObject({ phone: null, userId: USER });
    await expect(create(draft(ANNA, { userId: USER }))).rejects.toMatchObject(new ContactUserIdTakenError(id));
    const anna = await create(draft(ANNA));
    const change = book.contacts.change(accountId, anna, { userId: USER });
    await expect(change).rejects.toThrow(ContactUserIdTakenError);
    expect(await book.contacts.holders(accountId, { phone: ANNA, userId: USER })).toEqual({
      byPhone: anna,
      byUserId: id,
    });
    expect(await book.contacts.change(accountId, anna, { userId: OTHER_USER })).toBe(true);
    expect(await book.contacts.change(accountId, anna, { userId: null, name: 'Anna' })).toBe(true);
    expect(await book.contacts.find(accountId, anna)).toMatchObject({ userId: null, name: 'Anna' });
    const groupId = await newGroup();
    await book.groups.putContacts(accountId, groupId, [draft(null, { userId: USER }), draft(BEN)]);
    const page = { after: null, limit: 10, attributes: [] };
    const { members } = await book.groups.membersOf(accountId, { groupIds: [groupId], excludeGroupIds: [] }, page);
    expect(new Set(members.map(({ phone }) => phone))).toEqual(new Set([null, BEN]));
  });

  it("excludes from a group contacts with another contact's user id, and adds the rest", async () => {
    await create(draft(null, { userId: USER }));
    await create(draft(BEN, { userId: OTHER_USER }));
    const groupId = await newGroup();
    const contacts = [draft(ANNA, { userId: USER }), draft(BEN, { userId: OTHER_USER, name: 'Ben' })];
    const put = await book.groups.putContacts(accountId, groupId, contacts);
    expect(put).toEqual({ added: 1, updated: 0, taken: [contacts[0]] });
    expect((await book.groups.find(accountId, groupId))?.contactCount).toBe(1);
  });

  describe('people reported with number and user id', () => {
    const link = (phone: string, userId: string) => book.contacts.linkIdentities(accountId, [{ phone, userId }]);

    it('complete the contact that has one of them, and create none', async () => {
      await link(ANNA, USER);
      expect(await all()).toEqual([]);
      const anna = await create(draft(ANNA, { name: 'Anna' }));
      const ben = await create(draft(null, { userId: OTHER_USER }));
      await link(ANNA, USER);
      await link(BEN, OTHER_USER);
      expect(await book.contacts.find(accountId, anna)).toMatchObject({ phone: ANNA, userId: USER, name: 'Anna' });
      expect(await book.contacts.find(accountId, ben)).toMatchObject({ phone: BEN, userId: OTHER_USER });
    });
  });

  describe('a person who changes', () => {
    const change = (before: Partial<Person>, after: Partial<Person>) =>
      book.contacts.changeIdentity(accountId, {
        before: { phone: null, userId: null, ...before },
        after: { phone: null, userId: null, ...after },
      });

    it('number or user id stays the same contact', async () => {
      const id = await create(draft(ANNA, { userId: USER, name: 'Anna' }));
      await change({ phone: ANNA }, { phone: BEN });
      expect(await book.contacts.find(accountId, id)).toMatchObject({ phone: BEN, userId: USER, name: 'Anna' });
      await change({ userId: USER }, { userId: OTHER_USER });
      expect(await book.contacts.find(accountId, id)).toMatchObject({ phone: BEN, userId: OTHER_USER });
    });

    it('takes over nothing from another contact, and is ignored if unknown', async () => {
      const anna = await create(draft(ANNA, { userId: USER }));
      await create(draft(BEN, { userId: OTHER_USER }));
      await change({ phone: ANNA, userId: USER }, { phone: BEN, userId: OTHER_USER });
      expect(await book.contacts.find(accountId, anna)).toMatchObject({ phone: ANNA, userId: USER });
      await change({ phone: '4915100000009' }, { phone: '4915100000008' });
      expect(await all()).toHaveLength(2);
    });
  });

  describe('people who write', () => {
    it('become contacts, once', async () => {
      const people = [
        { phone: ANNA, userId: USER, name: 'Anna' },
        { phone: null, userId: OTHER_USER, name: null },
      ];
      await meetAll(people);
      await meetAll(people);
      await meetAll([]);
      const found = (await all()).map(({ phone, userId, name }) => ({ phone, userId, name }));
      expect(found).toHaveLength(2);
      expect(found).toEqual(expect.arrayContaining(people));
    });

    it('add a missing name and user id to a contact, and change nothing else', async () => {
      const id = await create(draft(BRAZIL, { parameters: { '1': 'x' } }));
      await meet(BRAZIL, USER, 'Bia');
      await meet(BRAZIL, OTHER_USER, 'Another');
      const known = { id, phone: BRAZIL, userId: USER, name: 'Bia', parameters: { '1': 'x' } };
      expect(await all()).toMatchObject([known]);
      await meet(null, USER, 'Unnamed');
      expect(await all()).toMatchObject([known]);
    });

    it('are found by a number without country code, in any country', async () => {
      await create(draft(ANNA));
      const found = async (text: string) => {
        const search = { text, number: new PhoneNumbers().search(text) };
        return (await book.contacts.search(accountId, null, search, { limit: 9, among: 9 })).found;
      };
      expect(await found(`0${ANNA.slice(2)}`)).toMatchObject([{ phone: ANNA }]);
      expect(await found(`0${ANNA.slice(3)}`)).toEqual([]);
    });

    it('are found by their latest username, however they are identified', async () => {
      const named = (phone: string | null, userId: string, username: string | null) =>
        book.contacts.upsertFromInbound(accountId, [{ phone, userId, name: 'Mira', username }]);
      const shown = async (text: string) =>
        (
          await book.contacts.search(
            accountId,
            null,
            { text, number: new PhoneNumbers().search(text) },
            { limit: 9, among: 9 },
          )
        ).found.map((one) => one.username);
      await named(ANNA, USER, '@mira.s');
      await named(null, OTHER_USER, '@ben');
      expect([await shown('@MIRA'), await shown('ben')]).toEqual([['@mira.s'], ['@ben']]);
      await named(ANNA, USER, '@mira.new');
      await named(null, OTHER_USER, '@ben.new');
      await named(ANNA, USER, null);
      expect([await shown('@mira'), await shown('ben')]).toEqual([['@mira.new'], ['@ben.new']]);
      await named(BEN, OTHER_USER, '@ben.known');
      expect(await book.contacts.list(accountId, { limit: 1, phone: BEN })).toMatchObject([{ username: '@ben.known' }]);
    });

    it('join the contact of their user id once the phone is known', async () => {
      const id = await create(draft(null, { userId: USER }));
      await meet(ANNA, USER, 'Anna');
      expect(await all()).toMatchObject([{ id, phone: ANNA, userId: USER, name: 'Anna' }]);
    });

    it('leave a user id with the contact that has it', async () => {
      await create(draft(BEN, { userId: USER }));
      await meetAll([
        { phone: ANNA, userId: USER, name: null },
        { phone: BRAZIL, userId: OTHER_USER, name: null },
        { phone: '4915100000009', userId: OTHER_USER, name: null },
      ]);
      const contacts = await all();
      expect(contacts).toHaveLength(4);
      expect(contacts.filter(({ userId }) => userId === USER)).toMatchObject([{ phone: BEN }]);
      expect(contacts.filter(({ userId }) => userId === OTHER_USER)).toHaveLength(1);
    });

    it('are recorded and added to groups concurrently without duplicates or deadlocks', async () => {
      const phones = Array.from({ length: 40 }, (_, index) => String(4915200000000 + index));
      const people = (from: number) => {
        const some = phones.slice(from, from + 20).map((phone) => ({ phone, userId: `DE.${phone}`, name: phone }));
        return from % 20 === 0 ? some : some.reverse();
      };
      const groupId = await newGroup();
      await Promise.all([
        meetAll(people(0)),
        meetAll(people(10)),
        book.groups.putContacts(
          accountId,
          groupId,
          phones.map((phone) => draft(phone)),
        ),
        meetAll(people(20)),
        meetAll(people(5)),
      ]);
      expect((await all()).map(({ phone }) => phone).sort()).toEqual(phones);
    });
  });
});
