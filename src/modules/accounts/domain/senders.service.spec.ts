import { InMemoryAccountStore } from '../../../../test/fakes/in-memory-account-store';
import { ManualClock } from '../../../../test/fakes/manual-clock';
import { uuidV7 } from '../../../kernel/uuid';
import { AccountWithoutSenderError } from './accounts.errors';
import { SendersService } from './senders.service';

describe('SendersService', () => {
  const accountId = uuidV7();
  let clock: ManualClock;
  let store: InMemoryAccountStore;
  let senders: SendersService;

  beforeEach(async () => {
    clock = new ManualClock();
    store = new InMemoryAccountStore();
    senders = new SendersService(store, clock);
    const fields = { name: 'A', plan: 'Pro', sendingPaused: false, defaultCountry: null, businessPortfolioId: null };
    const sender = {
      phoneNumberId: '1',
      businessAccountId: '2',
      displayPhoneNumber: null,
      messagesPerSecond: 80,
      accessToken: null,
      appSecret: null,
      marketingMessagesApi: false,
    };
    await store.add(accountId, { ...fields, status: 'Active', sender: { ...sender, messagingTier: 'Unlimited' } });
  });

  it('finds a sender by its account, by its id and among all', async () => {
    const sender = await senders.ofAccount(accountId);
    expect(sender.phoneNumberId).toBe('1');
    expect(await senders.byId(sender.id)).toEqual(sender);
    expect(await senders.all()).toEqual([sender]);
  });

  it('reports that an account has none', async () => {
    await expect(senders.ofAccount(uuidV7())).rejects.toThrow(AccountWithoutSenderError);
    expect(await senders.byId(uuidV7())).toBeNull();
  });

  it('returns changes of another process within one second', async () => {
    const { id } = await senders.ofAccount(accountId);
    await Promise.all([senders.byId(id), senders.all()]);
    await store.change(accountId, { sendingPaused: true });
    clock.advance(1_000);
    expect((await senders.ofAccount(accountId)).sendingPaused).toBe(true);
    expect((await senders.byId(id))?.sendingPaused).toBe(true);
    expect((await senders.all())[0]?.sendingPaused).toBe(true);
  });

  it('reads once for all calls within that second', async () => {
    const read = jest.spyOn(store, 'senderOf');
    await Promise.all([senders.ofAccount(accountId), senders.ofAccount(accountId)]);
    clock.advance(999);
    await senders.ofAccount(accountId);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('returns the time of a template sync immediately', async () => {
    const { id } = await senders.ofAccount(accountId);
    await senders.markTemplatesSynced(id, clock.now());
    expect((await senders.ofAccount(accountId)).templatesSyncedAt).toEqual(clock.now());
  });
});
