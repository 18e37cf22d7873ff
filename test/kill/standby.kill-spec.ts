import { execFileSync } from 'node:child_process';
import { documentedCode } from '../support/documented-code';
import { control, detailOf, doubled, ended, phones, sendTo } from '../support/process/bulk';
import { Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import { type Store, until } from '../support/process/service';
import { postWebhook, reportOf, statusOf } from '../support/process/webhook';
import { TcpProxy } from '../support/tcp-proxy';
import { embeddedStore, KillableService, pause } from './processes';
import { PostgresServer } from './support/postgres-server';

const RECIPIENTS = 2000;
const PACE = 200;
/** Commits of the primary in this time are lost. */
const BEHIND_MS = 1000;
/** Time for every process to reconnect and to check its database. */
const NOTICED_MS = 30_000;
/** Longer than a worker takes to find work and to take over a lane. */
const NO_SENDS_MS = 8000;
const PROCESSES = 2;
const [PROMOTION] = documentedCode('runbook.md', 'bash').filter(({ section }) => section === 'Failover to a standby');
const ENV = { MESSAGES_PER_SECOND: String(PACE), UNKNOWN_GRACE_SECONDS: '120' };

/** Two processes that send a job, from a primary with a standby, reached through `line`. */
class Scene {
  private constructor(
    readonly platform: Platform,
    readonly primary: PostgresServer,
    readonly standby: PostgresServer,
    readonly line: TcpProxy,
    readonly services: readonly KillableService[],
    private readonly options: readonly { store: Store }[],
    public client: Client,
    readonly jobId: string,
  ) {}

  /** `synchronous`: commits wait for the standby. */
  static async start(synchronous: boolean): Promise<Scene> {
    const platform = await Platform.spawn({ latencyMs: 150 });
    const primary = await PostgresServer.start();
    const standby = await primary.standby();
    if (synchronous) {
      await primary.rows(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
      await primary.rows('SELECT pg_reload_conf()');
    }
    const line = new TcpProxy(new URL(primary.url));
    const databaseUrl = await line.open();
    const options: { store: Store; platformUrl: string; env: Record<string, string> }[] = [];
    for (let n = 0; n < PROCESSES; n++) {
      options.push({ store: { ...(await embeddedStore()), databaseUrl }, platformUrl: platform.url, env: ENV });
    }
    const services = options.map((one) => new KillableService(one));
    for (const service of services) await service.start();
    const client = new Client(services[0]!.running);
    const jobId = await sendTo(client, phones(RECIPIENTS));
    await until(async () => (await platform.ledger()).length > RECIPIENTS / 4, 60_000, 'the job is running');
    return new Scene(platform, primary, standby, line, services, options, client, jobId);
  }

  /** The primary dies and the standby takes over. */
  async failOver(): Promise<void> {
    await this.replacePrimary();
    this.line.redirect(new URL(this.standby.url));
    this.line.admit();
  }

  /** The primary dies, and the standby is promoted by the unchanged command of the runbook. Its address is another one. */
  async replacePrimary(): Promise<void> {
    await this.primary.crash('SIGKILL');
    this.line.refuse();
    const env = { PATH: process.env.PATH, STANDBY_URL: this.standby.url };
    execFileSync('bash', ['-euo', 'pipefail', '-c', PROMOTION!.code], { env, stdio: 'pipe' });
  }

  /** Restarts every process with the address of the standby. They hold answers that they cannot record, and would not stop. */
  async restartOnStandby(): Promise<void> {
    await Promise.all(this.services.map((service) => service.kill()));
    this.options.forEach(({ store }) => (store.databaseUrl = this.standby.url));
    await Promise.all(this.services.map((service) => service.start()));
    this.client = new Client(this.services[0]!.running);
  }

  /** The platform reports that every accepted message was delivered. */
  async deliverAll(): Promise<void> {
    const ledger = await this.platform.ledger();
    for (let from = 0; from < ledger.length; from += 100) {
      const statuses = ledger.slice(from, from + 100).map((entry) => statusOf(entry, 'delivered'));
      expect((await postWebhook(this.services[0]!.running, reportOf(statuses))).status).toBe(200);
    }
  }

  async twice(): Promise<string[]> {
    return doubled((await this.platform.ledger()).map(({ callbackData }) => callbackData.split('.')[0]!));
  }

  async close(): Promise<void> {
    await Promise.all(this.services.map((service) => service.stop()));
    await Promise.all(this.services.map((service) => service.drop()));
    this.line.close();
    await this.standby.close();
    await this.primary.close();
    await this.platform.close();
  }
}

describe('An asynchronous standby that lags a second behind and takes over while processes send', () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await Scene.start(false);
  });

  afterAll(() => scene?.close());

  it('sends nothing twice: the jobs wait for a person, and the log reports it', async () => {
    await scene.standby.detach();
    const [before] = await scene.primary.rows<{ cursor: number }>('SELECT cursor FROM bulk_jobs');
    await pause(BEHIND_MS);
    const [lost] = await scene.primary.rows<{ cursor: number }>('SELECT cursor FROM bulk_jobs');
    expect(lost!.cursor).toBeGreaterThan(before!.cursor);
    await scene.failOver();

    await until(
      async () => (await detailOf(scene.client, scene.jobId)).status === 'Paused',
      NOTICED_MS,
      'the job is paused',
    );
    expect((await detailOf(scene.client, scene.jobId)).pauseReason).toMatchObject({ code: 'restored_from_backup' });
    await pause(NO_SENDS_MS);
    const departed = (await scene.platform.ledger()).length;
    expect(await scene.twice()).toEqual([]);
    await pause(1000);
    expect((await scene.platform.ledger()).length).toBe(departed);
    for (const { log } of scene.services) {
      expect(log.filter((entry) => entry.includes('changed from timeline'))).toHaveLength(1);
    }
    const said = scene.services
      .flatMap(({ log }) => log)
      .filter((entry) => entry.includes('lost its last transactions'));
    expect(said.length).toBeGreaterThan(0);
  });

  it('ends the job once reports have proved deliveries and a person resumes', async () => {
    await scene.deliverAll();
    await control(scene.client, 'resume', scene.jobId);
    expect(await ended(scene.client, scene.jobId)).toMatchObject({
      status: 'Completed',
      successfullySent: RECIPIENTS,
      failed: 0,
    });
    expect(await scene.twice()).toEqual([]);
  });
});

describe('A synchronous standby that takes over while processes send', () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await Scene.start(true);
  });

  afterAll(() => scene?.close());

  it('needs nobody: the job continues and ends, nothing is sent twice, and the log has a line about the timeline', async () => {
    await scene.failOver();
    expect(await ended(scene.client, scene.jobId)).toMatchObject({ status: 'Completed', successfullySent: RECIPIENTS });
    expect(await scene.twice()).toEqual([]);
    for (const { log } of scene.services) {
      expect(log.filter((entry) => entry.includes('Commits were synchronous'))).toHaveLength(1);
    }
  });
});

describe('A synchronous standby whose address processes get only by a restart', () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await Scene.start(true);
  });

  afterAll(() => scene?.close());

  it('continues the job with the processes that were restarted: nothing is sent twice, and reports settle what was in flight', async () => {
    await scene.replacePrimary();
    await scene.restartOnStandby();
    const isSent = async () => (await scene.platform.ledger()).length === RECIPIENTS;
    await until(isSent, NOTICED_MS, 'every message is sent');
    const { status, unknown } = await detailOf(scene.client, scene.jobId);
    process.stdout.write(`${unknown} unknown until they are reported\n`);
    expect(status).not.toBe('Paused');
    await scene.deliverAll();
    expect(await ended(scene.client, scene.jobId)).toMatchObject({
      status: 'Completed',
      successfullySent: RECIPIENTS,
      unknown: 0,
    });
    expect(await scene.twice()).toEqual([]);
  });
});
