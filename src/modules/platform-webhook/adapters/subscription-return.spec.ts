import { FakeClock } from '../../../../test/fakes/fake-clock';
import { InMemoryAccountStore } from '../../../../test/fakes/in-memory-account-store';
import { uuidV7 } from '../../../kernel/uuid';
import type { AccountDraft } from '../../accounts/domain/account';
import { AccountDeletion } from '../../accounts/domain/account-deletion';
import { UNSET_SENDER_FIELDS } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { RecordedSubscriptions } from '../domain/recorded-subscriptions.port';
import type { Retention } from '../../messages/domain/retention-rounds';
import type { PresentSubscription } from '../domain/webhook-subscription';
import { WebhookSubscriptions } from '../domain/webhook-subscriptions.port';
import { SubscriptionReturn } from './subscription-return';

const OWN = 'https://example.test/webhooks/platform';

/** The platform, which reports on every business account to the same address. */
class Platform extends WebhookSubscriptions {
  readonly ended: string[] = [];
  address = OWN;
  failure: string | null = null;

  present(): Promise<PresentSubscription> {
    return Promise.resolve({ exists: true, addresses: [this.address] });
  }

  subscribe(): Promise<string | null> {
    return Promise.resolve('not now');
  }

  unsubscribe(businessAccountId: string): Promise<string | null> {
    this.ended.push(businessAccountId);
    return Promise.resolve(this.failure);
  }
}

describe(SubscriptionReturn, () => {
  let accounts: InMemoryAccountStore;
  let platform: Platform;
  let part: SubscriptionReturn;
  let isRecorded: boolean;
  let senders: SendersService;
  let deletion: AccountDeletion;
  let passTime: (ms: number) => void;

  beforeEach(() => {
    accounts = new InMemoryAccountStore();
    platform = new Platform();
    isRecorded = true;
    const recorded = {
      find: () =>
        Promise.resolve({
          recorded: isRecorded ? { callbackUrl: OWN, recordedAt: new Date() } : null,
          restoredAt: null,
        }),
    } as Partial<RecordedSubscriptions> as RecordedSubscriptions;
    const clock = new FakeClock();
    passTime = (ms) => clock.jump(ms);
    senders = new SendersService(accounts, clock);
    const retention = {} as Retention;
    deletion = new AccountDeletion(accounts);
    part = new SubscriptionReturn(senders, platform, recorded, retention, clock, deletion);
  });

  async function deletedAccount(phoneNumberId: string, businessAccountId: string): Promise<string> {
    const id = uuidV7();
    const sender = { ...UNSET_SENDER_FIELDS, phoneNumberId, businessAccountId };
    const draft: AccountDraft = {
      ...{ name: 'Shop', plan: 'Free', status: 'Deleting', sendingPaused: false },
      ...{ defaultCountry: null, businessPortfolioId: null, sender },
    };
    await accounts.add(id, draft);
    return id;
  }

  it('ends the reports on the business account, once', async () => {
    const id = await deletedAccount('1', '100');
    expect([await part.deleteSome(id), await part.deleteSome(id)]).toEqual([0, 0]);
    expect(platform.ended).toEqual(['100']);
  });

  it('tries again every half hour until the platform has ended them, for a day, and keeps the account as long', async () => {
    const id = await deletedAccount('1', '100');
    platform.failure = 'Service temporarily unavailable';
    const step = (seconds: number) => deletion.step({ id, seconds }, 500);
    expect([await step(120), await step(180)]).toEqual(Array(2).fill({ deleted: 0, hasMore: false }));
    expect([platform.ended.length, await accounts.byId(id)]).toEqual([1, expect.anything()]);
    passTime(1_800_000);
    platform.failure = null;
    expect(await step(1_980)).toEqual({ deleted: 1, hasMore: false });
    expect([platform.ended.length, await accounts.byId(id)]).toEqual([2, null]);

    const other = await deletedAccount('2', '200');
    platform.failure = 'Unknown account';
    await deletion.step({ id: other, seconds: 86_399 }, 500);
    expect(await accounts.byId(other)).not.toBeNull();
    await deletion.step({ id: other, seconds: 86_400 }, 500);
    expect(await accounts.byId(other)).toBeNull();
  });

  it('does not try again with a token that the platform refuses', async () => {
    const id = await deletedAccount('1', '100');
    platform.failure = 'Error validating access token';
    senders.recordRefusal((await senders.allOf(id))[0]!, {
      code: 'platform_credentials_invalid',
      message: platform.failure,
    });
    await deletion.step({ id, seconds: 120 }, 500);
    expect([platform.ended.length, await accounts.byId(id)]).toEqual([1, null]);
  });

  it('keeps those that another account needs', async () => {
    const id = await deletedAccount('1', '100');
    await accounts.change(await deletedAccount('2', '100'), { status: 'Active' });
    await part.deleteSome(id);
    expect(platform.ended).toEqual([]);
  });

  it('ends them for a deleted sender, unless another sender of the account uses the business account', async () => {
    const id = await deletedAccount('1', '100');
    await accounts.change(id, { status: 'Active' });
    const another = uuidV7();
    await accounts.addSender(id, another, { ...UNSET_SENDER_FIELDS, phoneNumberId: '2', businessAccountId: '100' });
    const third = uuidV7();
    await accounts.addSender(id, third, { ...UNSET_SENDER_FIELDS, phoneNumberId: '3', businessAccountId: '300' });
    for (const senderId of [another, third]) {
      const sender = (await accounts.sender(senderId))!;
      await accounts.deleteSender(senderId);
      senders.forget();
      senders.deleted(sender);
      await new Promise(setImmediate);
    }
    expect(platform.ended).toEqual(['300']);
  });

  it('keeps those that go to another service, and those that this service never asked for', async () => {
    platform.address = 'https://other.test/webhooks';
    await part.deleteSome(await deletedAccount('1', '100'));
    platform.address = OWN;
    isRecorded = false;
    await part.deleteSome(await deletedAccount('2', '200'));
    expect(platform.ended).toEqual([]);
  });
});
