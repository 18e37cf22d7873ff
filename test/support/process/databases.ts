import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A database on a server. */
export interface OwnDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A copy is not the database whose identity it has, so the service would take it for a restored one. */
const RECORD_IDENTITY = `
UPDATE database_identity SET identity = concat_ws('/', c.system_identifier, d.oid, 'database_identity'::regclass::oid)
FROM pg_control_system() c, pg_database d WHERE d.datname = current_database()`;

/** A new, empty database on the server at `url`. */
export function freshDatabase(url: string): Promise<OwnDatabase> {
  return createDatabase(url, '');
}

/** A new database on the server at `url`, with the tables of the run's template if that is on the same server, otherwise empty. */
export async function preparedDatabase(url: string): Promise<OwnDatabase> {
  const template = process.env.TEMPLATE_DATABASE_URL;
  if (template === undefined || new URL(template).host !== new URL(url).host) return freshDatabase(url);
  const copy = await createDatabase(url, `TEMPLATE ${new URL(template).pathname.slice(1)}`);
  await execute(copy.url, RECORD_IDENTITY);
  return copy;
}

async function createDatabase(url: string, options: string): Promise<OwnDatabase> {
  const name = `mta_test_${randomBytes(6).toString('hex')}`;
  await execute(url, `CREATE DATABASE ${name} ${options}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, drop: () => execute(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
