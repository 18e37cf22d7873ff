import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { openDataSource } from '../../src/infra/database/data-source';
import { SCHEMA } from '../../src/schema/schema';
import type { OpenedSource } from './databases';

/** A new, migrated database on the server at `url`, whose user must be allowed to create databases. */
export async function openPostgresDatabase(
  url: string,
  entities: DataSourceOptions['entities'],
): Promise<OpenedSource> {
  const name = `mta_test_${randomBytes(6).toString('hex')}`;
  await onServer(url, `CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const source = await openDataSource(
    { databaseUrl: own.href, dataDir: 'not used', schema: SCHEMA, poolSize: 10 },
    entities,
  );
  return {
    source,
    async close() {
      await source.destroy();
      await onServer(url, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
