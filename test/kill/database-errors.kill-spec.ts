import { doubled, ended, phones, sendTo, settled } from '../support/process/bulk';
import { Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import { until } from '../support/process/service';
import { inboundOf, postWebhook } from '../support/process/webhook';
import { embeddedStore, KillableService, pause } from './processes';
import { PostgresServer } from './support/postgres-server';
import { type AnsweredRequest, Storm, type Resources } from './support/storm';

const POOL_SIZE = 12;
const ENV = {
  REDIS_URL: '',
  DATABASE_POOL_SIZE: String(POOL_SIZE),
  MESSAGES_PER_SECOND: '200',
  UNKNOWN_GRACE_SECONDS: '3',
};
const FAULTS = ['SIGQUIT', 'session', 'SIGKILL', 'session', 'SIGQUIT', 'SIGKILL'] as const;

describe('A service whose PostgreSQL fails', () => {
  let platform: Platform;
  let postgres: PostgresServer;
  let service: KillableService;
  let client: Client;
  let resources: Resources;
  // Apart from those of the storm, which opts people out.
  let next = 7_000_000;
  const fresh = (count: number) => phones(count, (next += count) - count);

  beforeAll(async () => {
    platform = await Platform.spawn({ latencyMs: 50 });
    postgres = await PostgresServer.start();
    const store = { ...(await embeddedStore()), databaseUrl: postgres.url };
    // Plan limits are not under test.
    service = new KillableService({ store, platformUrl: platform.url, env: ENV });
    await service.start();
    client = new Client(service.running);
    resources = await createResources();
  });

  afterAll(async () => {
    await service?.stop();
    await service?.drop();
    await postgres?.close();
    await platform.close();
  });

  async function createResources(): Promise<Resources> {
    const id = async (path: string, body: object): Promise<string> => (await client.post(path, body)).body.id as string;
    const [to] = phones(1, 5_000_000);
    const jobId = await sendTo(client, phones(30, 6_000_000));
    await ended(client, jobId);
    const { messageId } = (await client.post('/send-template', { to, templateName: 'hello_world' })).body;
    const templates = (await client.get('/templates?search=hello_world')).body.items as { id: string }[];
    return {
      groupId: await id('/groups', { name: 'All' }),
      contactId: await id('/contacts', { phone: to }),
      templateId: templates[0]!.id,
      jobId,
      messageId: messageId as string,
      conversationId: (await client.get(`/messages/${messageId}`)).body.conversationId as string,
      accountId: (await client.get('/me')).body.account.id as string,
    };
  }

  const failed = ({ status }: AnsweredRequest) => status !== null && status >= 500 && status !== 503;
  async function sessions(): Promise<number> {
    const [row] = await postgres.rows<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'messaging-template-api'`,
    );
    return row!.n;
  }

  /** Its status is sent before it ends: only a broken connection shows that it is incomplete. */
  const isCutExport = ({ what, status }: AnsweredRequest) => status === null && what.endsWith('/export');

  it('answers every kind of request with 503 and never 500 during crashes and recovery', async () => {
    const storm = new Storm(client, service.running, resources);
    storm.begin();
    await until(async () => (await sessions()) === POOL_SIZE, 5000, 'every connection of the pool is in use');
    for (const fault of FAULTS) {
      await pause(1500);
      if (fault === 'session') await postgres.crashSession();
      else {
        await postgres.crash(fault);
        await pause(1200);
        await postgres.restart();
      }
    }
    await until(async () => (await client.get('/bulk-jobs')).status === 200, 15_000, 'requests are answered again');
    await pause(1500);
    expect(await sessions()).toBeLessThanOrEqual(POOL_SIZE);
    await storm.end();

    expect(storm.answered.filter(failed)).toEqual([]);
    expect(storm.answered.filter((one) => one.status === null && !isCutExport(one))).toEqual([]);
    const unavailable = storm.answered.filter(({ status }) => status === 503);
    expect(unavailable.filter(({ retryAfter, what }) => !retryAfter && what !== 'POST webhook')).toEqual([]);
    const kinds = (asked: AnsweredRequest[]) => new Set(asked.map(({ what }) => what));
    expect(kinds(unavailable).size).toBeGreaterThan(20);
    // Each kind must work without a fault; otherwise the storm proves nothing.
    expect(kinds(storm.answered.filter(({ status }) => status! < 300))).toEqual(kinds(storm.answered));
    expect(service.log.filter((line) => line.includes('"level":60'))).toEqual([]);
  });

  it.each(['53100', '53200', '58030'])('treats a shortage that PostgreSQL reports as temporary: %s', async (code) => {
    await postgres.rows(`CREATE OR REPLACE FUNCTION be_short() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '${code}'; END $$`);
    const to = fresh(1)[0]!;
    const numbers = fresh(100);
    const jobId = await sendTo(client, numbers);
    await settled(client, jobId, 10);
    await postgres.rows(
      'CREATE TRIGGER short BEFORE INSERT OR UPDATE ON messages FOR EACH ROW EXECUTE FUNCTION be_short()',
    );
    const sending = await client.post('/send-template', { to, templateName: 'hello_world' });
    const inbound = inboundOf(to);
    const report = await postWebhook(service.running, inbound);
    expect(report.status).toBe(503);
    await pause(2500);
    expect(sending).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(await postgres.rows('SELECT reason FROM parked_updates')).toEqual([]);
    await postgres.rows('DROP TRIGGER short ON messages');

    expect(await ended(client, jobId, 30_000)).toMatchObject({ status: 'Completed', successfullySent: 100 });
    const accepted = (await platform.ledger()).filter(({ callbackData }) => callbackData.includes(jobId));
    expect(accepted).toHaveLength(100);
    expect(doubled(accepted.map((one) => one.to))).toEqual([]);
    // The platform repeats unacknowledged reports.
    expect((await postWebhook(service.running, inbound)).status).toBe(200);
    const inHistory = `SELECT 1 FROM messages WHERE contact_phone = $1 AND direction = 'Inbound'`;
    expect(await postgres.rows(inHistory, [to])).toHaveLength(1);
  });

  it('answers writes with 503 while PostgreSQL is read-only, and continues afterwards', async () => {
    const onlyReads = async (value: 'on' | 'off') => {
      await postgres.rows(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await postgres.rows('SELECT pg_reload_conf()');
      await pause(300);
    };
    const jobId = await sendTo(client, fresh(100));
    await settled(client, jobId, 10);
    await onlyReads('on');
    expect(await client.post('/groups', { name: 'Later' })).toMatchObject({ status: 503 });
    expect((await client.get('/groups')).status).toBe(200);
    await pause(1000);
    await onlyReads('off');
    expect((await client.post('/groups', { name: 'Later' })).status).toBe(201);
    expect(await ended(client, jobId, 30_000)).toMatchObject({ status: 'Completed', successfullySent: 100 });
  });
});
