import { randomBytes } from 'node:crypto';
import type { Database } from '../../src/infra/database/database';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { uuidV7 } from '../../src/kernel/uuid';
import { PlatformCredentials } from '../../src/modules/accounts/adapters/platform-credentials';
import { SenderSecrets } from '../../src/modules/accounts/adapters/sender-secrets';
import { TypeOrmAccountStore } from '../../src/modules/accounts/adapters/typeorm-account-store';
import { UNSET_SENDER_FIELDS } from '../../src/modules/accounts/domain/sender';
import { describeOnDatabase } from '../support/databases';

const ENVIRONMENT = new PlatformCredentials('environment-token', 'environment-secret');
const [OLD, CURRENT] = [randomBytes(32), randomBytes(32)];

describeOnDatabase('The secrets of senders', (open) => {
  let database: Database;
  let next = 100;

  beforeAll(async () => {
    database = await open();
  });
  beforeEach(() => database.execute('DELETE FROM accounts'));

  const storeWith = (box: SecretBox) => new TypeOrmAccountStore(database, box, ENVIRONMENT);
  const newAccount = async (box: SecretBox, secrets: { accessToken?: string; appSecret?: string }) => {
    const id = uuidV7();
    const phoneNumberId = String(next++);
    await storeWith(box).add(id, {
      ...{ name: 'A', plan: 'Pro', status: 'Active', sendingPaused: false },
      ...{ defaultCountry: null, businessPortfolioId: null },
      sender: { ...UNSET_SENDER_FIELDS, phoneNumberId, businessAccountId: '1', ...secrets },
    });
    return id;
  };

  it('are encrypted with the current key, also for many accounts', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 120; n++) {
      ids.push(await newAccount(new SecretBox(OLD), { accessToken: `token ${n}`, appSecret: `secret ${n}` }));
    }
    ids.push(await newAccount(new SecretBox(CURRENT), { accessToken: 'token 120', appSecret: 'secret 120' }));
    await newAccount(new SecretBox(OLD), {});
    const secrets = new SenderSecrets(database, new SecretBox(CURRENT, [OLD]));
    expect(await secrets.reseal(false)).toEqual({ resealed: 240, current: 2, unreadable: [] });
    expect(await secrets.reseal(false)).toEqual({ resealed: 0, current: 242, unreadable: [] });
    const store = storeWith(new SecretBox(CURRENT));
    for (const [n, id] of ids.entries()) {
      expect((await store.sendersOf(id))[0]).toMatchObject({ accessToken: `token ${n}`, appSecret: `secret ${n}` });
    }
  });

  it('that no key decrypts remain, or are deleted with their account paused', async () => {
    const lost = await newAccount(new SecretBox(randomBytes(32)), { accessToken: 'lost', appSecret: 'lost' });
    const known = await newAccount(new SecretBox(CURRENT), { accessToken: 'known' });
    const secrets = new SenderSecrets(database, new SecretBox(CURRENT));
    const store = storeWith(new SecretBox(CURRENT));
    expect(await secrets.reseal(false)).toEqual({ resealed: 0, current: expect.any(Number), unreadable: [lost] });
    await expect(store.senders()).rejects.toThrow(/cannot be decrypted/);
    expect(await secrets.reseal(true)).toEqual({ resealed: 0, current: expect.any(Number), unreadable: [lost] });
    expect((await store.sendersOf(lost))[0]).toMatchObject({ sendingPaused: true, accessToken: 'environment-token' });
    expect((await store.sendersOf(known))[0]).toMatchObject({ sendingPaused: false, accessToken: 'known' });
    expect(await secrets.reseal(true)).toEqual({ resealed: 0, current: expect.any(Number), unreadable: [] });
    await store.change(lost, { sendingPaused: false, sender: { accessToken: 'new', appSecret: 'new' } });
    expect((await store.sendersOf(lost))[0]).toMatchObject({ sendingPaused: false, accessToken: 'new' });
  });
});
