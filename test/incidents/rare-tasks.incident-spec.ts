import { createContact } from '../../libs/client/generated/sdk.gen';
import { anotherAccount } from '../support/process/accounts';
import { ENCRYPTION_KEY, KEY, until } from '../support/process/service';
import { Scene } from './scene';

const PHONE = '4915112345678';
/** Deleted accounts are looked for once a minute. */
const DELETED_MS = 100_000;

describe('A rare task of docs/runbook.md is over when the runbook says:', () => {
  let scene: Scene;

  beforeEach(async () => {
    scene = await Scene.open({ onServers: true });
  });

  afterEach(() => scene.close());

  it('an erased person is no longer found', async () => {
    await scene.client.messaging().call(createContact, { body: { phone: PHONE } });
    const found = async () => (await scene.client.get(`/contacts?phone=${PHONE}`)).body.items as object[];
    expect(await found()).toHaveLength(1);
    await scene.runbook('Erase a person', { PHONE });
    await until(async () => (await found()).length === 0, 15_000, 'the person is not found');
  });

  it('a new key is accepted when all are lost', async () => {
    const changed = (code: string) => `${code}\necho "$KEY"`;
    const settings = { DATABASE_URL: scene.databaseUrl, ENCRYPTION_KEY };
    const key = (await scene.runbook('All API keys are lost', settings, { changed, language: 'bash' })).trim();
    expect(key).not.toBe(KEY);
    expect((await scene.client.get('/me', { key })).status).toBe(200);
    expect((await scene.client.get('/me', { key: `${key}x` })).status).toBe(401);
  });

  it('a deleted tenant is not found, after the status `Deleting`', async () => {
    await scene.platform.configure({ autoCreateSenders: true });
    const { id: ACCOUNT } = await anotherAccount(scene.client);
    const toNowhere = (code: string) => code.replace('account.zip', '/dev/null');
    const section = 'Delete a tenant';
    expect(await scene.runbook(section, { ACCOUNT }, { changed: toNowhere })).toContain('"status":"Deleting"');
    await scene.sql(`UPDATE accounts SET updated_at = updated_at - interval '2 minutes' WHERE id = '${ACCOUNT}'`);
    const changed = (code: string) => code.trim().split('\n').at(-1)!;
    const isOver = async () => (await scene.runbook(section, { ACCOUNT }, { changed })).includes('"statusCode":404');
    await until(isOver, DELETED_MS, 'the account is not found');
  });
});
