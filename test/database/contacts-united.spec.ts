import type { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresContactStore } from '../../src/modules/groups/adapters/postgres-contact-store';
import { PostgresGroupStore } from '../../src/modules/groups/adapters/postgres-group-store';
import { ContactsService } from '../../src/modules/groups/domain/contacts.service';
import { ContactNotFoundError } from '../../src/modules/groups/domain/groups.errors';
import { GroupsService } from '../../src/modules/groups/domain/groups.service';
import { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { contactQuotaOf } from '../support/contact-quota';
import { internationalPhoneBook } from '../support/phone-book';
import { describeOnDatabase } from '../support/databases';
import { optOutsOn } from '../support/opt-outs-on';

const phoneNumber = (index: number) => String(491_520_000_000 + index);
const [ANNA, BEN] = [phoneNumber(0), phoneNumber(1)];
const USER = 'DE.1349abc';

describeOnDatabase('Contacts whose user id and number become known together', (open) => {
  let database: Database;
  let accountId: string;
  let groupId: string;
  let optOuts: OptOutsService;

  beforeAll(async () => {
    database = await open();
    optOuts = optOutsOn(database);
  });

  beforeEach(async () => {
    accountId = uuidV7();
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Test', 'Free')`, [accountId]);
    groupId = (await servicesWith(optOuts).groups.create(accountId, { name: 'VIP', description: null }, 100)).id;
  });

  const servicesWith = (ofPeople: OptOutsService) => {
    const unitOfWork = new TypeOrmUnitOfWork(database);
    const phones = internationalPhoneBook();
    const store = new PostgresContactStore(database);
    const quota = contactQuotaOf(store, 1_000_000);
    const contacts = new ContactsService(store, phones, ofPeople, unitOfWork, quota);
    const groups = new GroupsService(
      ...([new PostgresGroupStore(database), contacts, phones] as const),
      new SystemClock(),
      unitOfWork,
      quota,
    );
    return { contacts, groups };
  };
  /** As if the process died before the opt-out of the user id was moved to the number. */
  const cutOff = () =>
    servicesWith(Object.assign(optOutsOn(database), { mergeIdentities: () => Promise.reject(new Error('cut off')) }));
  const hearsStopOf = (userId: string) =>
    optOuts.applyMessages(accountId, [{ phone: null, userId, text: 'STOP', at: new Date() }]);
  const isOptedOut = (person: string) => optOuts.isOptedOut(accountId, person);

  it('are changed with the opt-out of their user id, or not at all', async () => {
    await hearsStopOf(USER);
    const { contacts } = servicesWith(optOuts);
    const { id } = await contacts.create(accountId, 'Free', { phone: ANNA });
    await expect(cutOff().contacts.change(accountId, id, { userId: USER })).rejects.toThrow('cut off');
    expect(await contacts.get(accountId, id)).toMatchObject({ userId: null });
    expect(await contacts.change(accountId, id, { userId: USER })).toMatchObject({ userId: USER });
    expect(await isOptedOut(ANNA)).toBe(true);
  });

  it('are added to a group with the opt-out of their user id, or not at all', async () => {
    await hearsStopOf(USER);
    const entries = [{ phone: ANNA, userId: USER }, { phone: BEN }];
    await expect(cutOff().groups.addContacts(accountId, 'Free', groupId, entries)).rejects.toThrow('cut off');
    const { groups } = servicesWith(optOuts);
    expect(await groups.get(accountId, groupId)).toMatchObject({ contactCount: 0 });
    expect(await groups.addContacts(accountId, 'Free', groupId, entries)).toMatchObject({ added: 2, invalid: 0 });
    expect([await isOptedOut(ANNA), await isOptedOut(BEN)]).toEqual([true, false]);
  });

  it('never share a user id under concurrent requests', async () => {
    const { groups } = servicesWith(optOuts);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        groups.addContacts(accountId, 'Free', groupId, [{ phone: phoneNumber(10 + index), userId: USER }]),
      ),
    );
    expect(answers.filter(({ added }) => added === 1)).toHaveLength(1);
    expect(answers.filter(({ invalid }) => invalid === 1)).toHaveLength(11);
    expect(await groups.get(accountId, groupId)).toMatchObject({ contactCount: 1 });
  });

  it('are counted by each of several concurrent requests that list the user ids in different orders', async () => {
    const { groups } = servicesWith(optOuts);
    const userIds = Array.from({ length: 12 }, (_, index) => `DE.${index}`);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, request) =>
        groups.addContacts(
          accountId,
          'Free',
          groupId,
          userIds.map((_, index) => ({
            phone: phoneNumber(100 + request * 12 + index),
            userId: userIds[(index * (request % 2 ? 5 : 7) + request) % 12],
          })),
        ),
      ),
    );
    const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);
    expect(sum(answers.map(({ added }) => added))).toBe(12);
    expect(sum(answers.map(({ invalid }) => invalid))).toBe(7 * 12);
  });

  it('return which contact has the requested number or user id', async () => {
    const { contacts } = servicesWith(optOuts);
    const anna = await contacts.create(accountId, 'Free', { phone: ANNA, userId: USER });
    const ben = await contacts.create(accountId, 'Free', { phone: BEN });
    const extra = { contactId: anna.id };
    await expect(contacts.change(accountId, ben.id, { phone: ANNA })).rejects.toMatchObject({ extra });
    await expect(contacts.change(accountId, ben.id, { userId: USER })).rejects.toMatchObject({ extra });
    await expect(contacts.change(accountId, uuidV7(), { phone: ANNA })).rejects.toThrow(ContactNotFoundError);
  });
});
