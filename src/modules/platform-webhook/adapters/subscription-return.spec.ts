import { FakeClock } from '../../../../test/fakes/fake-clock';
import { InMemoryAccountStore } from '../../../../test/fakes/in-memory-account-store';
import { RecordedSubscriptionsInMemory } from '../../../../test/fakes/recorded-subscriptions-in-memory';
import { uuidV7 } from '../../../kernel/uuid';
import type { AccountDraft } from '../../accounts/domain/account';
import { AccountDeletion } from '../../accounts/domain/account-deletion';
import { UNSET_SENDER_FIELDS } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
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
  duringEnd = (): Promise<void> => Promise.resolve();

  present(): Promise<PresentSubscription> {
    return Promise.resolve({ exists: true, addresses: [this.address] });
  }

  subscribe(): Promise<string | null> {
    return Promise.resolve('not now');
  }

  async unsubscribe(businessAccountId: string): Promise<string | null> {
    await this.duringEnd();
    this.ended.push(businessAccountId);
    return this.failure;
  }
}

describe(SubscriptionReturn, () => {
  let accounts: InMemoryAccountStore;
  let platform: Platform;
  let part: SubscriptionReturn;
  let recorded: RecordedSubscriptionsInMemory;
  let senders: SendersService;
  let deletion: AccountDeletion;

  beforeEach(() => {
    accounts = new InMemoryAccountStore();
    platform = new Platform();
    const clock = new FakeClock();
    recorded = new RecordedSubscriptionsInMemory(clock);
    for (const id of ['100', '200', '300']) void recorded.record(id, OWN);
    senders = new SendersService(accounts, clock);
    deletion = new AccountDeletion(accounts);
    part = new SubscriptionReturn(senders, platform, recorded, {} as Retention, clock, deletion);
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

  async function deletedSender(phoneNumberId: string, businessAccountId: string): Promise<string> {
    const [id, senderId] = [await deletedAccount(`${phoneNumberId}0`, '900'), uuidV7()];
    await accounts.change(id, { status: 'Active' });
    const fields = { ...UNSET_SENDER_FIELDS, phoneNumberId, businessAccountId, accessToken: `token ${phoneNumberId}` };
    await accounts.addSender(id, senderId, fields);
    await accounts.deleteSender(senderId);
    return senderId;
  }

  /** Passes the pause after a failure. */
  const passPause = (): void => {
    for (const [id, state] of accounts.returns) if (state === 'postponed') accounts.returns.set(id, 'due');
  };
  const step = (id: string) => deletion.step({ id, seconds: 120 }, 500);
  const tokenOf = async (senderId: string) => (await accounts.sender(senderId))!.accessToken;

  it('ends the reports on the business account of a deleted account, once', async () => {
    const id = await deletedAccount('1', '100');
    expect([await part.deleteSome(id), await part.deleteSome(id)]).toEqual([0, 0]);
    expect(platform.ended).toEqual(['100']);
  });

  it('repeats a failed return for a day, and keeps the account as long', async () => {
    const [id, other] = [await deletedAccount('1', '100'), await deletedAccount('2', '200')];
    platform.failure = 'Service temporarily unavailable';
    expect([await step(id), await step(id)]).toEqual(Array(2).fill({ deleted: 0, hasMore: false }));
    expect([platform.ended, await accounts.byId(id)]).toEqual([['100'], expect.anything()]);
    passPause();
    platform.failure = null;
    await part.returnDue();
    expect(await step(id)).toEqual({ deleted: 1, hasMore: false });
    expect([platform.ended, await accounts.byId(id)]).toEqual([['100', '100'], null]);

    platform.failure = 'Unknown account';
    await step(other);
    passPause();
    accounts.isLastReturn = true;
    await part.returnDue();
    await step(other);
    expect([platform.ended.slice(2), await accounts.byId(other)]).toEqual([['200', '200'], null]);
  });

  it('is not repeated with a token that the platform refuses', async () => {
    const id = await deletedAccount('1', '100');
    platform.failure = 'Error validating access token';
    senders.recordRefusal((await senders.allOf(id))[0]!, {
      code: 'platform_credentials_invalid',
      message: platform.failure,
    });
    await step(id);
    expect([platform.ended.length, await accounts.byId(id)]).toEqual([1, null]);
  });

  it('keeps those that another account needs', async () => {
    const id = await deletedAccount('1', '100');
    await accounts.change(await deletedAccount('2', '100'), { status: 'Active' });
    await part.deleteSome(id);
    expect(platform.ended).toEqual([]);
  });

  it('keeps the access of a deleted sender until the platform has ended the reports, or a day has passed', async () => {
    const [senderId, other] = [await deletedSender('1', '100'), await deletedSender('2', '200')];
    platform.failure = 'Service temporarily unavailable';
    await part.returnDue();
    await part.returnDue();
    expect(platform.ended).toEqual(['100', '200']);
    expect([await tokenOf(senderId), await tokenOf(other)]).toEqual(['token 1', 'token 2']);
    passPause();
    platform.failure = null;
    accounts.returns.set(other, 'postponed');
    await part.returnDue();
    expect([await tokenOf(senderId), await tokenOf(other)]).toEqual(['environment-token', 'token 2']);
    passPause();
    platform.failure = 'Service temporarily unavailable';
    accounts.isLastReturn = true;
    await part.returnDue();
    expect(platform.ended).toEqual(['100', '200', '100', '200']);
    expect(await tokenOf(other)).toBe('environment-token');
  });

  it('ends them once for several senders, and not while another sender uses the business account', async () => {
    for (const number of ['1', '2']) await deletedSender(number, '100');
    await deletedSender('3', '200');
    const again = uuidV7();
    const { id } = (await accounts.first())!;
    await accounts.addSender(id, again, { ...UNSET_SENDER_FIELDS, phoneNumberId: '3', businessAccountId: '200' });
    await part.returnDue();
    expect(platform.ended).toEqual(['100']);
    expect([...accounts.returns.values()]).toEqual(['ended', 'ended', 'ended']);
    await accounts.deleteSender(again);
    await part.returnDue();
    expect(platform.ended).toEqual(['100', '200']);
  });

  it('lets no process subscribe meanwhile, and leaves no check that a sender added afterwards would rely on', async () => {
    await recorded.lease('100', OWN, 1_000, 0);
    await recorded.checked('100', 'own');
    await deletedSender('1', '100');
    let isLeased = false;
    platform.duringEnd = async () => {
      isLeased = !(await recorded.lease('100', OWN, 1_000, 0));
    };
    await part.returnDue();
    expect(isLeased).toBe(true);
    expect(await recorded.checks(['100'])).toEqual(new Map());
    expect(await recorded.lease('100', OWN, 1_000, 300_000)).toBe(true);
  });

  it('keeps those that go to another service, that this service never asked for, or that a restored database had before', async () => {
    platform.address = 'https://other.test/webhooks';
    await part.deleteSome(await deletedAccount('1', '100'));
    platform.address = OWN;
    recorded.urls.delete('200');
    await part.deleteSome(await deletedAccount('2', '200'));
    recorded.restoredAt = new Date(Date.now() + 1_000);
    await part.deleteSome(await deletedAccount('3', '300'));
    expect(platform.ended).toEqual([]);
  });
});
