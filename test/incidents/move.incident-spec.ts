import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { SAMPLE_FILES } from '../../src/modules/media/fixtures/sample-files';
import { documentedCode } from '../support/documented-code';
import { ended } from '../support/process/bulk';
import { KEY, until } from '../support/process/service';
import { FIRST_SENDER } from '../support/process/webhook';
import { PostgresServer } from '../kill/support/postgres-server';
import { Scene } from './scene';

const RECIPIENTS = 200;
const SENT_MS = 15_000;
const PERSON = '4915112349999';
const [CONFIRMATION] = documentedCode('operations.md', 'sql').filter(({ code }) => code.includes('database_identity'));

describe('Move to another machine', () => {
  let scene: Scene;
  let otherMachine: PostgresServer;

  beforeEach(async () => {
    [scene, otherMachine] = await Promise.all([Scene.open({ onServers: true }), PostgresServer.start()]);
  });

  afterEach(() => Promise.all([scene.close(), otherMachine.close()]));

  /** Stops the service in the middle of a job, and moves its database; returns the new address. */
  async function moved(): Promise<string> {
    await receive();
    await scene.send(RECIPIENTS);
    await until(async () => (await scene.detail()).successfullySent >= 20, SENT_MS, 'messages are sent');
    await scene.service.stop();
    return otherMachine.restore(otherMachine.dump(scene.databaseUrl), 'moved');
  }

  /** A person sends a picture, which the service fetches. */
  async function receive(): Promise<void> {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(SAMPLE_FILES.jpeg)]), 'a.jpg');
    const { mediaId } = (await scene.client.call('POST', '/media', { form })).body as { mediaId: string };
    await scene.platform.receive({ from: PERSON, type: 'image', content: { id: mediaId, mime_type: 'image/jpeg' } });
    await until(async () => (await picture()) === 200, SENT_MS, 'the picture is stored');
  }

  /** The status of the response with the picture that the person sent. */
  async function picture(): Promise<number> {
    const [message] = (await scene.client.get('/messages?direction=Inbound')).body.items as { id: string }[];
    if (!message) return 404;
    const file = `${scene.service.api}/messages/${message.id}/media`;
    return (await fetch(file, { headers: { 'x-api-key': KEY } })).status;
  }

  it('continues a running job at once if the move is confirmed, sends to each recipient once, and takes received files and the webhook along', async () => {
    const databaseUrl = await moved();
    await PostgresServer.rowsOf(databaseUrl, CONFIRMATION!.code);
    const { dataDir } = scene.service.store;
    const onOtherMachine = join(dataDir, '../other-machine');
    await mkdir(onOtherMachine);
    await rename(join(dataDir, 'media'), join(onOtherMachine, 'media'));
    const url = scene.service.url.replace('127.0.0.1', 'localhost');
    await scene.start({ DATABASE_URL: databaseUrl, DATA_DIR: onOtherMachine, PUBLIC_URL: url });
    expect(await picture()).toBe(200);
    const address = async () => (await scene.platform.subscriptions(FIRST_SENDER.businessAccountId))[0];
    const isMoved = async () => (await address())?.override_callback_uri === `${url}/webhooks/platform`;
    await until(isMoved, SENT_MS, 'the platform reports to the new address');
    expect(await ended(scene.client, scene.job)).toMatchObject({ status: 'Completed', successfullySent: RECIPIENTS });
    const accepted = await scene.platform.accepted();
    expect([accepted.length, new Set(accepted).size]).toEqual([RECIPIENTS, RECIPIENTS]);
  });

  it('waits for a person if it is not: the database may be an older copy', async () => {
    const databaseUrl = await moved();
    const before = (await scene.platform.accepted()).length;
    await scene.start({ DATABASE_URL: databaseUrl });
    const pauseReason = { code: 'restored_from_backup' };
    expect(await scene.detail()).toMatchObject({ status: 'Paused', pauseReason });
    expect(await scene.platform.accepted()).toHaveLength(before);
  });
});
