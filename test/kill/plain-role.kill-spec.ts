import {
  createContact,
  createWebhookEndpoint,
  deleteAccount,
  deleteContact,
} from '../../libs/client/generated/sdk.gen';
import { Logger } from '@nestjs/common';
import { Database } from '../../src/infra/database/database';
import { openDataSource } from '../../src/infra/database/data-source';
import { SystemClock } from '../../src/infra/system-clock';
import { MigrationsNotAllowedError, type Schema } from '../../src/infra/database/migrations';
import { DeliveryLogPartitions } from '../../src/modules/events/adapters/delivery-log-partitions';
import { MessagePartitions } from '../../src/modules/messages/adapters/message-partitions';
import { SCHEMA } from '../../src/schema/schema';
import { documentedCode } from '../support/documented-code';
import { anotherAccount } from '../support/process/accounts';
import { ended, newPhones, sendTo } from '../support/process/bulk';
import { Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import { outcomeOf, type Service, spawnService, startService, type Store, until } from '../support/process/service';
import { WebhookReceiver } from '../support/webhook-receiver';
import { embeddedStore } from './processes';
import { freePort } from '../support/free-port';
import { PostgresServer } from './support/postgres-server';

const PROGRAM_MS = 60_000;
const DAY_MS = 86_400_000;
const TEMPLATE = 'hello_world';
const DENIED = /permission denied|must be owner|42501/;

/** The clock of a process that still runs some days later. */
class LaterClock extends SystemClock {
  constructor(private readonly days: number) {
    super();
  }

  override now(): Date {
    return new Date(super.now().getTime() + this.days * DAY_MS);
  }
}

describe('A service whose role owns no tables, as set up by docs/upgrading.md', () => {
  const [roles, privileges, existing] = documentedCode('upgrading.md', 'sql').map(({ code }) =>
    code.split(/;$/m).filter((statement) => statement.trim() !== ''),
  );
  const phones = newPhones();
  let postgres: PostgresServer;
  let platform: Platform;
  let receiver: WebhookReceiver;
  let folder: Store;
  let service: Service | undefined;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    [postgres, platform, receiver, folder] = await Promise.all([
      PostgresServer.start(),
      Platform.spawn({ autoCreateSenders: true }),
      new WebhookReceiver().start(),
      embeddedStore(),
    ]);
    for (const statement of roles!) await postgres.rows(statement);
    await postgres.rows('CREATE DATABASE earlier OWNER messaging_owner');
    for (const statement of privileges!) await run('postgres', 'messaging', statement);
  });

  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  afterAll(async () => {
    await receiver.close();
    await platform.close();
    await postgres.close();
    await folder.drop();
  });

  const urlOf = (role: string, database = 'messaging') =>
    Object.assign(new URL(postgres.url), { username: role, pathname: `/${database}` }).href;
  const run = <Row extends object>(role: string, database: string, statement: string) =>
    PostgresServer.rowsOf<Row>(urlOf(role, database), statement);
  const settings = (role: string, database?: string) => ({
    store: { ...folder, databaseUrl: urlOf(role, database) },
    platformUrl: platform.url,
    env: { WEBHOOK_ALLOW_PRIVATE: 'true' },
  });
  const outcome = (role: string, program?: string, database?: string) => {
    const { store, ...options } = settings(role, database);
    return outcomeOf(spawnService(store, { ...options, program }), PROGRAM_MS);
  };

  it('does not start before the owner has migrated, and names the remedy', async () => {
    const refused = await outcome('messaging_service');
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(/Startup failed:\n.*lack the migration baseline.*`npm run migrate`/);
    expect(await outcome('messaging_owner', 'migrate')).toMatchObject({ code: 0 });
  });

  it('sends, reports and erases', async () => {
    const { env, ...options } = settings('messaging_service');
    const port = await freePort();
    const reported = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` };
    service = await startService({ ...options, env: { ...env, ...reported } });
    const client = new Client(service);
    const messaging = client.messaging();
    const events: ('message.delivered' | 'job.completed')[] = ['message.delivered', 'job.completed'];
    await messaging.call(createWebhookEndpoint, { body: { url: receiver.url, events } });
    await platform.subscribed();
    const numbers = phones(40);
    expect(await ended(client, await sendTo(client, numbers))).toMatchObject({ successfullySent: numbers.length });
    const single = await client.post('/send-template', { to: phones(1)[0], templateName: TEMPLATE });
    expect(single.status).toBe(201);
    const seen = () => receiver.received.map(({ body }) => body).join('\n');
    await until(
      () => Promise.resolve(seen().includes('job.completed') && seen().includes('delivered')),
      20_000,
      'events',
    );

    const { id } = await messaging.call(createContact, { body: { phone: numbers[0]! } });
    await messaging.call(deleteContact, { path: { contactId: id }, query: { erase: 'true' } });
    const { id: accountId } = await anotherAccount(client);
    await messaging.call(deleteAccount, { path: { accountId } });
    expect(service.log.filter((line) => DENIED.test(line) || line.includes('"level":50'))).toEqual([]);
  });

  it('creates and removes partitions for as long as it runs', async () => {
    const open = { databaseUrl: urlOf('messaging_service'), dataDir: '', schema: SCHEMA };
    const source = await openDataSource(open, []);
    try {
      const database = new Database(source);
      const later = new LaterClock(200);
      const months = new MessagePartitions(database, later);
      const created = await months.createAhead();
      expect(created).toHaveLength(4);
      expect((await months.dropEmpty(new LaterClock(150).now())).length).toBeGreaterThan(2);
      expect(await new MessagePartitions(database, new LaterClock(400)).dropEmpty(new LaterClock(390).now())).toEqual(
        created,
      );
      const days = new DeliveryLogPartitions(database, later);
      await days.keep();
      const kept = await database.rows<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relname ~ '^webhook_deliveries_[0-9]{8}$' ORDER BY 1`,
      );
      expect(kept).toHaveLength(9);
      const today = new DeliveryLogPartitions(database, new SystemClock());
      await today.keep();
    } finally {
      await source.destroy();
    }
  });

  it('has only the rights that it needs', async () => {
    const refuse = (role: string, statement: string) => expect(run(role, 'messaging', statement)).rejects.toThrow();
    const [owned] = await run<{ count: number }>(
      'postgres',
      'messaging',
      `SELECT count(*)::int AS count FROM pg_class WHERE relowner = 'messaging_service'::regrole`,
    );
    expect(owned).toEqual({ count: 0 });
    await refuse('messaging_service', 'CREATE TABLE notes (id integer)');
    await refuse('messaging_service', 'ALTER TABLE bulk_jobs ADD COLUMN note text');
    await refuse('messaging_service', 'DROP TABLE parked_updates');
    await refuse('messaging_service', `SELECT change_message_partition('drop', 'accounts')`);
    await refuse(
      'messaging_service',
      `SELECT change_message_partition('drop', 'messages_2026_11; DROP TABLE accounts')`,
    );
    await refuse('messaging_service', `SELECT change_delivery_log('drop', 'webhook_bodies', 'accounts')`);
    await refuse('messaging_service', `SELECT change_delivery_log('drop', 'accounts', 'accounts_20261126')`);
    await run('postgres', 'messaging', 'CREATE ROLE reader LOGIN');
    await refuse('reader', `SELECT change_message_partition('drop', 'messages_2020_01')`);
  });

  it('keeps running when a later version has tables that it lacks, which it does not create itself', async () => {
    const statements = ['CREATE TABLE notes (id integer)'];
    const schema: Schema = { ...SCHEMA, migrations: [{ name: '9999-notes', statements }] };
    const open = (role: string) => openDataSource({ databaseUrl: urlOf(role), dataDir: '', schema }, []);
    await expect(open('messaging_service')).rejects.toThrow(MigrationsNotAllowedError);
    await (await open('messaging_owner')).destroy();
    await (await open('messaging_service')).destroy();
    await run('messaging_service', 'messaging', 'INSERT INTO notes VALUES (1)');
  });

  it.each(['after-restore', 'rotate-encryption-key', 'new-key'])('runs %s', async (program) => {
    expect(await outcome('messaging_service', program)).toMatchObject({ code: 0 });
  });

  it('starts on a database that was used by its owner before', async () => {
    expect(await outcome('messaging_owner', 'migrate', 'earlier')).toMatchObject({ code: 0 });
    for (const statement of [...privileges!, ...existing!]) await run('postgres', 'earlier', statement);
    service = await startService(settings('messaging_service', 'earlier'));
    const sent = await new Client(service).post('/send-template', { to: phones(1)[0], templateName: TEMPLATE });
    expect(sent.status).toBe(201);
    expect(service.log.filter((line) => DENIED.test(line))).toEqual([]);
  });
});
