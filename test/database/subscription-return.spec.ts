import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RunningSandbox, startSandbox } from '../../libs/platform-sandbox/sandbox';
import { CloudApiClient } from '../../src/infra/cloud-api/cloud-api-client';
import type { Database } from '../../src/infra/database/database';
import { DatabaseIdentity } from '../../src/infra/database/database-identity';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { PlatformCredentials } from '../../src/modules/accounts/adapters/platform-credentials';
import { TypeOrmAccountStore } from '../../src/modules/accounts/adapters/typeorm-account-store';
import { AccountDeletion } from '../../src/modules/accounts/domain/account-deletion';
import type { AccountStore } from '../../src/modules/accounts/domain/account-store.port';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import type { Retention } from '../../src/modules/messages/domain/retention-rounds';
import { CloudApiWebhookSubscriptions } from '../../src/modules/platform-webhook/adapters/cloud-api-webhook-subscriptions';
import { PostgresRecordedSubscriptions } from '../../src/modules/platform-webhook/adapters/postgres-recorded-subscriptions';
import { SubscriptionReturn } from '../../src/modules/platform-webhook/adapters/subscription-return';
import { draft } from '../support/account-draft';
import { describeOnDatabase } from '../support/databases';
import { TcpProxy } from '../support/tcp-proxy';

/** A token of the sandbox has access to one business account. */
const tokenOf = (businessAccountId: string): string => `token-of-${businessAccountId}`;

describeOnDatabase('The return of a deleted sender’s subscription', (open) => {
  const key = randomBytes(32);
  let database: Database;
  let sandbox: RunningSandbox;
  let proxy: TcpProxy;
  let platform: CloudApiWebhookSubscriptions;
  let webhook: Server;
  let number = 700_000;
  let store: AccountStore;
  let accountId: string;

  beforeAll(async () => {
    database = await open();
    sandbox = await startSandbox({ port: 0 });
    proxy = new TcpProxy(new URL(sandbox.url));
    const baseUrl = (await proxy.open()).replace(/\/$/, '');
    platform = new CloudApiWebhookSubscriptions(
      new CloudApiClient({ baseUrl, version: 'v25.0', timeoutMs: 10_000 }),
      'verify-me',
    );
    webhook = createServer(({ url }, response) =>
      response.end(new URL(url!, 'http://webhook').searchParams.get('hub.challenge')),
    ).listen(0, '127.0.0.1');
    await once(webhook, 'listening');
    store = aProcess().store;
    accountId = uuidV7();
    await store.add(accountId, draft('700000'));
  });
  afterEach(() => proxy.admit());
  afterAll(async () => {
    proxy?.close();
    webhook?.close();
    await sandbox?.close();
  });

  /** A process on this database, as after a restart: it shares no memory with the others. */
  function aProcess() {
    const accounts = new TypeOrmAccountStore(database, new SecretBox(key), new PlatformCredentials('', ''));
    const clock = new SystemClock();
    const recorded = new PostgresRecordedSubscriptions(database, new DatabaseIdentity(database));
    const deletion = new AccountDeletion(accounts);
    const senders = new SendersService(accounts, clock);
    const returning = new SubscriptionReturn(senders, platform, recorded, {} as Retention, clock, deletion);
    return { store: accounts, recorded, returning, deletion };
  }

  /** A sender whose business account is subscribed on the platform. */
  async function subscribed(): Promise<{ senderId: string; phoneNumberId: string; businessAccountId: string }> {
    const phoneNumberId = String(++number);
    const businessAccountId = `9${phoneNumberId}`;
    await fetch(`${sandbox.url}/sandbox/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        senders: [{ phoneNumberId, businessAccountId, accessToken: tokenOf(businessAccountId) }],
      }),
    });
    const senderId = await added(phoneNumberId, businessAccountId);
    const callbackUrl = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/`;
    const access = (await store.sender(senderId))!;
    expect(await platform.subscribe(businessAccountId, access, callbackUrl)).toBeNull();
    await aProcess().recorded.record(businessAccountId, callbackUrl);
    return { senderId, phoneNumberId, businessAccountId };
  }

  async function added(phoneNumberId: string, businessAccountId: string): Promise<string> {
    const senderId = uuidV7();
    await store.addSender(accountId, senderId, {
      ...draft(phoneNumberId, { accessToken: tokenOf(businessAccountId) }).sender!,
      businessAccountId,
    });
    return senderId;
  }

  const isSubscribed = async (businessAccountId: string): Promise<boolean> => {
    const present = await platform.present(businessAccountId, {
      accessToken: tokenOf(businessAccountId),
      appSecret: '',
    });
    return typeof present !== 'string' && present.exists;
  };
  const keepsAccess = async (senderId: string): Promise<boolean> => {
    const [row] = await database.rows<{ token: string | null }>(
      'SELECT access_token_encrypted AS token FROM senders WHERE id = $1',
      [senderId],
    );
    return row!.token !== null;
  };
  /** Passes the pause after a failure, or the lease of a process that has ended. */
  const passTime = (senderId: string) =>
    database.execute('UPDATE senders SET return_due_at = now() WHERE id = $1', [senderId]);

  it('is repeated by another process after the platform was down, with the access that the sender had', async () => {
    const { senderId, phoneNumberId, businessAccountId } = await subscribed();
    proxy.refuse();
    await store.deleteSender(senderId);
    expect(await store.sendersWith('phoneNumberId', [phoneNumberId])).toEqual([]);
    await aProcess().returning.returnDue();
    proxy.admit();
    await aProcess().returning.returnDue();
    expect([await isSubscribed(businessAccountId), await keepsAccess(senderId)]).toEqual([true, true]);

    await passTime(senderId);
    await aProcess().returning.returnDue();
    expect([await isSubscribed(businessAccountId), await keepsAccess(senderId)]).toEqual([false, false]);
  });

  it('is made by one process, and by another one once the first was killed', async () => {
    const { senderId, businessAccountId } = await subscribed();
    await store.deleteSender(senderId);
    const killed = await aProcess().store.takeReturns(10, 120_000);
    expect(killed.map(({ sender, isLast }) => [sender.id, sender.accessToken, isLast])).toEqual([
      [senderId, tokenOf(businessAccountId), false],
    ]);
    await aProcess().returning.returnDue();
    expect(await isSubscribed(businessAccountId)).toBe(true);
    await passTime(senderId);
    await aProcess().returning.returnDue();
    expect([await isSubscribed(businessAccountId), await keepsAccess(senderId)]).toEqual([false, false]);
  });

  it('is given up after a day, and the access is deleted', async () => {
    const { senderId, businessAccountId } = await subscribed();
    await store.deleteSender(senderId);
    await database.execute(
      `UPDATE senders SET return_due_at = now(), return_until = now() - interval '1 s' WHERE id = $1`,
      [senderId],
    );
    proxy.refuse();
    await aProcess().returning.returnDue();
    proxy.admit();
    expect([await isSubscribed(businessAccountId), await keepsAccess(senderId)]).toEqual([true, false]);
  });

  it('does not happen once the sender was added again', async () => {
    const { senderId, phoneNumberId, businessAccountId } = await subscribed();
    proxy.refuse();
    await store.deleteSender(senderId);
    await aProcess().returning.returnDue();
    const again = await added(phoneNumberId, businessAccountId);
    proxy.admit();
    await passTime(senderId);
    await aProcess().returning.returnDue();
    expect([await isSubscribed(businessAccountId), await keepsAccess(senderId)]).toEqual([true, false]);
    expect(await keepsAccess(again)).toBe(true);
  });

  it('is that of a deleted account, which is kept as long', async () => {
    const { senderId, businessAccountId } = await subscribed();
    await store.beginDeletion(accountId);
    const step = () => aProcess().deletion.step({ id: accountId, seconds: 120 }, 500);
    proxy.refuse();
    await step();
    expect(await store.byId(accountId)).not.toBeNull();
    proxy.admit();
    await passTime(senderId);
    await step();
    expect([await isSubscribed(businessAccountId), await store.byId(accountId)]).toEqual([true, expect.anything()]);
    await aProcess().returning.returnDue();
    await database.execute(
      `UPDATE senders SET return_due_at = now() WHERE account_id = $1 AND return_due_at < 'infinity'`,
      [accountId],
    );
    await aProcess().returning.returnDue();
    expect(await isSubscribed(businessAccountId)).toBe(false);
    await step();
    expect(await store.byId(accountId)).toBeNull();
  });
});
