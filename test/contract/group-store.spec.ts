import { uuidV7 } from '../../src/kernel/uuid';
import type { ContactDraft } from '../../src/modules/groups/domain/contact';
import type { ContactGroup, GroupMember, MemberPage, MemberRange } from '../../src/modules/groups/domain/contact-group';
import {
  ContactPhoneTakenError,
  GroupNameTakenError,
  GroupNotFoundError,
} from '../../src/modules/groups/domain/groups.errors';
import type { OptOut } from '../../src/modules/groups/domain/opt-out';
import { type ContactBook, describeContactBooks } from '../support/contact-books';

const PHONES = Array.from({ length: 60 }, (_, index) => `49151000000${String(index).padStart(2, '0')}`);
const [ANNA, BEN, CARA] = PHONES as [string, string, string];

const draft = (phone: string, more: Partial<ContactDraft> = {}): ContactDraft => ({
  phone,
  userId: null,
  name: null,
  parameters: null,
  attributes: null,
  ...more,
});

describeContactBooks('The contact book', (open) => {
  let stores: ContactBook;
  let accountId: string;
  let strangerId: string;

  beforeAll(async () => {
    stores = await open();
  });

  beforeEach(async () => {
    accountId = await stores.newAccount();
    strangerId = await stores.newAccount();
  });

  const newGroup = async (name = 'VIP', owner = accountId): Promise<ContactGroup> => {
    const now = new Date('2026-01-15T09:30:00.000Z');
    const group = {
      id: uuidV7(),
      accountId: owner,
      name,
      description: null,
      contactCount: 0,
      createdAt: now,
      updatedAt: now,
    };
    await stores.groups.create(group);
    return group;
  };
  const membersOf = (groupIds: string[], range: Partial<MemberRange> = {}, excludeGroupIds: string[] = []) => {
    const page = { after: null, limit: 2, attributes: [], ...range };
    return stores.groups.membersOf(accountId, { groupIds, excludeGroupIds }, page);
  };
  const countOf = async (groupId: string) => (await stores.groups.find(accountId, groupId))?.contactCount;
  const idsIn = async (groupId: string) =>
    (await membersOf([groupId], { limit: 1000 })).members.map(({ contactId }) => contactId);
  const contactWith = async (phone: string) => (await stores.contacts.list(accountId, { phone, limit: 1 }))[0];

  describe('groups', () => {
    it('returns what was created', async () => {
      const group = await newGroup();
      expect(await stores.groups.find(accountId, group.id)).toEqual(group);
    });

    it('has a name unique within its account, ignoring case', async () => {
      const group = await newGroup('VIP');
      await expect(newGroup('vip')).rejects.toThrow(GroupNameTakenError);
      await expect(newGroup('vip', strangerId)).resolves.toBeDefined();
      const other = await newGroup('Others');
      await expect(stores.groups.change(accountId, other.id, { name: 'Vip' })).rejects.toThrow(GroupNameTakenError);
      await expect(stores.groups.change(accountId, group.id, { name: 'Vip' })).resolves.toMatchObject({ name: 'Vip' });
    });

    it('lists newest first, in pages, with the count of all', async () => {
      for (const name of ['a', 'b', 'c']) await newGroup(name);
      await newGroup('foreign', strangerId);
      const list = (page: number) => stores.groups.list(accountId, { page, pageSize: 2 });
      const namesOf = async (page: number) => (await list(page)).items.map(({ name }) => name);
      expect(await namesOf(1)).toEqual(['c', 'b']);
      expect(await namesOf(2)).toEqual(['a']);
      expect(await list(3)).toEqual({ items: [], page: 3, pageSize: 2, totalCount: 3 });
    });

    it('changes the given fields, and removes a description with null', async () => {
      const { id } = await newGroup();
      expect(await stores.groups.change(accountId, id, { description: 'new' })).toMatchObject({
        name: 'VIP',
        description: 'new',
      });
      expect(await stores.groups.change(accountId, id, { name: 'Best' })).toMatchObject({
        name: 'Best',
        description: 'new',
      });
      expect(await stores.groups.change(accountId, id, { description: null })).toMatchObject({ description: null });
    });

    it('is removed step by step, with an exact count meanwhile, and keeps the contacts', async () => {
      const { id } = await newGroup();
      await stores.groups.putContacts(
        accountId,
        id,
        PHONES.slice(0, 5).map((phone) => draft(phone)),
      );
      expect(await stores.groups.removeStep(accountId, id, 3)).toBe('more');
      expect(await countOf(id)).toBe(2);
      expect(await stores.groups.removeStep(accountId, id, 3)).toBe('removed');
      expect(await stores.groups.find(accountId, id)).toBeNull();
      expect(await stores.groups.removeStep(accountId, id, 3)).toBe('missing');
      expect(await contactWith(ANNA)).toMatchObject({ groups: [] });
    });

    it('is unknown to another account', async () => {
      const { id } = await newGroup();
      await stores.groups.putContacts(accountId, id, [draft(ANNA)]);
      const members = await idsIn(id);
      expect(await stores.groups.find(strangerId, id)).toBeNull();
      expect(await stores.groups.change(strangerId, id, { name: 'mine' })).toBeNull();
      expect(await stores.groups.removeStep(strangerId, id, 10)).toBe('missing');
      expect(await stores.groups.removeContacts(strangerId, id, members)).toBeNull();
      const page = { after: null, limit: 10, attributes: [] };
      const audience = { groupIds: [id], excludeGroupIds: [] };
      expect((await stores.groups.membersOf(strangerId, audience, page)).members).toEqual([]);
      expect(await stores.groups.attributeNames(strangerId, [id])).toEqual([]);
      expect(await stores.contacts.listOfGroup(strangerId, id, { limit: 10 })).toEqual([]);
      await expect(stores.groups.putContacts(strangerId, id, [draft(BEN)])).rejects.toThrow(GroupNotFoundError);
      expect(await stores.groups.find(accountId, id)).toMatchObject({ name: 'VIP', contactCount: 1 });
    });
  });

  describe('members', () => {
    it('counts new and existing members separately', async () => {
      const { id } = await newGroup();
      expect(await stores.groups.putContacts(accountId, id, [draft(ANNA), draft(BEN)])).toMatchObject({
        added: 2,
        updated: 0,
      });
      expect(await stores.groups.putContacts(accountId, id, [draft(BEN), draft(CARA)])).toMatchObject({
        added: 1,
        updated: 1,
      });
      expect(await stores.groups.putContacts(accountId, id, [])).toMatchObject({ added: 0, updated: 0 });
      expect(await countOf(id)).toBe(3);
    });

    it('keeps one contact for one phone, however many groups it is in', async () => {
      const [first, second] = [await newGroup('Zebra'), await newGroup('apple')];
      await stores.groups.putContacts(accountId, first.id, [draft(ANNA)]);
      expect(await stores.groups.putContacts(accountId, second.id, [draft(ANNA)])).toMatchObject({
        added: 1,
        updated: 0,
      });
      expect(await stores.contacts.list(accountId, { limit: 10 })).toMatchObject([
        {
          phone: ANNA,
          groups: [
            { id: second.id, name: 'apple' },
            { id: first.id, name: 'Zebra' },
          ],
        },
      ]);
    });

    it('stores given names and parameters, and keeps omitted ones', async () => {
      const { id } = await newGroup();
      const anna = draft(ANNA, {
        name: 'Anna "A" O\'Neil, {x}',
        parameters: { '1': 'a "quoted", {value}', '2': '\\' },
        attributes: {},
      });
      await stores.groups.putContacts(accountId, id, [anna, draft(BEN)]);
      expect(await contactWith(ANNA)).toMatchObject(anna);
      expect(await contactWith(BEN)).toMatchObject({ name: null, parameters: {} });
      await stores.groups.putContacts(accountId, id, [draft(ANNA), draft(BEN, { name: 'Ben' })]);
      expect(await contactWith(ANNA)).toMatchObject(anna);
      await stores.groups.putContacts(accountId, id, [draft(ANNA, { parameters: { '3': 'c' } })]);
      expect(await contactWith(ANNA)).toMatchObject({ name: anna.name, parameters: { '3': 'c' } });
      expect(await contactWith(BEN)).toMatchObject({ name: 'Ben' });
    });

    it('adds given attributes to the stored ones, and removes those given as null', async () => {
      const { id } = await newGroup();
      const put = (...drafts: ContactDraft[]) => stores.groups.putContacts(accountId, id, drafts);
      const attributesOf = async (phone: string) => (await contactWith(phone))?.attributes;
      await put(draft(ANNA, { attributes: { City: 'Bonn', 'First "name"': 'A\\n', Old: null } }), draft(BEN));
      expect(await attributesOf(ANNA)).toEqual({ City: 'Bonn', 'First "name"': 'A\\n' });
      expect(await attributesOf(BEN)).toEqual({});
      await put(
        draft(ANNA, { attributes: { City: 'Köln', 'First "name"': null, Table: '7' } }),
        draft(BEN, { attributes: { City: 'Kiel' } }),
      );
      expect(await attributesOf(ANNA)).toEqual({ City: 'Köln', Table: '7' });
      expect(await attributesOf(BEN)).toEqual({ City: 'Kiel' });
      await put(draft(ANNA), draft(BEN, { attributes: {} }), draft(CARA, { attributes: { City: null } }));
      expect(await attributesOf(ANNA)).toEqual({ City: 'Köln', Table: '7' });
      expect(await attributesOf(BEN)).toEqual({ City: 'Kiel' });
      await put(draft(ANNA, { attributes: { City: null } }));
      expect(await attributesOf(ANNA)).toEqual({ Table: '7' });
    });

    it('keeps stored attributes only up to the limit', async () => {
      const { id } = await newGroup();
      const numbered = (from: number, to: number) =>
        Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`a${from + index}`, 'x']));
      await stores.groups.putContacts(accountId, id, [draft(ANNA, { attributes: numbered(10, 60) })]);
      await stores.groups.putContacts(accountId, id, [draft(ANNA, { attributes: numbered(60, 90) })]);
      expect((await contactWith(ANNA))?.attributes).toEqual({ ...numbered(10, 30), ...numbered(60, 90) });
    });

    it('stores no contact if the group is deleted', async () => {
      await expect(stores.groups.putContacts(accountId, uuidV7(), [draft(ANNA)])).rejects.toThrow(GroupNotFoundError);
      expect(await contactWith(ANNA)).toBeUndefined();
    });

    it('removes contacts and counts only actual members', async () => {
      const { id } = await newGroup();
      await stores.groups.putContacts(accountId, id, [draft(ANNA), draft(BEN)]);
      const [first] = await idsIn(id);
      expect(await stores.groups.removeContacts(accountId, id, [first!, uuidV7()])).toBe(1);
      expect(await stores.groups.removeContacts(accountId, id, [first!])).toBe(0);
      expect(await countOf(id)).toBe(1);
    });

    async function everyMember(groupIds: string[], range: Partial<MemberRange> = {}, excludeGroupIds: string[] = []) {
      const members: GroupMember[] = [];
      let excluded = 0;
      let after: string | null = null;
      do {
        const page: MemberPage = await membersOf(groupIds, { ...range, after }, excludeGroupIds);
        members.push(...page.members);
        excluded += page.excluded;
        after = page.next;
      } while (after !== null);
      return { members, excluded, phones: members.map(({ phone }) => phone!).sort() };
    }

    it('are read by ascending id with phone, parameters and the wanted attributes', async () => {
      const { id } = await newGroup();
      const drafts = PHONES.slice(0, 5).map((phone, index) =>
        draft(phone, { parameters: { '1': String(index) }, attributes: { City: `C${index}`, Note: 'x' } }),
      );
      await stores.groups.putContacts(accountId, id, drafts);
      const { members } = await everyMember([id], { attributes: ['City', 'Age'] });
      const ids = members.map(({ contactId }) => contactId);
      expect(ids).toEqual([...ids].sort());
      const found = members.map(({ phone, parameters, attributes }) => ({ phone, parameters, attributes }));
      found.sort((a, b) => (a.phone! < b.phone! ? -1 : 1));
      expect(found).toEqual(
        drafts.map(({ phone, parameters }, index) => ({ phone, parameters, attributes: { City: `C${index}` } })),
      );
    });

    it('of several groups are read once each, without those of excluded groups', async () => {
      const groups = [await newGroup('a'), await newGroup('b'), await newGroup('c')];
      const [a, b, c] = groups.map(({ id }) => id) as [string, string, string];
      const put = (id: string, from: number, to: number) =>
        stores.groups.putContacts(
          accountId,
          id,
          PHONES.slice(from, to).map((phone) => draft(phone)),
        );
      await put(a, 0, 30);
      await put(b, 20, 50);
      await put(c, 25, 40);
      for (const limit of [1, 7, 1000]) {
        expect((await everyMember([a, b], { limit })).phones).toEqual(PHONES.slice(0, 50));
        const without = await everyMember([a, b], { limit }, [c]);
        expect(without.phones).toEqual([...PHONES.slice(0, 25), ...PHONES.slice(40, 50)]);
        expect(without.excluded).toBe(15);
        expect((await everyMember([c], { limit }, [a, b])).members).toEqual([]);
      }
      expect(await everyMember([uuidV7()])).toMatchObject({ members: [], excluded: 0 });
    });

    it('have attributes whose names can be listed', async () => {
      const { id } = await newGroup();
      const attributes = { City: 'Bonn', Älter: '1' };
      await stores.groups.putContacts(accountId, id, [
        draft(ANNA, { attributes }),
        draft(BEN, { attributes: { Age: '7' } }),
      ]);
      expect(await stores.groups.attributeNames(accountId, [id])).toEqual(['Age', 'City', 'Älter']);
    });

    it('are counted exactly under concurrent changes of the group and its contacts', async () => {
      const [one, other] = [await newGroup('one'), await newGroup('other')];
      // Ascending and descending order, which would deadlock without sorting.
      const add = (groupId: string, from: number) => {
        const drafts = PHONES.slice(from, from + 30).map((phone) => draft(phone));
        return stores.groups.putContacts(accountId, groupId, from % 20 === 0 ? drafts : drafts.reverse());
      };
      await add(one.id, 0);
      const members = await idsIn(one.id);
      await Promise.all([
        add(one.id, 0),
        add(one.id, 20),
        add(other.id, 10),
        add(other.id, 30),
        stores.groups.removeContacts(accountId, one.id, members.slice(0, 10)),
        ...members.slice(5, 15).map((contactId) => stores.contacts.remove(accountId, contactId)),
        add(one.id, 5),
      ]);
      for (const group of [one, other]) expect(await countOf(group.id)).toBe((await idsIn(group.id)).length);
    });
  });

  describe('contacts', () => {
    const newContact = async (phone: string, more: Partial<ContactDraft> = {}, owner = accountId) => {
      const id = uuidV7();
      await stores.contacts.create(owner, id, draft(phone, more));
      return id;
    };

    it('returns what was created', async () => {
      const given = { name: 'Anna', parameters: { '1': 'a' }, attributes: { City: 'Bonn' } };
      const id = await newContact(ANNA, given);
      const anna = { id, accountId, phone: ANNA, userId: null, username: null, ...given };
      expect(await stores.contacts.find(accountId, id)).toEqual({ ...anna, optedOutAt: null, groups: [] });
    });

    it('has a phone unique within its account, and reports its owner', async () => {
      const id = await newContact(ANNA);
      await expect(newContact(ANNA)).rejects.toMatchObject(new ContactPhoneTakenError(id));
      await expect(newContact(ANNA, {}, strangerId)).resolves.toBeDefined();
      const ben = await newContact(BEN);
      const change = stores.contacts.change(accountId, ben, { phone: ANNA });
      await expect(change).rejects.toThrow(ContactPhoneTakenError);
      expect(await stores.contacts.change(accountId, ben, { phone: BEN })).toBe(true);
    });

    it('changes the given fields, replaces all parameters and attributes, and removes a name with null', async () => {
      const id = await newContact(ANNA, { name: 'Anna', parameters: { '1': 'a', '2': 'b' } });
      expect(await stores.contacts.change(accountId, id, { parameters: { '1': 'x' } })).toBe(true);
      expect(await stores.contacts.find(accountId, id)).toMatchObject({ name: 'Anna', parameters: { '1': 'x' } });
      await stores.contacts.change(accountId, id, { name: null, phone: BEN });
      expect(await stores.contacts.find(accountId, id)).toMatchObject({
        name: null,
        phone: BEN,
        parameters: { '1': 'x' },
        attributes: {},
      });
      await stores.contacts.change(accountId, id, { attributes: { City: 'Bonn', Old: 'x' } });
      await stores.contacts.change(accountId, id, { attributes: { City: 'Köln' } });
      expect(await stores.contacts.find(accountId, id)).toMatchObject({ parameters: { '1': 'x' } });
      expect((await stores.contacts.find(accountId, id))?.attributes).toEqual({ City: 'Köln' });
    });

    it('lists newest first, after a given contact, of the account or of one group', async () => {
      const { id: groupId } = await newGroup();
      const ids = [];
      for (const phone of PHONES.slice(0, 4)) ids.unshift(await newContact(phone));
      await newContact(ANNA, {}, strangerId);
      await stores.groups.putContacts(accountId, groupId, [draft(ANNA), draft(CARA)]);
      const list = async (query: object) =>
        (await stores.contacts.list(accountId, { limit: 10, ...query })).map(({ id }) => id);
      expect(await list({})).toEqual(ids);
      expect(await list({ limit: 2 })).toEqual(ids.slice(0, 2));
      expect(await list({ before: ids[1] })).toEqual(ids.slice(2));
      const listOfGroup = async (range: object) =>
        (await stores.contacts.listOfGroup(accountId, groupId, { limit: 10, ...range })).map(({ id }) => id);
      expect(await listOfGroup({})).toEqual([ids[1], ids[3]]);
      expect(await listOfGroup({ limit: 1 })).toEqual([ids[1]]);
      expect(await listOfGroup({ before: ids[1] })).toEqual([ids[3]]);
    });

    it('shows since when the number has opted out', async () => {
      const id = await newContact(ANNA);
      const createdAt = new Date('2026-01-15T09:30:00.000Z');
      await stores.optOuts.add(strangerId, ANNA, optOutOf(ANNA, createdAt));
      expect(await stores.contacts.find(accountId, id)).toMatchObject({ optedOutAt: null });
      await stores.optOuts.add(accountId, ANNA, optOutOf(ANNA, createdAt));
      expect(await stores.contacts.find(accountId, id)).toMatchObject({ optedOutAt: createdAt });
    });

    it('leaves every group when removed, and its opt-out remains', async () => {
      const [one, other] = [await newGroup('one'), await newGroup('other')];
      for (const { id } of [one, other]) await stores.groups.putContacts(accountId, id, [draft(ANNA), draft(BEN)]);
      await stores.optOuts.add(accountId, ANNA, optOutOf(ANNA, new Date()));
      const { id } = (await contactWith(ANNA))!;
      expect(await stores.contacts.remove(accountId, id)).toBe(true);
      expect(await stores.contacts.find(accountId, id)).toBeNull();
      expect([await countOf(one.id), await countOf(other.id)]).toEqual([1, 1]);
      expect([...(await stores.optOuts.scopesOf(accountId, [ANNA])).keys()]).toEqual([ANNA]);
      expect(await stores.contacts.remove(accountId, id)).toBe(false);
    });

    it('is unknown to another account', async () => {
      const id = await newContact(ANNA);
      expect(await stores.contacts.find(strangerId, id)).toBeNull();
      expect(await stores.contacts.change(strangerId, id, { name: 'x' })).toBe(false);
      expect(await stores.contacts.remove(strangerId, id)).toBe(false);
      expect(await stores.contacts.find(accountId, id)).toMatchObject({ name: null });
    });
  });
});

function optOutOf(phone: string, createdAt: Date): OptOut {
  return { phone, userId: null, scope: 'All', source: 'Api', createdAt };
}
