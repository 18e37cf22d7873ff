import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type DocumentedCode, documentedCode } from '../support/documented-code';
import { control, detailOf, doubled, ended, phones, sendTo, settled } from '../support/process/bulk';
import { Client } from '../support/process/client';
import { type Accepted, Platform } from '../support/process/platform';
import { outcomeOf, type Service, spawnService, startService, type Store, until } from '../support/process/service';
import { freePort } from '../support/free-port';
import { FIRST_SENDER, postWebhook, reportOf, statusOf } from '../support/process/webhook';
import { embeddedStore, pause } from './processes';
import { WebhookReceiver } from '../support/webhook-receiver';
import { PostgresServer } from './support/postgres-server';

const RECIPIENTS = 300;
const SINGLES = 250;
/** Longer than a worker takes to find work and to take over a lane. */
const NO_SENDS_MS = 8000;
/** So slow that single sends wait also on a busy machine. */
const ENV = { MESSAGES_PER_SECOND: '20', UNKNOWN_GRACE_SECONDS: '2' };
/** Stands for `docker compose`: runs on this machine what it would run in a container, and nothing for start and stop. */
const COMPOSE = `#!/usr/bin/env bash
[ "$1" = compose ] || exit 2
command=$2
shift 2
while [[ $1 == -* ]]; do shift; done
shift
[[ $command == @(start|stop) ]] || exec "\${@//\\/data/$DATA}"
`;
const commands = (part: string) => documentedCode('runbook.md', 'bash').filter(({ code }) => code.includes(part));

interface Readiness {
  degraded: boolean;
  checks: { name: string; ok: boolean; required: boolean; reason: string | null }[];
}

describe('A database that is restored from a dump made in the middle of a job', () => {
  let platform: Platform;
  let postgres: PostgresServer;
  let store: Store;
  let dump: string;
  let jobId: string;
  let service: Service | null = null;
  let ledger: Accepted[];

  /** A service sends a list and single messages; the dump is made meanwhile, and all of them are sent after it. */
  beforeAll(async () => {
    platform = await Platform.spawn();
    postgres = await PostgresServer.start();
    store = { ...(await embeddedStore()), databaseUrl: postgres.url };
    const client = await start(postgres.url);
    const [first, ...numbers] = phones(RECIPIENTS + SINGLES + 1);
    jobId = await sendTo(client, numbers.slice(0, RECIPIENTS));
    await settled(client, jobId, 30);
    const singles = [first!, ...numbers.slice(RECIPIENTS)].map((to) =>
      client.post('/send-template', { to, templateName: 'hello_world' }),
    );
    await until(async () => (await openSingles(postgres.url)) >= 20, 20_000, 'single sends wait');
    dump = postgres.dump();
    await Promise.all(singles);
    await ended(client, jobId, 60_000);
    await until(async () => (await openSingles(postgres.url)) === 0, 60_000, 'all single sends are sent');
    await service!.stop();
    ledger = await platform.ledger();
    expect(ledger).toHaveLength(RECIPIENTS + SINGLES + 1);
  });

  afterEach(async () => {
    await service?.stop();
    service = null;
  });

  afterAll(async () => {
    await store?.drop();
    await postgres?.close();
    await platform?.close();
  });

  async function start(databaseUrl: string, env: Record<string, string> = {}): Promise<Client> {
    service = await startService({
      store: { ...store, databaseUrl },
      platformUrl: platform.url,
      env: { ...ENV, ...env },
    });
    return new Client(service);
  }

  async function openSingles(url: string): Promise<number> {
    const rows = await PostgresServer.rowsOf<{ open: number }>(
      url,
      'SELECT count(*)::int AS open FROM single_sends WHERE outcome IS NULL',
    );
    return rows[0]!.open;
  }

  const restoreLines = () => service!.log.filter((line) => line.includes('"context":"Restore"'));

  async function expectNoSends(client: Client): Promise<void> {
    await pause(NO_SENDS_MS);
    expect(await platform.ledger()).toHaveLength(ledger.length);
    expect(await detailOf(client, jobId)).toMatchObject({
      status: 'Paused',
      pauseReason: {
        code: 'restored_from_backup',
        message: expect.stringMatching(/restored from a backup.*recorded at \d{4}-/) as string,
      },
    });
  }

  it('is detected at startup: nothing is sent until a person resumes, and nothing again to proven recipients', async () => {
    const url = await postgres.restore(dump, 'noticed');
    const waiting = await openSingles(url);
    expect(waiting).toBeGreaterThan(0);
    const client = await start(url);
    expect(restoreLines()).toEqual([
      expect.stringMatching(/unfinished jobs paused: 1; open single sends now Unknown: \d+/),
    ]);
    expect(await openSingles(url)).toBe(0);
    await expectNoSends(client);
    const before = await detailOf(client, jobId);
    expect(before.successfullySent).toBeLessThan(RECIPIENTS - 100);

    for (let from = 0; from < ledger.length; from += 100) {
      const statuses = ledger.slice(from, from + 100).map((entry) => statusOf(entry, 'delivered'));
      expect((await postWebhook(service!, reportOf(statuses))).status).toBe(200);
    }
    expect(await detailOf(client, jobId)).toMatchObject({ status: 'Paused', successfullySent: RECIPIENTS });
    expect(await PostgresServer.rowsOf(url, `SELECT 1 FROM single_sends WHERE outcome <> 'Sent'`)).toEqual([]);
    await control(client, 'resume', jobId);
    expect(await ended(client, jobId)).toMatchObject({ status: 'Completed', successfullySent: RECIPIENTS });
    expect(doubled(await platform.accepted())).toEqual([]);
    expect(await platform.ledger()).toHaveLength(ledger.length);

    await service!.stop();
    await start(url);
    expect(restoreLines()).toEqual([]);
  });

  it('is made safe by the program, which reports its changes and is needed once', async () => {
    const url = await postgres.restore(dump, 'program');
    const waiting = await openSingles(url);
    const program = spawnService(
      { ...store, databaseUrl: url },
      { platformUrl: platform.url, program: 'after-restore' },
    );
    const { code, output } = await outcomeOf(program, 60_000);
    expect([code, output]).toEqual([0, expect.stringContaining('"msg":"Paused unfinished jobs: 1.')]);
    expect(output).toContain(`Open single sends, now Unknown: ${waiting}`);
    const client = await start(url);
    expect(restoreLines()).toEqual([]);
    await expectNoSends(client);
    await control(client, 'cancel', jobId);
    expect(await ended(client, jobId)).toMatchObject({ status: 'Cancelled' });
    expect(await platform.ledger()).toHaveLength(ledger.length);
  });

  it('is practised by the unchanged commands of the runbook', async () => {
    const [{ code }] = commands('PORT=3100') as [DocumentedCode];
    const folder = await mkdtemp(join(tmpdir(), 'mta-drill-'));
    try {
      await symlink(resolve(__dirname, '../../dist'), join(folder, 'dist'));
      const { stdout } = await promisify(execFile)(
        'bash',
        ['-euo', 'pipefail', '-c', code.replaceAll('3100', String(await freePort()))],
        {
          cwd: folder,
          env: {
            ...{ PATH: process.env.PATH, DATABASE_URL: postgres.url, DATA_DIR: join(folder, 'data') },
            ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
            // Of production: nothing of the drill may reach them.
            ...{ PLATFORM_API_URL: platform.url, REDIS_URL: 'redis://127.0.0.1:1', PUBLIC_URL: platform.url },
            ...{ MEDIA_STORE_URL: 's3://key:secret@media?endpoint=http://127.0.0.1:1', METRICS_PORT: '1' },
          },
        },
      );
      expect(stdout).toMatch(/"context":"Restore".*unfinished jobs paused: 0/);
      expect(stdout).not.toContain('"ok":false');
      expect(await readdir(folder)).not.toContain('data');
      expect(await platform.ledger()).toHaveLength(ledger.length);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('is restored with compose by the unchanged commands of the runbook', async () => {
    await postgres.rows('CREATE ROLE messaging LOGIN SUPERUSER');
    const url = await postgres.restore(dump, 'messaging');
    const folder = await mkdtemp(join(tmpdir(), 'mta-compose-'));
    const photo = join(folder, 'data/media/abc/photo');
    const { hostname, port } = new URL(postgres.url);
    const env = {
      ...{
        PATH: `${folder}:${process.env.PATH}`,
        PGHOST: hostname,
        PGPORT: port,
        DATABASE_URL: url,
        DATA: join(folder, 'data'),
      },
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    const enter = async ({ code }: DocumentedCode) =>
      (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', code], { cwd: folder, env })).stdout;
    try {
      await symlink(resolve(__dirname, '../../dist'), join(folder, 'dist'));
      await writeFile(join(folder, 'docker'), COMPOSE, { mode: 0o755 });
      await mkdir(dirname(photo), { recursive: true });
      await writeFile(photo, 'of a person');
      const [backUp, restore] = commands('docker compose') as [DocumentedCode, DocumentedCode];
      await enter(backUp);
      await rm(photo);
      await PostgresServer.rowsOf(url, 'DROP TABLE messages CASCADE');
      expect(await enter(restore)).toContain('Paused unfinished jobs: 1.');
      expect(await readFile(photo, 'utf8')).toBe('of a person');
      const kept = await postgres.rows(`SELECT FROM pg_database WHERE datname = 'messaging_before'`);
      expect(kept).toHaveLength(1);
      await expectNoSends(await start(url));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('does not take over the webhook subscription until the operator confirms it', async () => {
    const subscription = `${platform.url}/v25.0/${FIRST_SENDER.businessAccountId}/subscribed_apps`;
    const headers = { authorization: 'Bearer sandbox-access-token' };
    const address = async () => {
      const { data } = (await (await fetch(subscription, { headers })).json()) as {
        data: { override_callback_uri?: string }[];
      };
      return data[0]?.override_callback_uri;
    };
    const at = async () => {
      const port = String(await freePort());
      const own = `http://127.0.0.1:${port}`;
      return { env: { PORT: port, PUBLIC_URL: own }, url: `${own}/webhooks/platform` };
    };
    const [original, copy] = [await at(), await at()];
    await start(postgres.url, original.env);
    await until(async () => (await address()) === original.url, 10_000, 'the original is subscribed');
    const production = service!;

    try {
      const url = await postgres.restore(postgres.dump(), 'staging');
      await start(url, copy.env);
      const look = async () => (await (await fetch(`${service!.url}/health/ready`)).json()) as Readiness;
      await until(async () => (await look()).degraded, 10_000, 'the copy reports that it gets no statuses');
      const check = (await look()).checks.find(({ name }) => name === 'webhook_subscription');
      expect(check).toMatchObject({ ok: false, required: false });
      expect(check?.reason).toContain(FIRST_SENDER.businessAccountId);
      expect(await address()).toBe(original.url);

      await service!.stop();
      await start(url, { ...copy.env, PUBLIC_URL_TAKEOVER: 'true' });
      await until(async () => (await address()) === copy.url, 10_000, 'the copy is subscribed');
      await service!.stop();
      await start(url, copy.env);
      await pause(2000);
      expect(await look()).toMatchObject({ degraded: false });
    } finally {
      await production.stop();
    }
  });

  it('stops everything resumed again at a start with AFTER_RESTORE', async () => {
    const url = await postgres.restore(dump, 'again');
    await start(url);
    await service!.stop();
    await PostgresServer.rowsOf(url, `UPDATE bulk_jobs SET status = 'Processing', pause_problem = NULL`);
    const client = await start(url, { AFTER_RESTORE: 'true' });
    expect(restoreLines()).toEqual([expect.stringMatching(/AFTER_RESTORE is set.* unfinished jobs paused: 1;/)]);
    await expectNoSends(client);
  });

  // Last: it sends more than the other tests expect.
  it('delivers no events, old or new, until its operator confirms', async () => {
    const receiver = await new WebhookReceiver().start();
    const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };
    try {
      receiver.status = 500;
      const client = await start(postgres.url, env);
      const events = ['job.started', 'job.paused', 'job.completed'];
      expect((await client.post('/webhook-endpoints', { url: receiver.url, events })).status).toBe(201);
      await ended(client, await sendTo(client, phones(3, 2000)));
      await sendTo(client, phones(3, 2100), { hold: 'true' });
      const url = await postgres.restore(postgres.dump(), 'quiet');
      await service!.stop();

      receiver.status = 204;
      receiver.received.length = 0;
      await start(url, env);
      await pause(NO_SENDS_MS);
      expect(receiver.received).toEqual([]);
      const look = async () => (await (await fetch(`${service!.url}/health/ready`)).json()) as Readiness;
      const { degraded, checks } = await look();
      expect(degraded).toBe(true);
      expect(checks.find(({ name }) => name === 'events_after_restore')?.reason).toContain('EVENTS_AFTER_RESTORE');
      await service!.stop();
      await start(url, { ...env, EVENTS_AFTER_RESTORE: 'true' });
      await until(() => Promise.resolve(receiver.received.length > 0), 60_000, 'the events are delivered');
      await service!.stop();
      await start(url, env);
      expect((await look()).checks.find(({ name }) => name === 'events_after_restore')).toMatchObject({ ok: true });
    } finally {
      await receiver.close();
    }
  });
});
