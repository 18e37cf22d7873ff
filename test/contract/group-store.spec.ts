import { uuidV7 } from '../../src/kernel/uuid';
import type { ContactDraft } from '../../src/modules/groups/domain/contact';
import type { ContactGroup } from '../../src/modules/groups/domain/contact-group';
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
  const countOf = async (groupId: string) => (await stores.groups.find(accountId, groupId))?.contactCount;
  const idsIn = async (groupId: string) =>
    (await stores.groups.membersOf(accountId, groupId, null, 1000)).map(({ contactId }) => contactId);
  const contactWith = async (phone: string) => (await stores.contacts.list(accountId, { phone, limit: 1 }))[0];

  describe('groups', () => {
    it('gives back what was created', async () => {
      const group = await newGroup();
      expect(await stores.groups.find(accountId, group.id)).toEqual(group);
    });

    it('has a name once in an account, whatever its case, and again in another account', async () => {
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

    it('changes what is given, and takes a description away with null', async () => {
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

    it('is removed step by step, with an exact count in between, and leaves the contacts', async () => {
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

    it('is none for another account', async () => {
      const { id } = await newGroup();
      await stores.groups.putContacts(accountId, id, [draft(ANNA)]);
      const members = await idsIn(id);
      expect(await stores.groups.find(strangerId, id)).toBeNull();
      expect(await stores.groups.change(strangerId, id, { name: 'mine' })).toBeNull();
      expect(await stores.groups.removeStep(strangerId, id, 10)).toBe('missing');
      expect(await stores.groups.removeContacts(strangerId, id, members)).toBeNull();
      expect(await stores.groups.membersOf(strangerId, id, null, 10)).toEqual([]);
      expect(await stores.contacts.listOfGroup(strangerId, id, { limit: 10 })).toEqual([]);
      await expect(stores.groups.putContacts(strangerId, id, [draft(BEN)])).rejects.toThrow(GroupNotFoundError);
      expect(await stores.groups.find(accountId, id)).toMatchObject({ name: 'VIP', contactCount: 1 });
    });
  });

  describe('members', () => {
    it('counts who is new in the group apart from who was in it', async () => {
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

    it('stores a given name and given parameters, and keeps what is not given', async () => {
      const { id } = await newGroup();
      const anna = draft(ANNA, {
        name: 'Anna "A" O\'Neil, {x}',
        parameters: { '1': 'a "quoted", {value}', '2': '\\' },
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

    it('stores no contact when the group is gone', async () => {
      await expect(stores.groups.putContacts(accountId, uuidV7(), [draft(ANNA)])).rejects.toThrow(GroupNotFoundError);
      expect(await contactWith(ANNA)).toBeUndefined();
    });

    it('takes contacts out and counts only those that were in', async () => {
      const { id } = await newGroup();
      await stores.groups.putContacts(accountId, id, [draft(ANNA), draft(BEN)]);
      const [first] = await idsIn(id);
      expect(await stores.groups.removeContacts(accountId, id, [first!, uuidV7()])).toBe(1);
      expect(await stores.groups.removeContacts(accountId, id, [first!])).toBe(0);
      expect(await countOf(id)).toBe(1);
    });

    it('are walked by rising id with the phone and the parameters of each', async () => {
      const { id } = await newGroup();
      const drafts = PHONES.slice(0, 5).map((phone, index) => draft(phone, { parameters: { '1': String(index) } }));
      await stores.groups.putContacts(accountId, id, drafts);
      const walked = [];
      for (let after: string | null = null; ;) {
        const members = await stores.groups.membersOf(accountId, id, after, 2);
        if (members.length === 0) break;
        walked.push(...members);
        after = members.at(-1)!.contactId;
      }
      const ids = walked.map(({ contactId }) => contactId);
      expect(ids).toEqual([...ids].sort());
      const found = walked.map(({ phone, parameters }) => ({ phone, parameters }));
      const byPhone = (a: { phone: string | null }, b: { phone: string | null }) => (a.phone! < b.phone! ? -1 : 1);
      expect(found.sort(byPhone)).toEqual(drafts.map(({ phone, parameters }) => ({ phone, parameters })));
    });

    it('are counted exactly when many calls change the group and its contacts at once', async () => {
      const [one, other] = [await newGroup('one'), await newGroup('other')];
      // Rising and falling order, so that calls would wait for each other if the store took them as they come.
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

    it('gives back what was created', async () => {
      const id = await newContact(ANNA, { name: 'Anna', parameters: { '1': 'a' } });
      const anna = { id, accountId, phone: ANNA, userId: null, username: null, name: 'Anna', parameters: { '1': 'a' } };
      expect(await stores.contacts.find(accountId, id)).toEqual({ ...anna, optedOutAt: null, groups: [] });
    });

    it('has a phone once in an account and tells who has it, and again in another account', async () => {
      const id = await newContact(ANNA);
      await expect(newContact(ANNA)).rejects.toMatchObject(new ContactPhoneTakenError(id));
      await expect(newContact(ANNA, {}, strangerId)).resolves.toBeDefined();
      const ben = await newContact(BEN);
      const change = stores.contacts.change(accountId, ben, { phone: ANNA });
      await expect(change).rejects.toThrow(ContactPhoneTakenError);
      expect(await stores.contacts.change(accountId, ben, { phone: BEN })).toBe(true);
    });

    it('changes what is given, replaces parameters whole, and takes a name away with null', async () => {
      const id = await newContact(ANNA, { name: 'Anna', parameters: { '1': 'a', '2': 'b' } });
      expect(await stores.contacts.change(accountId, id, { parameters: { '1': 'x' } })).toBe(true);
      expect(await stores.contacts.find(accountId, id)).toMatchObject({ name: 'Anna', parameters: { '1': 'x' } });
      await stores.contacts.change(accountId, id, { name: null, phone: BEN });
      expect(await stores.contacts.find(accountId, id)).toMatchObject({
        name: null,
        phone: BEN,
        parameters: { '1': 'x' },
      });
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

    it('leaves every group when it is removed, and its opt-out stands', async () => {
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

    it('is none for another account', async () => {
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
