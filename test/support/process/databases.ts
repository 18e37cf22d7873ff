import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A database on a server. */
export interface OwnDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A new, empty database on the server at `url`. */
export function freshDatabase(url: string): Promise<OwnDatabase> {
  return createDatabase(url, '');
}

/** A new database on the server at `url`, with the tables of the run's template if that is on the same server, otherwise empty. */
export function preparedDatabase(url: string): Promise<OwnDatabase> {
  const template = process.env.TEMPLATE_DATABASE_URL;
  const isThere = template !== undefined && new URL(template).host === new URL(url).host;
  return createDatabase(url, isThere ? `TEMPLATE ${new URL(template).pathname.slice(1)}` : '');
}

async function createDatabase(url: string, options: string): Promise<OwnDatabase> {
  const name = `mta_test_${randomBytes(6).toString('hex')}`;
  await onServer(url, `CREATE DATABASE ${name} ${options}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, drop: () => onServer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
