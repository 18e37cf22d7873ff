import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type QueryResultRow } from 'pg';
import { freePort, OwnProcess } from './own-process';

const INSTALLED = '/usr/lib/postgresql';

/** A PostgreSQL of the suite's own, which it may crash. */
export class PostgresServer {
  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly process: OwnProcess,
  ) {}

  /** Starts one with an empty database in a folder of its own. */
  static async start(): Promise<PostgresServer> {
    const programs = findPrograms();
    const folder = await mkdtemp(join(tmpdir(), 'mta-postgres-'));
    const user = unprivileged();
    if (user) await chown(folder, user.uid, user.gid);
    const cluster = join(folder, 'cluster');
    const initdb = ['-D', cluster, '-U', 'postgres', '-A', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync'];
    execFileSync(join(programs, 'initdb'), initdb, { ...user, cwd: folder, stdio: 'pipe' });
    const port = await freePort();
    // Without fsync a crash of the server loses nothing, only one of the machine would.
    const set = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', max_connections: '250' };
    const args = ['-D', cluster, '-p', String(port), ...Object.entries(set).flatMap(([k, v]) => ['-c', `${k}=${v}`])];
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const ask = () => query(url, 'SELECT 1', []);
    const process = new OwnProcess(join(programs, 'postgres'), args, { ...user, cwd: folder }, ask);
    await process.start();
    return new PostgresServer(url, folder, process);
  }

  /** Reads over a connection of its own, which no crash leaves broken. */
  rows<Row extends QueryResultRow>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return query<Row>(this.url, statement, values);
  }

  /** Ends it at once, in the middle of whatever it does: the next start recovers. */
  crash(): Promise<void> {
    return this.process.end('SIGQUIT');
  }

  /** Starts it again after a crash and waits until it has recovered. */
  restart(): Promise<void> {
    return this.process.start();
  }

  async close(): Promise<void> {
    await this.process.end('SIGQUIT');
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function query<Row extends QueryResultRow>(url: string, statement: string, values: unknown[]): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  // A lost connection rejects the query; nobody else is to hear of it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function findPrograms(): string {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED) : [];
  const found = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(INSTALLED, version, 'bin'))
    .find((folder) => ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))));
  if (!found) {
    throw new Error(
      `These tests crash a PostgreSQL of their own: install one whose initdb and postgres stand in ${INSTALLED}/*/bin`,
    );
  }
  return found;
}

/** PostgreSQL refuses to run as root: then it runs as the user that its package made. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
