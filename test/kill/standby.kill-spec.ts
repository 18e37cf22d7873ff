import { control, detailOf, doubled, ended, phones, sendTo } from '../support/process/bulk';
import { Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import { until } from '../support/process/service';
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
const ENV = { MESSAGES_PER_SECOND: String(PACE), UNKNOWN_GRACE_SECONDS: '120' };

describe('An asynchronous standby that lags a second behind and takes over while processes send', () => {
  let platform: Platform;
  let primary: PostgresServer;
  let standby: PostgresServer;
  let line: TcpProxy;
  let services: KillableService[] = [];
  let client: Client;
  let jobId: string;

  beforeAll(async () => {
    platform = await Platform.spawn({ latencyMs: 150 });
    primary = await PostgresServer.start();
    standby = await primary.standby();
    line = new TcpProxy(new URL(primary.url));
    const databaseUrl = await line.open();
    for (let n = 0; n < PROCESSES; n++) {
      const store = { ...(await embeddedStore()), databaseUrl };
      services.push(new KillableService({ store, platformUrl: platform.url, env: ENV }));
    }
    for (const service of services) await service.start();
    client = new Client(services[0]!.running);
    jobId = await sendTo(client, phones(RECIPIENTS));
    await until(async () => (await platform.ledger()).length > RECIPIENTS / 4, 60_000, 'the job is running');
  });

  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await Promise.all(services.map((service) => service.drop()));
    services = [];
    line?.close();
    await standby?.close();
    await primary?.close();
    await platform?.close();
  });

  const twice = async () => doubled((await platform.ledger()).map(({ callbackData }) => callbackData.split('.')[0]!));

  it('sends nothing twice: the jobs wait for a person, and the log reports it', async () => {
    await standby.detach();
    const [before] = await primary.rows<{ cursor: number }>('SELECT cursor FROM bulk_jobs');
    await pause(BEHIND_MS);
    const [lost] = await primary.rows<{ cursor: number }>('SELECT cursor FROM bulk_jobs');
    expect(lost!.cursor).toBeGreaterThan(before!.cursor);
    await primary.crash('SIGKILL');
    line.refuse();
    await standby.promote();
    line.redirect(new URL(standby.url));
    line.admit();

    await until(async () => (await detailOf(client, jobId)).status === 'Paused', NOTICED_MS, 'the job is paused');
    expect((await detailOf(client, jobId)).pauseReason).toMatchObject({ code: 'restored_from_backup' });
    await pause(NO_SENDS_MS);
    const departed = (await platform.ledger()).length;
    expect(await twice()).toEqual([]);
    await pause(1000);
    expect((await platform.ledger()).length).toBe(departed);
    for (const { log } of services) {
      expect(log.filter((entry) => entry.includes('changed from timeline'))).toHaveLength(1);
    }
    const said = services.flatMap(({ log }) => log).filter((entry) => entry.includes('lost its last transactions'));
    expect(said.length).toBeGreaterThan(0);
  });

  it('ends the job once reports have proved deliveries and a person resumes', async () => {
    const ledger = await platform.ledger();
    for (let from = 0; from < ledger.length; from += 100) {
      const statuses = ledger.slice(from, from + 100).map((entry) => statusOf(entry, 'delivered'));
      expect((await postWebhook(services[0]!.running, reportOf(statuses))).status).toBe(200);
    }
    await control(client, 'resume', jobId);
    expect(await ended(client, jobId)).toMatchObject({ status: 'Completed', successfullySent: RECIPIENTS, failed: 0 });
    expect(await twice()).toEqual([]);
  });
});
