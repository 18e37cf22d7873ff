import { documentedCode } from '../support/documented-code';
import { ended } from '../support/process/bulk';
import { until } from '../support/process/service';
import { PostgresServer } from '../kill/support/postgres-server';
import { Scene } from './scene';

const RECIPIENTS = 200;
const SENT_MS = 15_000;
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
    await scene.send(RECIPIENTS);
    await until(async () => (await scene.detail()).successfullySent >= 20, SENT_MS, 'messages are sent');
    await scene.service.stop();
    return otherMachine.restore(otherMachine.dump(scene.databaseUrl), 'moved');
  }

  it('continues a running job at once if the move is confirmed, and sends to each recipient once', async () => {
    const databaseUrl = await moved();
    await PostgresServer.rowsOf(databaseUrl, CONFIRMATION!.code);
    await scene.start({ DATABASE_URL: databaseUrl });
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
