import { actorIn, unreadAuditLog } from '../../../../test/support/audit';
import { EventsInMemory } from '../../../../test/fakes/events-in-memory';
import { ImmediateUnitOfWork } from '../../../../test/fakes/immediate-unit-of-work';
import { InMemoryContactBook } from '../../../../test/fakes/in-memory-contact-book';
import { InMemoryOptOutKeywords } from '../../../../test/fakes/in-memory-opt-outs';
import { Clock } from '../../../kernel/clock';
import { uuidV7 } from '../../../kernel/uuid';
import { ContactsService } from './contacts.service';
import {
  ContactInvalidError,
  ContactNotFoundError,
  ContactPhoneTakenError,
  GroupNotFoundError,
  OptOutNotFoundError,
} from './groups.errors';
import { GroupsService } from './groups.service';
import { EventOutbox } from '../../events/domain/event-outbox';
import { KnownNumbers } from './known-numbers';
import { OptOutsService } from './opt-outs.service';
import { contactQuotaOf } from '../../../../test/support/contact-quota';
import { internationalPhoneBook } from '../../../../test/support/phone-book';

const [ANNA, BEN, CARA, DORA, EMIL] = [1, 2, 3, 4, 5].map((n) => `491512345678${n}`) as [
  ...[string, string, string, string, string],
];
const NOW = new Date('2026-01-15T09:30:00.000Z');

class StoppedClock extends Clock {
  now = () => NOW;
  monotonic = () => 0;
  sleep = () => Promise.resolve();
}

const phones = internationalPhoneBook();

describe('GroupsService and ContactsService', () => {
  const accountId = uuidV7();
  const otherAccountId = uuidV7();
  let contacts: ContactsService;
  let groups: GroupsService;
  let book: InMemoryContactBook;
  let optOuts: OptOutsService;

  beforeEach(() => {
    book = new InMemoryContactBook();
    optOuts = new OptOutsService(
      ...([
        book.optOuts,
        new KnownNumbers(book.knownNumbers),
        phones,
        new StoppedClock(),
        new ImmediateUnitOfWork(),
        new InMemoryOptOutKeywords(),
        new EventOutbox(new EventsInMemory()),
        unreadAuditLog(),
      ] as const),
    );
    withRoomFor(10_000);
  });

  const withRoomFor = (maxContacts: number) => {
    const quota = contactQuotaOf(book.contacts, maxContacts);
    const unitOfWork = new ImmediateUnitOfWork();
    contacts = new ContactsService(book.contacts, phones, optOuts, unitOfWork, quota);
    groups = new GroupsService(book.groups, contacts, phones, new StoppedClock(), unitOfWork, quota);
  };

  const newGroup = async (name = 'VIP') => (await groups.create(accountId, { name, description: null }, 100)).id;

  it('limits the groups of each account to its plan', async () => {
    const create = (account: string, name: string) => groups.create(account, { name, description: null }, 2);
    await create(accountId, 'one');
    const { id } = await create(accountId, 'two');
    await expect(create(accountId, 'three')).rejects.toMatchObject({ code: 'quota_exceeded', extra: { limit: 2 } });
    await create(otherAccountId, 'one');
    await groups.remove(accountId, id);
    await create(accountId, 'three');
  });

  it('limits the contacts of each account to its plan, except people who write to it', async () => {
    withRoomFor(3);
    const groupId = await newGroup();
    const { id } = await contacts.create(accountId, 'Free', { phone: ANNA });
    await contacts.upsertFromInbound(accountId, [{ phone: BEN, userId: null, name: null, username: null }]);
    const refused = { code: 'quota_exceeded', extra: { quota: 'maxContacts', limit: 3 } };
    const two = [{ phone: CARA }, { phone: DORA }];
    await expect(groups.addContacts(accountId, 'Free', groupId, two)).rejects.toMatchObject(refused);
    expect(await groups.get(accountId, groupId)).toMatchObject({ contactCount: 0 });
    const known = [{ phone: ANNA }, { phone: BEN }, { phone: CARA }, { phone: 'x' }];
    expect(await groups.addContacts(accountId, 'Free', groupId, known)).toMatchObject({ added: 3, invalid: 1 });
    await expect(contacts.create(accountId, 'Free', { phone: DORA })).rejects.toMatchObject(refused);
    await expect(contacts.create(accountId, 'Free', { phone: ANNA })).rejects.toThrow(ContactPhoneTakenError);
    await contacts.upsertFromInbound(accountId, [{ phone: DORA, userId: null, name: null, username: null }]);
    await contacts.create(otherAccountId, 'Free', { phone: ANNA });

    await contacts.remove(accountId, id);
    await expect(contacts.create(accountId, 'Free', { phone: EMIL })).rejects.toMatchObject(refused);
    await contacts.remove(accountId, (await contacts.list(accountId, { limit: 1 })).items[0]!.id);
    await contacts.create(accountId, 'Free', { phone: EMIL });
  });

  describe('adding a list of contacts to a group', () => {
    it('stores valid entries, drops duplicates and reports invalid entries', async () => {
      const groupId = await newGroup();
      const outcome = await groups.addContacts(accountId, 'Free', groupId, [
        { phone: ANNA, name: 'first' },
        'no contact',
        { phone: `+${ANNA}`, name: 'second' },
        { phone: BEN, name: '' },
        { phone: CARA },
      ]);
      expect(outcome).toMatchObject({ added: 2, updated: 0, duplicates: 1, invalid: 2 });
      expect(outcome.errors).toEqual([
        {
          index: 1,
          field: '',
          code: 'contact_invalid',
          message: 'A contact must be an object with a phone or a userId.',
        },
        { index: 3, field: 'name', code: 'name_invalid', message: 'name must not be empty.' },
      ]);
      const { items } = await groups.contactsOf(accountId, groupId, { limit: 10 });
      expect(items.map(({ phone, name }) => [phone, name])).toEqual([
        [CARA, null],
        [ANNA, 'first'],
      ]);
      expect(await groups.get(accountId, groupId)).toMatchObject({ contactCount: 2 });
    });

    it('stores a valid entry after an invalid one with the same phone', async () => {
      const groupId = await newGroup();
      const outcome = await groups.addContacts(accountId, 'Free', groupId, [
        { phone: ANNA, name: '' },
        { phone: ANNA },
      ]);
      expect(outcome).toMatchObject({ added: 1, duplicates: 0, invalid: 1 });
    });

    it('counts contacts that were in the group as updated', async () => {
      const groupId = await newGroup();
      await groups.addContacts(accountId, 'Free', groupId, [{ phone: ANNA }]);
      const outcome = await groups.addContacts(accountId, 'Free', groupId, [
        { phone: ANNA, name: 'Anna' },
        { phone: BEN },
      ]);
      expect(outcome).toEqual({ added: 1, updated: 1, duplicates: 0, invalid: 0, errors: [] });
    });

    it('requires a group of the account', async () => {
      const groupId = await newGroup();
      await expect(groups.addContacts(otherAccountId, 'Free', groupId, [{ phone: ANNA }])).rejects.toThrow(
        GroupNotFoundError,
      );
    });
  });

  it('removes contacts by distinct ids, ignoring case, and counts ids that are not in the group', async () => {
    const groupId = await newGroup();
    await groups.addContacts(accountId, 'Free', groupId, [{ phone: ANNA }, { phone: BEN }]);
    const { items } = await groups.contactsOf(accountId, groupId, { limit: 1 });
    const id = items[0]!.id;
    const outcome = await groups.removeContacts(accountId, groupId, [id, id.toUpperCase(), uuidV7()]);
    expect(outcome).toEqual({ removed: 1, notInGroup: 1 });
  });

  it('removes a group larger than one step and keeps its contacts', async () => {
    const groupId = await newGroup();
    const many = Array.from({ length: 4000 }, (_, index) => ({ phone: `49151${10_000_000 + index}` }));
    await groups.addContacts(accountId, 'Free', groupId, many);
    await groups.remove(accountId, groupId);
    await expect(groups.get(accountId, groupId)).rejects.toThrow(GroupNotFoundError);
    expect((await contacts.list(accountId, { limit: 1 })).items[0]).toMatchObject({ groups: [] });
    await expect(groups.remove(accountId, groupId)).rejects.toThrow(GroupNotFoundError);
  });

  it('pages through a list until there is no cursor', async () => {
    const groupId = await newGroup();
    await groups.addContacts(accountId, 'Free', groupId, [
      { phone: ANNA },
      { phone: BEN },
      { phone: CARA },
      { phone: '4915123456784' },
    ]);
    const first = await groups.contactsOf(accountId, groupId, { limit: 2 });
    const second = await groups.contactsOf(accountId, groupId, { limit: 2, cursor: first.nextCursor! });
    expect(first.items[1]!.id).toBe(first.nextCursor);
    expect(second.nextCursor).toBeNull();
    expect([...first.items, ...second.items].map(({ phone }) => phone)).toEqual(['4915123456784', CARA, BEN, ANNA]);
  });

  it('uses the id of the claim and seals it; creates nothing if the claim is lost', async () => {
    let seals = 0;
    const claim = { resourceId: uuidV7(), seal: () => Promise.resolve(void seals++) };
    const given = { name: 'Claimed', description: null };
    expect((await groups.create(accountId, given, 100, claim)).id).toBe(claim.resourceId);
    expect((await contacts.create(accountId, 'Free', { phone: ANNA }, claim)).id).toBe(claim.resourceId);
    expect(seals).toBe(2);
    const lost = { resourceId: uuidV7(), seal: () => Promise.reject(new Error('The claim is lost')) };
    await expect(groups.create(accountId, { ...given, name: 'Lost' }, 100, lost)).rejects.toThrow('lost');
    expect((await groups.list(accountId, { page: 1, pageSize: 10, search: 'Lost' })).totalCount).toBe(0);
  });

  it('creates a contact with its phone as digits, and changes it', async () => {
    const { id } = await contacts.create(accountId, 'Free', { phone: `+${ANNA}`, name: 'Anna' });
    expect(await contacts.get(accountId, id)).toMatchObject({ phone: ANNA, name: 'Anna', parameters: {} });
    expect(await contacts.change(accountId, id, { phone: `+${BEN}` })).toMatchObject({ phone: BEN, name: 'Anna' });
    expect((await contacts.list(accountId, { phone: `+${BEN}`, limit: 5 })).items).toHaveLength(1);
    expect((await contacts.list(accountId, { phone: ANNA, limit: 5 })).items).toEqual([]);
  });

  it('rejects an invalid phone everywhere', async () => {
    const { id } = await contacts.create(accountId, 'Free', { phone: ANNA });
    const refused = { code: 'validation_failed', errors: [{ field: 'phone', code: 'phone_invalid' }] };
    await expect(contacts.create(accountId, 'Free', { phone: 'x' })).rejects.toMatchObject(refused);
    await expect(contacts.change(accountId, id, { phone: 'x' })).rejects.toMatchObject(refused);
    await expect(contacts.list(accountId, { phone: 'x', limit: 5 })).rejects.toThrow(ContactInvalidError);
    await expect(optOuts.add(actorIn(accountId), { phone: 'x' })).rejects.toMatchObject(refused);
  });

  it('does not find contacts of another account', async () => {
    const { id } = await contacts.create(accountId, 'Free', { phone: ANNA });
    await expect(contacts.get(otherAccountId, id)).rejects.toThrow(ContactNotFoundError);
    await expect(contacts.change(otherAccountId, id, { name: 'x' })).rejects.toThrow(ContactNotFoundError);
    await expect(contacts.remove(otherAccountId, id)).rejects.toThrow(ContactNotFoundError);
  });

  it('stores an opt-out by its digits until it is removed', async () => {
    expect(await optOuts.add(actorIn(accountId), { phone: `+${ANNA}` })).toEqual({
      phone: ANNA,
      userId: null,
      scope: 'All',
      source: 'Api',
      createdAt: NOW,
    });
    expect(await optOuts.isOptedOut(accountId, ANNA)).toBe(true);
    expect(await optOuts.isOptedOut(otherAccountId, ANNA)).toBe(false);
    expect(await optOuts.optedOutAmong(accountId, [ANNA, BEN])).toEqual(new Set([ANNA]));
    await optOuts.remove(actorIn(accountId), `+${ANNA}`);
    expect(await optOuts.isOptedOut(accountId, ANNA)).toBe(false);
    await expect(optOuts.remove(actorIn(accountId), ANNA)).rejects.toThrow(OptOutNotFoundError);
    await expect(optOuts.remove(actorIn(accountId), 'x')).rejects.toThrow(OptOutNotFoundError);
  });
});
