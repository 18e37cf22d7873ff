import { createContact } from '../../libs/client/generated/sdk.gen';
import { anotherAccount } from '../support/process/accounts';
import { until } from '../support/process/service';
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
