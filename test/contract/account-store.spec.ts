import { randomBytes } from 'node:crypto';
import type { Database } from '../../src/infra/database/database';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { uuidV7 } from '../../src/kernel/uuid';
import { PlatformCredentials } from '../../src/modules/accounts/adapters/platform-credentials';
import { TypeOrmAccountStore } from '../../src/modules/accounts/adapters/typeorm-account-store';
import type { AccountStore } from '../../src/modules/accounts/domain/account-store.port';
import { PhoneNumberTakenError } from '../../src/modules/accounts/domain/accounts.errors';
import { activeSince, dueTimes } from '../../src/modules/accounts/domain/sender';
import { InMemoryAccountStore } from '../fakes/in-memory-account-store';
import { draft } from '../support/account-draft';
import { describeOnDatabase } from '../support/databases';

const ENVIRONMENT = new PlatformCredentials('environment-token', 'environment-secret');

describe('AccountStore in memory', () => {
  keepsAccounts(() => Promise.resolve(new InMemoryAccountStore(ENVIRONMENT)));
});

describeOnDatabase('AccountStore', (open) => {
  keepsAccounts(async () => new TypeOrmAccountStore(await open(), new SecretBox(randomBytes(32)), ENVIRONMENT));

  it('stores tokens and secrets encrypted, and decrypts them only with the same key', async () => {
    const database: Database = await open();
    const key = randomBytes(32);
    const id = uuidV7();
    await new TypeOrmAccountStore(database, new SecretBox(key), ENVIRONMENT).add(
      id,
      draft('900', { accessToken: 'EAAG-own', appSecret: 'own-secret' }),
    );
    const [row] = await database.rows<Record<string, unknown>>('SELECT * FROM senders');
    expect(JSON.stringify(row)).not.toMatch(/EAAG-own|own-secret/);
    expect(
      (await new TypeOrmAccountStore(database, new SecretBox(key), ENVIRONMENT).sendersOf(id))[0]?.accessToken,
    ).toBe('EAAG-own');
    const withOtherKey = new TypeOrmAccountStore(database, new SecretBox(randomBytes(32)), ENVIRONMENT);
    await expect(withOtherKey.senders()).rejects.toThrow(/ENCRYPTION_KEY/);
  });

  it('takes only a number that is in use for one', async () => {
    const store = new TypeOrmAccountStore(await open(), new SecretBox(randomBytes(32)), ENVIRONMENT);
    const id = uuidV7();
    await store.add(id, draft('902'));
    const [sender] = await store.sendersOf(id);
    const sameId = store.addSender(id, sender!.id, draft('903').sender!);
    await expect(sameId).rejects.toMatchObject({ constraint: 'senders_pkey' });
  });

  it('lets a transaction with the first-account lock insert it', async () => {
    const database = await open();
    const store = new TypeOrmAccountStore(database, new SecretBox(randomBytes(32)), ENVIRONMENT);
    await database.transaction(async () => {
      await store.lockForFirst();
      await store.add(uuidV7(), draft('901'));
    });
    expect(await store.first()).not.toBeNull();
  });
});

function keepsAccounts(open: () => Promise<AccountStore>): void {
  let store: AccountStore;
  beforeAll(async () => {
    store = await open();
  });

  it('starts without accounts', async () => {
    expect(await store.first()).toBeNull();
    expect(await store.page({ page: 1, pageSize: 20 })).toEqual({ items: [], page: 1, pageSize: 20, totalCount: 0 });
    expect(await store.byId(uuidV7())).toBeNull();
    expect(await store.senders()).toEqual([]);
  });

  it('returns what was added, with credentials from the environment by default', async () => {
    const id = uuidV7();
    await store.add(id, draft('100'));
    expect(await store.byId(id)).toMatchObject({
      id,
      name: 'Account 100',
      plan: 'Pro',
      status: 'Active',
      sendingPaused: false,
      defaultCountry: 'DE',
      businessPortfolioId: null,
      sender: {
        accountId: id,
        phoneNumberId: '100',
        businessAccountId: '200',
        messagesPerSecond: 80,
        messagingTier: 'Unlimited',
        accessToken: 'environment-token',
        appSecret: 'environment-secret',
        marketingMessagesApi: false,
        businessPortfolioId: null,
        portfolioId: '200',
        sendingPaused: false,
        isDeleted: false,
        defaultCountry: 'DE',
        templatesSyncedAt: null,
        ...{ limitsReadAt: null, qualityRating: null, tokenProblem: null, lastReportedAt: null },
      },
    });
    expect((await store.byId(id))?.createdAt).toBeInstanceOf(Date);
  });

  it('adds an account without a sender, and the sender later', async () => {
    const id = uuidV7();
    await store.add(id, { ...draft('101'), sender: null });
    expect((await store.byId(id))?.sender).toBeNull();
    expect(await store.sendersOf(id)).toEqual([]);
    await store.addSender(id, uuidV7(), draft('101', { accessToken: 'own' }).sender!);
    const [sender] = await store.sendersOf(id);
    expect(sender).toMatchObject({ phoneNumberId: '101', accessToken: 'own' });
    expect(await store.sender(sender!.id)).toEqual(sender);
  });

  it('changes only the given fields', async () => {
    const id = uuidV7();
    await store.add(id, draft('102', { accessToken: 'own' }));
    await store.change(id, { plan: 'Free', sender: { messagesPerSecond: 5 } });
    expect(await store.byId(id)).toMatchObject({
      name: 'Account 102',
      plan: 'Free',
      sender: { messagesPerSecond: 5, accessToken: 'own' },
    });
    await store.change(id, { sender: { accessToken: null } });
    expect((await store.sendersOf(id))[0]?.accessToken).toBe('environment-token');
    await store.change(id, { sender: { marketingMessagesApi: true } });
    expect((await store.sendersOf(id))[0]?.marketingMessagesApi).toBe(true);
    await store.change(id, { sender: {} });
    expect((await store.sendersOf(id))[0]?.marketingMessagesApi).toBe(true);
    await store.change(id, {});
    expect((await store.byId(id))?.plan).toBe('Free');
  });

  it('stops the sender of a paused or suspended account, and counts its tier over the portfolio', async () => {
    const id = uuidV7();
    await store.add(id, draft('103'));
    await store.change(id, { sendingPaused: true, businessPortfolioId: '300' });
    expect((await store.sendersOf(id))[0]).toMatchObject({ sendingPaused: true, portfolioId: '300' });
    const senderId = uuidV7();
    await store.addSender(id, senderId, { ...draft('107').sender!, businessPortfolioId: '301' });
    expect(await store.sender(senderId)).toMatchObject({ businessPortfolioId: '301', portfolioId: '301' });
    await store.changeSender(senderId, { businessPortfolioId: null });
    expect(await store.sender(senderId)).toMatchObject({ businessPortfolioId: null, portfolioId: '300' });
    await store.deleteSender(senderId);
    await store.change(id, { sendingPaused: false });
    expect((await store.sendersOf(id))[0]?.sendingPaused).toBe(false);
    await store.change(id, { status: 'Suspended' });
    expect((await store.sendersOf(id))[0]?.sendingPaused).toBe(true);
  });

  it('refuses a phone number of another account, and stores nothing', async () => {
    const id = uuidV7();
    await expect(store.add(id, draft('100'))).rejects.toThrow(PhoneNumberTakenError);
    expect(await store.byId(id)).toBeNull();
    const other = uuidV7();
    await store.add(other, draft('104'));
    await expect(store.change(other, { name: 'New', sender: { phoneNumberId: '100' } })).rejects.toThrow(
      PhoneNumberTakenError,
    );
    expect(await store.byId(other)).toMatchObject({ name: 'Account 104', sender: { phoneNumberId: '104' } });
  });

  it('pages newest first, and lists senders oldest first', async () => {
    const { items, totalCount } = await store.page({ page: 1, pageSize: 2 });
    expect(totalCount).toBe(5);
    expect(items.map(({ name }) => name)).toEqual(['Account 104', 'Account 103']);
    expect((await store.page({ page: 3, pageSize: 2 })).items.map(({ name }) => name)).toEqual(['Account 100']);
    expect((await store.page({ page: 4, pageSize: 2 })).items).toEqual([]);
    expect((await store.senders()).map(({ phoneNumberId }) => phoneNumberId)).toEqual([
      '100',
      '101',
      '102',
      '103',
      '104',
    ]);
    const sharing = (await store.senders()).slice(0, 2).map(({ businessAccountId }) => businessAccountId);
    expect(await store.sendersWith('businessAccountId', sharing)).toEqual(
      (await store.senders()).filter(({ businessAccountId }) => sharing.includes(businessAccountId)),
    );
    const [, second] = await store.senders();
    expect(await store.sendersWith('phoneNumberId', ['101', '999'])).toEqual([second]);
    const secrets = (await store.senders()).map(({ id, appSecret }) => ({ senderId: id, appSecret }));
    const inOrder = secrets.sort((a, b) => (a.senderId < b.senderId ? -1 : 1));
    expect(await store.appSecrets(null, 2)).toEqual(inOrder.slice(0, 2));
    expect(await store.appSecrets(inOrder[1]!.senderId, 10)).toEqual(inOrder.slice(2));
    expect((await store.first())?.name).toBe('Account 100');
    expect(await store.plansInUse()).toEqual(['Free', 'Pro']);
  });

  it('uses the latest platform values for fields that the operator did not set', async () => {
    const id = uuidV7();
    const own = draft('105').sender!;
    await store.add(id, { ...draft('105'), sender: { ...own, messagesPerSecond: null, messagingTier: null } });
    const sender = async () => (await store.sendersOf(id))[0]!;
    const { id: senderId } = await sender();
    expect(await sender()).toMatchObject({ messagesPerSecond: 80, messagingTier: 'Unlimited' });

    expect(await store.recordLimits(senderId, { messagesPerSecond: 1000, messagingTier: '2000' })).toBe(true);
    expect(await sender()).toMatchObject({ messagesPerSecond: 1000, messagingTier: '2000' });
    expect(await store.recordLimits(senderId, { messagesPerSecond: 1000, messagingTier: null })).toBe(false);
    expect(await sender()).toMatchObject({ messagesPerSecond: 1000, messagingTier: '2000' });

    await store.change(id, { sender: { messagingTier: '250' } });
    expect(await store.recordLimits(senderId, { messagesPerSecond: 80, messagingTier: '10000' })).toBe(true);
    expect(await sender()).toMatchObject({ messagesPerSecond: 80, messagingTier: '250' });
    await store.change(id, { sender: { messagesPerSecond: 5 } });
    expect(await sender()).toMatchObject({ messagesPerSecond: 5, messagingTier: '250' });
  });

  it("uses the platform's display number unless the operator set one", async () => {
    const id = uuidV7();
    await store.add(id, draft('106'));
    const sender = async () => (await store.sendersOf(id))[0]!;
    const former = { id: (await sender()).id, phoneNumberId: '999' };
    await store.recordDisplayNumber(former, '+49 30 999');
    expect((await sender()).displayPhoneNumber).toBeNull();
    await store.recordDisplayNumber(await sender(), '+49 30 106');
    expect((await sender()).displayPhoneNumber).toBe('+49 30 106');

    await store.change(id, { sender: { displayPhoneNumber: '030 106' } });
    await store.recordDisplayNumber(await sender(), '+49 30 106');
    expect((await sender()).displayPhoneNumber).toBe('030 106');
  });

  it('records what was read of a sender, and its problem until the token or secret changes', async () => {
    const [account] = (await store.page({ page: 1, pageSize: 1 })).items;
    const stored = async () => (await store.sendersOf(account!.id))[0]!;
    const [at, problem] = [new Date(5000), { code: 'access_token_missing', message: 'No.' } as const];
    await store.recordReading(await stored(), { at, qualityRating: 'Green', problem: null });
    expect(await stored()).toMatchObject({ limitsReadAt: at, qualityRating: 'Green', tokenProblem: null });
    await store.recordReading(await stored(), { at, qualityRating: 'Red', problem });
    expect(await stored()).toMatchObject({ qualityRating: 'Red', tokenProblem: problem });
    expect((await store.refusedSenders()).map(({ accountId }) => accountId)).toContain(account!.id);
    await store.change(account!.id, { sender: { accessToken: 'another' } });
    expect((await stored()).tokenProblem).toBeNull();
  });

  it('leases the reading of a sender to one process, until it is recorded', async () => {
    const [account] = (await store.page({ page: 1, pageSize: 1 })).items;
    const sender = (await store.sendersOf(account!.id))[0]!;
    const lease = () => store.leaseReading(sender.id, 60_000);
    expect([await lease(), await lease()]).toEqual([true, false]);
    await store.recordReading(sender, { at: new Date(), qualityRating: null, problem: null });
    expect(await lease()).toBe(true);
  });

  it('names each change of what is needed of a sender to assign reports, and no other', async () => {
    const [first, second] = [uuidV7(), uuidV7()];
    const senderOf = async (accountId: string) => (await store.sendersOf(accountId))[0]!;
    const reading = { at: new Date(), qualityRating: null, problem: null };
    const changes: [string, string[], () => Promise<unknown>][] = [
      ['an account with a sender', ['501 200'], () => store.add(first, draft('501'))],
      ['another account', ['502 200'], () => store.add(second, draft('502'))],
      ['its pause', [], () => store.change(first, { sendingPaused: true })],
      ['its display number', [], () => store.change(first, { sender: { displayPhoneNumber: '+49 1' } })],
      ['a reading', [], async () => store.recordReading(await senderOf(first), reading)],
      ['its number', ['501 200', '503 200'], () => store.change(first, { sender: { phoneNumberId: '503' } })],
      [
        'its business account',
        ['503 200', '503 504'],
        () => store.change(first, { sender: { businessAccountId: '504' } }),
      ],
      ['its secret', ['503 504'], () => store.change(first, { sender: { appSecret: 'another' } })],
      ['its deletion', ['503 504'], async () => store.deleteSender((await senderOf(first)).id)],
      ['the deletion of an account', ['502 200'], () => store.beginDeletion(second)],
    ];
    const start = await store.senderChanges(null);
    expect(start.changed).toBeNull();
    let { last } = start;
    const found: [string, string[]][] = [];
    for (const [what, , change] of changes) {
      await change();
      const next = await store.senderChanges(last);
      const ids = next.changed!.map(({ phoneNumberId, businessAccountId }) => `${phoneNumberId} ${businessAccountId}`);
      found.push([what, [...new Set(ids)]]);
      last = next.last;
      expect(await store.senderChanges(last)).toEqual({ last, changed: [] });
    }
    expect(found).toEqual(changes.map(([what, ids]) => [what, ids]));
  });

  it('records when templates were synced, and finds the senders for which that is due', async () => {
    const [sender, ...others] = await store.senders();
    const at = new Date('2026-02-01T00:00:00Z');
    const before = new Date(at.getTime() - 1);
    await store.markTemplatesSynced(sender!.id, at);
    expect((await store.sender(sender!.id))?.templatesSyncedAt).toEqual(at);
    const due = (quiet: Date) =>
      store.sendersDue('templatesSyncedAt', {
        ...dueTimes(at, 0, 0),
        ...{ quiet, reportedSince: before, activeSince: activeSince(at) },
      });
    expect(await due(before)).toEqual(others.map(({ id }) => id));
    expect(await due(at)).toEqual([sender!.id, ...others.map(({ id }) => id)]);
  });

  describe('with several senders in one account', () => {
    let id: string;
    let first: string;
    let second: string;
    const numbers = async () => (await store.sendersOf(id)).map(({ phoneNumberId }) => phoneNumberId);

    beforeEach(async () => {
      id = uuidV7();
      const number = String(Date.now() * 1000 + Math.floor(Math.random() * 1000));
      await store.add(id, draft(number));
      [first, second] = [(await store.sendersOf(id))[0]!.id, uuidV7()];
      await store.addSender(id, second, draft(`${number}2`, { accessToken: 'own' }).sender!);
    });

    it('lists the default first, which the account shows and changes', async () => {
      const [one, two] = await numbers();
      expect((await store.byId(id))?.sender?.id).toBe(first);
      await store.makeDefault(id, second);
      expect(await numbers()).toEqual([two, one]);
      await store.change(id, { sender: { messagesPerSecond: 7 } });
      expect((await store.byId(id))?.sender).toMatchObject({ id: second, messagesPerSecond: 7 });
      expect(await store.sender(first)).toMatchObject({ messagesPerSecond: 80 });
      const { items } = await store.page({ page: 1, pageSize: 1 });
      expect(items).toMatchObject([{ id, sender: { id: second } }]);
    });

    it('finds the oldest, also after another one is the default, and after its deletion', async () => {
      expect((await store.oldestSender(id))?.id).toBe(first);
      await store.makeDefault(id, second);
      await store.deleteSender(first);
      expect(await store.oldestSender(id)).toMatchObject({ id: first, isDeleted: true });
      expect(await store.oldestSender(uuidV7())).toBeNull();
    });

    it('changes one, whose number no other sender has', async () => {
      await store.changeSender(second, { messagesPerSecond: 9 });
      expect(await store.sendersOf(id)).toMatchObject([{ messagesPerSecond: 80 }, { messagesPerSecond: 9 }]);
      const [taken] = await numbers();
      await expect(store.changeSender(second, { phoneNumberId: taken })).rejects.toThrow(PhoneNumberTakenError);
      await expect(store.addSender(id, uuidV7(), draft(taken!).sender!)).rejects.toThrow(PhoneNumberTakenError);
    });

    it('keeps a deleted one by its id only, paused; its number is free', async () => {
      const [, number] = await numbers();
      await store.deleteSender(second);
      expect(await numbers()).toHaveLength(1);
      expect(await store.sender(second)).toMatchObject({ isDeleted: true, sendingPaused: true });
      expect(await store.sendersWith('phoneNumberId', [number!])).toEqual([]);
      expect((await store.senders()).map((sender) => sender.id)).not.toContain(second);
      expect((await store.appSecrets(null, 1000)).map(({ senderId }) => senderId)).not.toContain(second);
      const again = uuidV7();
      await store.addSender(id, again, draft(number!).sender!);
      expect((await store.sendersWith('phoneNumberId', [number!])).map((sender) => sender.id)).toEqual([again]);
    });

    it('leases the return of a deleted one’s subscription with its secrets, which are deleted at its end', async () => {
      const taken = async () =>
        (await store.takeReturns(1000, 60_000)).flatMap(({ sender, isLast }) =>
          sender.id === second || sender.id === first ? [[sender.id, sender.accessToken, isLast]] : [],
        );
      await taken();
      expect(await store.hasReturns(id)).toBe(false);
      await store.deleteSender(second);
      expect([await taken(), await taken()]).toEqual([[[second, 'own', false]], []]);
      await store.postponeReturns([second]);
      expect([await taken(), await store.hasReturns(id)]).toEqual([[], true]);
      expect((await store.sender(second))!.accessToken).toBe('own');
      await store.endReturns([second]);
      expect((await store.sender(second))!.accessToken).toBe('environment-token');
      expect(await store.hasReturns(id)).toBe(false);
      expect([await store.beginReturns(id), await store.beginReturns(id)]).toEqual([1, 0]);
      expect([await taken(), await store.hasReturns(id)]).toEqual([[[first, 'environment-token', false]], true]);
      await store.endReturns([first]);
      expect([await store.beginReturns(id), await store.hasReturns(id)]).toEqual([0, false]);
    });
  });
}
