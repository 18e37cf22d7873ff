import { Client as Connection } from 'pg';
import { openDataSource } from '../../src/infra/database/data-source';
import { Database } from '../../src/infra/database/database';
import { doubled, ended, newPhones, recipientsOf, sendTo, settled } from '../support/process/bulk';
import { Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import { outcomeOf, spawnService, type Store, until } from '../support/process/service';
import { embeddedStore, KillableService } from './processes';
import { PgBouncer } from './support/pgbouncer';
import { PostgresServer } from './support/postgres-server';

/** One process without Redis: only its connections are in the pool. */
const ENV = { REDIS_URL: '', MESSAGES_PER_SECOND: '100', UNKNOWN_GRACE_SECONDS: '3' };

describe('Behind a PgBouncer', () => {
  let platform: Platform;
  let postgres: PostgresServer;
  let store: Store;

  beforeAll(async () => {
    platform = await Platform.spawn({ latencyMs: 100 });
    postgres = await PostgresServer.start();
  });

  beforeEach(async () => {
    store = await embeddedStore();
  });

  afterEach(() => store.drop());

  afterAll(async () => {
    await postgres.close();
    await platform.close();
  });

  describe('in session mode', () => {
    const fresh = newPhones();
    let pgbouncer: PgBouncer;
    let service: KillableService;
    let client: Client;

    beforeAll(async () => {
      pgbouncer = await PgBouncer.start(postgres.url, 'session');
      service = new KillableService({
        store: { ...(await embeddedStore()), databaseUrl: pgbouncer.url },
        platformUrl: platform.url,
        env: ENV,
      });
      await service.start();
      client = new Client(service.running);
    });

    afterAll(async () => {
      await service?.stop();
      await service?.drop();
      await pgbouncer?.close();
    });

    const send = () => client.post('/send-template', { to: fresh(1)[0], templateName: 'hello_world' });

    async function expectSentOnce(jobId: string, numbers: string[]): Promise<void> {
      expect(await ended(client, jobId, 60_000)).toMatchObject({
        status: 'Completed',
        totalRecipients: numbers.length,
      });
      const recipients = await recipientsOf(client, jobId);
      expect(recipients.filter(({ status }) => !['Sent', 'Delivered', 'Read'].includes(status))).toEqual([]);
      const accepted = (await platform.ledger()).filter(({ callbackData }) => callbackData.includes(jobId));
      expect(doubled(accepted.map(({ to }) => to))).toEqual([]);
    }

    it('the tables are created, and single messages and lists are sent', async () => {
      expect((await send()).status).toBe(201);
      const numbers = fresh(150);
      await expectSentOnce(await sendTo(client, numbers), numbers);
    });

    it('every session has its limits, and keeps prepared statements', async () => {
      const options = { databaseUrl: pgbouncer.url, dataDir: 'not used', poolSize: 3 };
      const source = await openDataSource(options, []);
      const limits = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`;
      const three = [1, 2, 3].map(() => new Database(source).rows(`${limits} FROM pg_sleep(0.2)`));
      expect(await Promise.all(three)).toEqual(Array(3).fill([{ statement: '10s', lock: '4s' }]));
      await source.destroy();
      const connection = new Connection(pgbouncer.url);
      await connection.connect();
      for (let n = 0; n < 3; n++) {
        const { rows } = await connection.query({ name: 'twice', text: 'SELECT $1::int * 2 AS twice', values: [n] });
        expect(rows).toEqual([{ twice: 2 * n }]);
      }
      await connection.end();
    });

    it('a job continues when the server ends every connection', async () => {
      const numbers = fresh(300);
      const jobId = await sendTo(client, numbers);
      await settled(client, jobId, 50);
      const killed = await postgres.rows(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'messaging-template-api'`,
      );
      expect(killed.length).toBeGreaterThan(0);
      await expectSentOnce(jobId, numbers);
    });

    it('a job continues after a restart of a killed PgBouncer; meanwhile requests get 503', async () => {
      const numbers = fresh(300);
      const jobId = await sendTo(client, numbers);
      await settled(client, jobId, 50);
      await pgbouncer.kill();
      const { status, headers } = await client.get('/bulk-jobs');
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
      await pgbouncer.restart();
      await until(async () => (await client.get('/bulk-jobs')).status === 200, 10_000, 'requests are answered again');
      await expectSentOnce(jobId, numbers);
    });
  });

  it('in transaction mode the service does not start, and reports why', async () => {
    const pgbouncer = await PgBouncer.start(postgres.url, 'transaction');
    try {
      const child = spawnService({ ...store, databaseUrl: pgbouncer.url }, { platformUrl: platform.url, env: ENV });
      const { code, output } = await outcomeOf(child, 60_000);
      expect(output).toMatch(/DATABASE_URL: PostgreSQL at .* pool_mode = session/);
      expect(code).toBe(1);
    } finally {
      await pgbouncer.close();
    }
  });
});
