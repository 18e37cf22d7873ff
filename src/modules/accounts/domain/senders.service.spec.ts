import { InMemoryAccountStore } from '../../../../test/fakes/in-memory-account-store';
import { ManualClock } from '../../../../test/fakes/manual-clock';
import { uuidV7 } from '../../../kernel/uuid';
import { AccountWithoutSenderError } from './accounts.errors';
import { SendersService } from './senders.service';

const FIELDS = {
  ...({ name: 'A', plan: 'Pro', status: 'Active', sendingPaused: false } as const),
  ...{ defaultCountry: null, businessPortfolioId: null },
};
const SENDER = {
  ...{ phoneNumberId: '1', businessAccountId: '2', displayPhoneNumber: null, messagesPerSecond: 80 },
  businessPortfolioId: null,
  ...({ messagingTier: 'Unlimited', accessToken: null, appSecret: null, marketingMessagesApi: false } as const),
};

describe('SendersService', () => {
  const accountId = uuidV7();
  let clock: ManualClock;
  let store: InMemoryAccountStore;
  let senders: SendersService;

  beforeEach(async () => {
    clock = new ManualClock();
    store = new InMemoryAccountStore();
    senders = new SendersService(store, clock);
    await store.add(accountId, { ...FIELDS, sender: SENDER });
  });

  it('finds a sender by its account, by its id and among all', async () => {
    const sender = await senders.ofAccount(accountId);
    expect(sender.phoneNumberId).toBe('1');
    expect(await senders.byId(sender.id)).toEqual(sender);
    const now = clock.now();
    const due = { quiet: now, reported: now, reportedSince: now };
    expect(await senders.due('templatesSyncedAt', due)).toEqual([sender.id]);
    expect(await senders.businessAccounts()).toEqual(['2']);
    expect(await senders.with('phoneNumberId', ['1', '1', '9'])).toEqual([sender]);
    expect(await senders.with('businessAccountId', ['2'])).toEqual([sender]);
    expect(await senders.with('businessAccountId', [])).toEqual([]);
    expect(await senders.ofBusinessAccount('2')).toEqual([sender]);
  });

  it('finds the requested sender of an account, and that of a record', async () => {
    const [first, id] = [await senders.ofAccount(accountId), uuidV7()];
    await store.addSender(accountId, id, { ...SENDER, phoneNumberId: '5' });
    senders.forget();
    expect((await senders.ofAccount(accountId)).id).toBe(first.id);
    const second = await senders.ofAccount(accountId, id.toUpperCase());
    expect(second.phoneNumberId).toBe('5');
    expect(await senders.allOf(accountId)).toEqual([first, second]);
    expect(await senders.hasSeveral(accountId)).toBe(true);
    expect(await senders.recorded(accountId, id)).toEqual(second);
    expect(await senders.recorded(accountId, null)).toEqual(first);
    await store.makeDefault(accountId, id);
    senders.forget();
    expect((await senders.ofAccount(accountId)).id).toBe(id);
    expect((await senders.recorded(accountId, null)).id).toBe(first.id);
    await store.makeDefault(accountId, first.id);
    const other = uuidV7();
    await store.add(other, { ...FIELDS, sender: { ...SENDER, phoneNumberId: '6' } });
    await expect(senders.ofAccount(other, id)).rejects.toMatchObject({ code: 'sender_not_found' });
    await store.deleteSender(id);
    senders.forget();
    await expect(senders.ofAccount(accountId, id)).rejects.toMatchObject({ code: 'sender_not_found' });
    await expect(senders.recorded(accountId, id)).rejects.toMatchObject({ code: 'sender_deleted' });
    expect(await senders.byId(id)).toMatchObject({ isDeleted: true, sendingPaused: true });
  });

  it('refuses records of the oldest sender after its deletion', async () => {
    const [first, id] = [await senders.ofAccount(accountId), uuidV7()];
    await store.addSender(accountId, id, { ...SENDER, phoneNumberId: '5' });
    await store.makeDefault(accountId, id);
    await store.deleteSender(first.id);
    senders.forget();
    await expect(senders.recorded(accountId, null)).rejects.toMatchObject({ code: 'sender_deleted' });
    expect(await senders.recordedId(accountId, null)).toBe(first.id);
    expect(await senders.recordedId(accountId, id)).toBe(id);
    expect(await senders.recordedId(uuidV7(), null)).toBeNull();
  });

  it('reports that an account has none', async () => {
    await expect(senders.recorded(uuidV7(), null)).rejects.toThrow(AccountWithoutSenderError);
    await expect(senders.ofAccount(uuidV7())).rejects.toThrow(AccountWithoutSenderError);
    expect(await senders.byId(uuidV7())).toBeNull();
  });

  it('returns changes of another process within one second', async () => {
    const { id } = await senders.ofAccount(accountId);
    await senders.byId(id);
    await store.change(accountId, { sendingPaused: true });
    clock.advance(1_000);
    expect((await senders.ofAccount(accountId)).sendingPaused).toBe(true);
    expect((await senders.byId(id))?.sendingPaused).toBe(true);
  });

  it('reads once for all calls within that second', async () => {
    const read = jest.spyOn(store, 'sendersOf');
    await Promise.all([senders.ofAccount(accountId), senders.ofAccount(accountId)]);
    clock.advance(999);
    await senders.ofAccount(accountId);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('reads the senders of several ids at once, and none again within that second', async () => {
    const read = jest.spyOn(store, 'sendersWith');
    await Promise.all([senders.with('phoneNumberId', ['1', '7']), senders.with('phoneNumberId', ['7', '8'])]);
    await senders.with('phoneNumberId', ['8', '1', '7']);
    expect(read.mock.calls).toEqual([
      ['phoneNumberId', ['1', '7']],
      ['phoneNumberId', ['8']],
    ]);
    clock.advance(1_000);
    await senders.with('phoneNumberId', ['1']);
    expect(read).toHaveBeenCalledTimes(3);
  });

  it('knows the numbers of a business account that it has read', async () => {
    const [sender] = await senders.with('businessAccountId', ['2']);
    const read = jest.spyOn(store, 'sendersWith');
    expect(await senders.with('phoneNumberId', ['1'])).toEqual([sender]);
    expect(read).not.toHaveBeenCalled();
  });

  it('keeps the other senders when the templates of one were synced', async () => {
    const other = uuidV7();
    await store.add(other, { ...FIELDS, sender: { ...SENDER, phoneNumberId: '3', businessAccountId: '4' } });
    await Promise.all([senders.ofAccount(other), senders.with('businessAccountId', ['2', '4'])]);
    const [read, readAll] = [jest.spyOn(store, 'sendersOf'), jest.spyOn(store, 'sendersWith')];
    await senders.markTemplatesSynced(await senders.ofAccount(accountId), clock.now());
    await Promise.all([senders.ofAccount(other), senders.with('businessAccountId', ['2', '4'])]);
    expect(read.mock.calls).toEqual([[accountId]]);
    expect(readAll.mock.calls).toEqual([['businessAccountId', ['2']]]);
  });

  it('returns the time of a template sync immediately', async () => {
    await senders.markTemplatesSynced(await senders.ofAccount(accountId), clock.now());
    expect((await senders.ofAccount(accountId)).templatesSyncedAt).toEqual(clock.now());
  });
});
