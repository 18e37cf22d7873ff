import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { openDataSource } from '../../src/infra/database/data-source';
import { RETRY_EVERY_MS, NoConnectionError } from '../../src/infra/database/connection-gate';
import { Database } from '../../src/infra/database/database';
import { DatabaseHealth } from '../../src/infra/database/database-health';
import { BASELINE } from '../../src/infra/database/migrations';
import {
  connectToPostgres,
  DatabaseUnreachableError,
  postgresOptions,
} from '../../src/infra/database/postgres-connection';
import { isTransientError } from '../../src/infra/database/transient-error';
import type { WatchedClient } from '../../src/infra/database/watched-client';
import { SCHEMA } from '../../src/schema/schema';
import { describeOnDatabase } from '../support/databases';
import { freePort } from '../support/free-port';
import { TcpProxy } from '../support/tcp-proxy';

Logger.overrideLogger(false);

const namesOf = (steps: readonly { name: string }[]) => steps.map(({ name }) => name);
const EVERY_STEP = [...namesOf(SCHEMA.upgrade.steps), BASELINE, ...namesOf(SCHEMA.migrations)];

async function recordedIn(database: Database): Promise<string[]> {
  return namesOf(await database.rows<{ name: string }>('SELECT name FROM migrations ORDER BY id'));
}

describeOnDatabase('An opened database', (open) => {
  it('has run the baseline and every migration', async () => {
    expect(await recordedIn(await open())).toEqual(EVERY_STEP);
  });

  it('is healthy', async () => {
    expect(await new DatabaseHealth(await open()).check()).toEqual({ ok: true });
  });
});

describe('Opening PostgreSQL', () => {
  it('names the unresponsive server and never the password', async () => {
    const url = `postgres://ann:s3cret@127.0.0.1:${await freePort()}/mta`;
    const error: unknown = await connectToPostgres(url, new DataSource(postgresOptions(url)), 0).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(DatabaseUnreachableError);
    const { message } = error as Error;
    expect(message).toMatch(
      /^DATABASE_URL: cannot connect to PostgreSQL at 127\.0\.0\.1:\d+, database "mta" as user "ann": connect ECONNREFUSED/,
    );
    expect(message).not.toContain('s3cret');
  });

  it('retries while the server is unavailable', async () => {
    const port = await freePort();
    const url = `postgres://127.0.0.1:${port}/mta`;
    let asked = 0;
    const connecting = connectToPostgres(url, new DataSource(postgresOptions(url)), 2_000).catch((e: unknown) => e);
    const server = createServer((connection) => {
      asked++;
      connection.destroy();
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    expect(await connecting).toBeInstanceOf(DatabaseUnreachableError);
    await new Promise((resolve) => server.close(resolve));
    expect(asked).toBeGreaterThan(0);
  });
});

function describeOpening(serverUrl: string): void {
  describe('Opening an available PostgreSQL', () => {
    const name = `mta_test_${randomBytes(6).toString('hex')}`;
    const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
    const opened: DataSource[] = [];

    async function onServer(statement: string): Promise<void> {
      const client = new Client(serverUrl);
      await client.connect();
      await client.query(statement);
      await client.end();
    }

    beforeAll(() => onServer(`CREATE DATABASE ${name}`));

    afterAll(async () => {
      await Promise.all(opened.map((source) => source.destroy()));
      await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
    });

    async function openIt(): Promise<DataSource> {
      const source = await openDataSource({ databaseUrl: url, dataDir: 'not used', schema: SCHEMA, poolSize: 3 }, []);
      opened.push(source);
      return source;
    }

    it('migrates once if many processes start together', async () => {
      const sources = await Promise.all([1, 2, 3, 4].map(openIt));
      expect(await recordedIn(new Database(sources[0]!))).toEqual(EVERY_STEP);
    });

    it('limits the lock times of every session, also after migrating', async () => {
      const database = new Database(await openIt());
      const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'tcp_user_timeout'];
      for (let connection = 0; connection < 6; connection++) {
        const rows = await database.rows<{ setting: string }>(
          'SELECT setting FROM pg_settings WHERE name = ANY ($1) ORDER BY array_position($1, name)',
          [names],
        );
        expect(rows.map((row) => Number(row.setting))).toEqual([10_000, 4_000, 3_000, 5_000]);
      }
    });

    it("does not depend on the server's settings: commits are durable, and each statement sees the latest data", async () => {
      const opinions = { synchronous_commit: 'off', default_transaction_isolation: 'serializable' };
      for (const [setting, value] of Object.entries(opinions)) {
        await onServer(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
      }
      const database = new Database(await openIt());
      expect(await database.rows('SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
      const rows = await database.transaction(() => database.rows('SHOW transaction_isolation'));
      expect(rows).toEqual([{ transaction_isolation: 'read committed' }]);
    });

    it('survives when the server ends its connections', async () => {
      const database = new Database(await openIt());
      const ended = database.transaction(() => database.rows('SELECT pg_terminate_backend(pg_backend_pid())'));
      await expect(ended).rejects.toThrow();
      expect(await new DatabaseHealth(database).check()).toEqual({ ok: true });
    });

    it('fails immediately if the server rejects the connection', async () => {
      const elsewhere = Object.assign(new URL(url), { pathname: '/mta_test_missing' }).href;
      const started = performance.now();
      const opening = openDataSource({ databaseUrl: elsewhere, dataDir: 'not used', schema: SCHEMA }, []);
      await expect(opening).rejects.toThrow('database "mta_test_missing" does not exist');
      expect(performance.now() - started).toBeLessThan(15_000);
    });
  });
}

function describeSilence(serverUrl: string): void {
  describe('A hanging connection to PostgreSQL', () => {
    let line: TcpProxy;
    let source: DataSource;
    let database: Database;

    beforeEach(async () => {
      line = new TcpProxy(new URL(serverUrl));
      const options = postgresOptions(await line.open(), 1);
      source = new DataSource({ ...options, extra: { ...options.extra, silenceMs: 400 } });
      await source.initialize();
      database = new Database(source);
    });

    afterEach(async () => {
      line.close();
      await source.destroy();
    });

    async function expectBrokenOff(work: Promise<unknown>): Promise<void> {
      const error: unknown = await work.catch((cause: unknown) => cause);
      expect(isTransientError(error)).toBe(true);
      expect(await database.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    }

    it('fails the waiting statement, and the next one gets another connection', async () => {
      await database.rows('SELECT 1');
      line.blackhole();

      await expectBrokenOff(database.rows('SELECT 1'));
    });

    it('fails a transaction, whichever part of it waits', async () => {
      line.blackhole();
      await expectBrokenOff(database.transaction(() => Promise.resolve()));

      const inside = database.transaction(async () => {
        await database.rows('SELECT 1');
        line.blackhole();
        await database.rows('SELECT 1');
      });
      await expectBrokenOff(inside);

      const atItsEnd = database.transaction(async () => {
        await database.rows('SELECT 1');
        line.blackhole();
      });
      await expectBrokenOff(atItsEnd);
    });

    it('is distinguished from an idle one, and from one with a long limit', async () => {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      expect(await database.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);

      const runner = source.createQueryRunner();
      ((await runner.connect()) as WatchedClient).noTimeout = true;
      expect(await runner.query('SELECT 1 AS one, pg_sleep(1.2)')).toMatchObject([{ one: 1 }]);
      await runner.release();
    });
  });
}

function describeRefusal(serverUrl: string): void {
  describe('A PostgreSQL that refuses connections', () => {
    let proxy: TcpProxy;
    let source: DataSource;
    let database: Database;

    beforeEach(async () => {
      proxy = new TcpProxy(new URL(serverUrl));
      source = new DataSource(postgresOptions(await proxy.open(), 10));
      await source.initialize();
      database = new Database(source);
    });

    afterEach(async () => {
      proxy.close();
      await source.destroy();
    });

    it('is tried once a second for any number of callers, and each fails immediately', async () => {
      await Promise.all(Array.from({ length: 10 }, () => database.rows('SELECT pg_sleep(0.01)')));
      const longest: number[] = [];
      const errors: unknown[] = [];
      proxy.refuse();
      const refusedAt = performance.now();
      const end = refusedAt + 3500;
      const caller = async (): Promise<void> => {
        while (performance.now() < end) {
          const begun = performance.now();
          await database.rows('SELECT 1').catch((error: unknown) => errors.push(error));
          longest.push(performance.now() - begun);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      await Promise.all(Array.from({ length: 30 }, caller));
      expect(proxy.refused).toBeGreaterThanOrEqual(2);
      expect(proxy.refused).toBeLessThanOrEqual(Math.ceil((performance.now() - refusedAt) / RETRY_EVERY_MS) + 1);
      expect(errors.length).toBe(longest.length);
      expect(errors.filter((error) => !isTransientError(error))).toEqual([]);
      expect(Math.max(...longest)).toBeLessThan(3000);
    });

    it('is used again within a second of its recovery', async () => {
      proxy.refuse();
      await expect(database.rows('SELECT 1')).rejects.toThrow();
      await expect(database.rows('SELECT 1')).rejects.toThrow(NoConnectionError);
      proxy.admit();
      await new Promise((resolve) => setTimeout(resolve, RETRY_EVERY_MS));
      expect(await database.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });
  });
}

if (process.env.DATABASE_URL) {
  describeRefusal(process.env.DATABASE_URL);
  describeOpening(process.env.DATABASE_URL);
  describeSilence(process.env.DATABASE_URL);
}
