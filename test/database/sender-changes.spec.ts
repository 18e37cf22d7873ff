import { randomBytes } from 'node:crypto';
import type { Database } from '../../src/infra/database/database';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { uuidV7 } from '../../src/kernel/uuid';
import { PlatformCredentials } from '../../src/modules/accounts/adapters/platform-credentials';
import { TypeOrmAccountStore } from '../../src/modules/accounts/adapters/typeorm-account-store';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { ManualClock } from '../fakes/manual-clock';
import { draft } from '../support/account-draft';
import { describeOnDatabase } from '../support/databases';

describeOnDatabase('A change of a sender', (open) => {
  let database: Database;
  const key = randomBytes(32);
  const clock = new ManualClock();
  let number = 800;

  beforeAll(async () => {
    database = await open();
  });

  /** A process with its own cache, and its reads of senders. */
  function aProcess() {
    const store = new TypeOrmAccountStore(
      database,
      new SecretBox(key),
      new PlatformCredentials('', 'environment-secret'),
    );
    return { store, senders: new SendersService(store, clock), read: jest.spyOn(store, 'sendersWith') };
  }

  async function account(): Promise<{ id: string; number: string; businessAccount: string }> {
    const [id, phoneNumberId] = [uuidV7(), String(++number)];
    const { sender, ...fields } = draft(phoneNumberId);
    const businessAccountId = `9${phoneNumberId}`;
    await aProcess().store.add(id, { ...fields, sender: { ...sender!, businessAccountId } });
    return { id, number: phoneNumberId, businessAccount: businessAccountId };
  }

  it('drops only this sender from what other processes have cached', async () => {
    const [changed, kept] = [await account(), await account()];
    const other = aProcess();
    const secrets = async () => {
      const { senders } = other;
      const found = [
        ...(await senders.with('businessAccountId', [changed.businessAccount, kept.businessAccount])),
        ...(await senders.with('phoneNumberId', [changed.number, kept.number])),
      ];
      return found.map(({ appSecret }) => appSecret);
    };
    expect(await secrets()).toEqual(Array(4).fill('environment-secret'));
    other.read.mockClear();
    await aProcess().store.change(changed.id, { sender: { appSecret: 'new' } });
    clock.advance(1_000);
    expect(await secrets()).toEqual(['new', 'environment-secret', 'new', 'environment-secret']);
    // What is read by business account is known by number, too.
    expect(other.read.mock.calls).toEqual([['businessAccountId', [changed.businessAccount]]]);
  });

  it('is seen although the changes before it are no longer recorded, which are deleted after an hour', async () => {
    const { id, number: phoneNumberId } = await account();
    const other = aProcess();
    await other.senders.with('phoneNumberId', [phoneNumberId]);
    await database.execute(`UPDATE sender_change_log SET at = now() - interval '61 min'`);
    await aProcess().store.change(id, { sender: { appSecret: 'new' } });
    const [left] = await database.rows(`SELECT count(*)::int AS n FROM sender_change_log`);
    expect(left).toEqual({ n: 2 });
    clock.advance(1_000);
    expect(await other.senders.with('phoneNumberId', [phoneNumberId])).toMatchObject([{ appSecret: 'new' }]);
  });

  it('of the status of its account is one, too', async () => {
    const { id, number: phoneNumberId } = await account();
    const { store } = aProcess();
    const { last } = await store.senderChanges(null);
    await store.beginDeletion(id);
    expect((await store.senderChanges(last)).changed).toMatchObject([
      { phoneNumberId, businessAccountId: `9${phoneNumberId}` },
    ]);
  });
});
