import { InMemoryAccountStore } from '../../../../test/fakes/in-memory-account-store';
import { ManualClock } from '../../../../test/fakes/manual-clock';
import { uuidV7 } from '../../../kernel/uuid';
import { AccountWithoutSenderError } from './accounts.errors';
import { activeSince, dueTimes, type Sender } from './sender';
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
    const due = dueTimes(now, 0, 0);
    expect(await senders.due('templatesSyncedAt', due)).toEqual([sender.id]);
    expect(await senders.businessAccounts(activeSince(now))).toEqual([
      { id: '2', isReported: false, isIdle: false, newestSender: sender.id },
    ]);
    const { id, phoneNumberId, businessAccountId, appSecret } = sender;
    const reported = { id, accountId, phoneNumberId, businessAccountId, appSecret };
    expect(await senders.with('phoneNumberId', ['1', '1', '9'])).toEqual([reported]);
    expect(await senders.with('businessAccountId', ['2'])).toEqual([reported]);
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

  it('finds immediately a sender that another process has just created', async () => {
    const [id, other] = [uuidV7(), uuidV7()];
    await senders.ofAccount(accountId);
    await store.addSender(accountId, id, { ...SENDER, phoneNumberId: '5' });
    expect((await senders.ofAccount(accountId, id)).phoneNumberId).toBe('5');
    await expect(senders.ofAccount(other)).rejects.toThrow(AccountWithoutSenderError);
    await store.add(other, { ...FIELDS, sender: { ...SENDER, phoneNumberId: '6' } });
    expect((await senders.ofAccount(other)).phoneNumberId).toBe('6');
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

  it('reads the senders of several ids at once, and none again until a sender changes', async () => {
    const read = jest.spyOn(store, 'sendersWith');
    await Promise.all([senders.with('phoneNumberId', ['1', '7']), senders.with('phoneNumberId', ['7', '8'])]);
    clock.advance(60_000);
    await senders.with('phoneNumberId', ['8', '1', '7']);
    expect(read.mock.calls).toEqual([
      ['phoneNumberId', ['1', '7']],
      ['phoneNumberId', ['8']],
    ]);
  });

  it.each([
    ['its number', (id: string) => store.changeSender(id, { phoneNumberId: '7' }), []],
    [
      'its business account',
      (id: string) => store.changeSender(id, { businessAccountId: '8' }),
      ['environment-secret'],
    ],
    ['its secret', (id: string) => store.changeSender(id, { appSecret: 'new' }), ['new']],
    ['its deletion', (id: string) => store.deleteSender(id), []],
    ['the deletion of its account', () => store.beginDeletion(accountId), []],
  ])('finds a sender within one second after a change by another process: %s', async (_, change, secrets) => {
    const [sender] = await senders.with('phoneNumberId', ['1']);
    await change(sender!.id);
    clock.advance(1_000);
    expect((await senders.with('phoneNumberId', ['1'])).map(({ appSecret }) => appSecret)).toEqual(secrets);
  });

  it('keeps what is cached of other senders when one changes', async () => {
    const other = uuidV7();
    await store.add(other, { ...FIELDS, sender: { ...SENDER, phoneNumberId: '6', businessAccountId: '60' } });
    const ofReport = () =>
      Promise.all([senders.with('businessAccountId', ['2', '60']), senders.with('phoneNumberId', ['1', '6', '7'])]);
    await ofReport();
    await ofReport();
    const read = jest.spyOn(store, 'sendersWith');
    await store.change(other, { sender: { phoneNumberId: '7' } });
    clock.advance(1_000);
    const [, numbers] = await ofReport();
    expect(numbers.map(({ phoneNumberId }) => phoneNumberId)).toEqual(['1', '7']);
    expect(read.mock.calls).toEqual([
      ['businessAccountId', ['60']],
      ['phoneNumberId', ['6', '7']],
    ]);
  });

  it('finds a new sender within one second', async () => {
    expect(await senders.with('phoneNumberId', ['5'])).toEqual([]);
    await store.addSender(accountId, uuidV7(), { ...SENDER, phoneNumberId: '5' });
    clock.advance(1_000);
    expect(await senders.with('phoneNumberId', ['5'])).toMatchObject([{ accountId, phoneNumberId: '5' }]);
  });

  it('does not keep a sender that was read before a change', async () => {
    let answer: (senders: Sender[]) => void = () => undefined;
    const before = await store.sendersWith('phoneNumberId', ['1']);
    jest.spyOn(store, 'sendersWith').mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    const late = senders.with('businessAccountId', ['2']);
    await new Promise(setImmediate);
    await store.changeSender(before[0]!.id, { appSecret: 'new' });
    clock.advance(1_000);
    await senders.with('phoneNumberId', ['7']);
    answer(before);
    await late;
    expect(await senders.with('phoneNumberId', ['1'])).toMatchObject([{ appSecret: 'new' }]);
    expect(await senders.with('businessAccountId', ['2'])).toMatchObject([{ appSecret: 'new' }]);
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
    expect(readAll).not.toHaveBeenCalled();
  });

  it('returns the time of a template sync immediately', async () => {
    await senders.markTemplatesSynced(await senders.ofAccount(accountId), clock.now());
    expect((await senders.ofAccount(accountId)).templatesSyncedAt).toEqual(clock.now());
  });
});
