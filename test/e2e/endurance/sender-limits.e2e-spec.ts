import * as operations from '../../../libs/client/generated/sdk.gen';
import type { ChangeAccountDtoWritable } from '../../../libs/client/generated/types.gen';
import { ended, phones, sendTo, settled } from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { Platform } from '../../support/process/platform';
import { emptyStore, type Service, startService, type Store, until } from '../../support/process/service';

const NUMBER = { phoneNumberId: '109876543210001', businessAccountId: '204876543210002' };

describe('The limits of a sender', () => {
  let platform: Platform;
  let store: Store;
  let service: Service;
  let client: Client;

  /** Starts the service, with no pace and no tier of the environment unless `env` names them. */
  async function start(env: Record<string, string> = {}): Promise<void> {
    service = await startService({ store, platformUrl: platform.url, env: { MESSAGES_PER_SECOND: '', ...env } });
    client = new Client(service);
  }

  async function restart(env: Record<string, string> = {}): Promise<void> {
    await service.stop();
    await start(env);
  }

  const platformSays = (messagesPerSecond: number, messagingLimitTier: string) =>
    platform.configure({ senders: [{ ...NUMBER, messagesPerSecond, messagingLimitTier }] });

  const accounts = async () => (await client.messaging().call(operations.listAccounts, {})).items;

  async function limits(): Promise<[number, string]> {
    const { messagesPerSecond, messagingTier } = (await accounts())[0]!.sender!;
    return [messagesPerSecond, messagingTier];
  }

  const change = async (sender: ChangeAccountDtoWritable['sender']) => {
    const path = { accountId: (await accounts())[0]!.id };
    return client.messaging().call(operations.updateAccount, { path, body: { sender } });
  };

  beforeAll(async () => {
    platform = await Platform.start({ statuses: false });
    store = await emptyStore();
    await platformSays(1000, 'TIER_250');
    await start();
  });

  afterAll(async () => {
    await service?.stop();
    await store?.drop();
    await platform?.close();
  });

  it('are what the platform says of its number, from the start on', async () => {
    expect(await limits()).toEqual([1000, '250']);
    expect(service.log.some((line) => line.includes('1000 messages per second, messaging tier 250'))).toBe(true);
  });

  it('hold a job back at the tier of the platform, until the operator sets a higher one', async () => {
    const jobId = await sendTo(client, phones(300));
    await settled(client, jobId, 250);
    await new Promise((done) => setTimeout(done, 1000));
    expect(await platform.accepted()).toHaveLength(250);
    expect(await change({ messagingTier: '1000' })).toMatchObject({ sender: { messagingTier: '1000' } });
    expect(await ended(client, jobId, 8000)).toMatchObject({ successfullySent: 300, failed: 0 });
  });

  it('change the pace of a running job as soon as they change', async () => {
    await change({ messagesPerSecond: 20 });
    const jobId = await sendTo(client, phones(600, 1000));
    await settled(client, jobId, 20);
    const begun = performance.now();
    await change({ messagesPerSecond: 1000 });
    await ended(client, jobId, 28_000);
    // At 20 a second it would take 29 s.
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  it('stay what the operator set, whatever the platform says', async () => {
    await platformSays(80, 'TIER_10K');
    await restart();
    expect(await limits()).toEqual([1000, '1000']);
  });

  it('are what the environment says before everything else, and of another number what the platform says', async () => {
    await platform.configure({ autoCreateSenders: true });
    const other = { phoneNumberId: '700000000000555', businessAccountId: '800000000000555' };
    const body = { name: 'Shop', plan: 'Pro', sender: other };
    const shop = await client.messaging().call(operations.createAccount, { body });
    expect(shop.sender).toMatchObject({ messagesPerSecond: 80, messagingTier: 'Unlimited' });
    await platform.configure({ senders: [{ ...other, messagesPerSecond: 1000, messagingLimitTier: 'TIER_100K' }] });

    await restart({ MESSAGES_PER_SECOND: '50', MESSAGING_TIER: '2000' });
    const limitsWhere = async (isMeant: (account: { id: string }) => boolean) => {
      const { sender } = (await accounts()).find(isMeant)!;
      return [sender!.messagesPerSecond, sender!.messagingTier];
    };
    expect(await limitsWhere(({ id }) => id !== shop.id)).toEqual([50, '2000']);
    const limitsOfShop = () => limitsWhere(({ id }) => id === shop.id);
    const asked = async () => (await limitsOfShop())[0] === 1000;
    await until(asked, 5000, 'the platform was asked');
    expect(await limitsOfShop()).toEqual([1000, '100000']);
  });
});
