import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type QueryResultRow } from 'pg';
import { freePort } from '../../support/free-port';
import { OwnProcess } from './own-process';

const INSTALLED = '/usr/lib/postgresql';

/** A PostgreSQL server started by the suite, which it can crash. */
export class PostgresServer {
  private dumps = 0;

  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly process: OwnProcess,
    private readonly programs: string,
  ) {}

  /** Starts a server with an empty database in a new folder. */
  static start(): Promise<PostgresServer> {
    const initdb = ['-U', 'postgres', '-A', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync'];
    return PostgresServer.in('initdb', initdb);
  }

  /** An asynchronous standby of this server, in its own folder. */
  standby(): Promise<PostgresServer> {
    return PostgresServer.in('pg_basebackup', [
      '-d',
      this.url,
      '--write-recovery-conf',
      '--checkpoint=fast',
      '--no-sync',
    ]);
  }

  /** On a standby: stops replication, so that later commits of the primary are lost. */
  async detach(): Promise<void> {
    await this.rows(`ALTER SYSTEM SET primary_conninfo = ''`);
    await this.rows('SELECT pg_reload_conf()');
  }

  private static async in(program: string, options: readonly string[]): Promise<PostgresServer> {
    const programs = findPrograms();
    const folder = await mkdtemp(join(tmpdir(), 'mta-postgres-'));
    const user = unprivileged();
    if (user) await chown(folder, user.uid, user.gid);
    const cluster = join(folder, 'cluster');
    execFileSync(join(programs, program), ['-D', cluster, ...options], { ...user, cwd: folder, stdio: 'pipe' });
    const port = await freePort();
    // Without fsync, a crash of the server loses nothing; only one of the machine would.
    const set = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', max_connections: '250' };
    const args = ['-D', cluster, '-p', String(port), ...Object.entries(set).flatMap(([k, v]) => ['-c', `${k}=${v}`])];
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const ask = () => query(url, 'SELECT 1', []);
    const process = new OwnProcess(join(programs, 'postgres'), args, { ...user, cwd: folder }, ask);
    await process.start();
    return new PostgresServer(url, folder, process, programs);
  }

  /** Reads from any database over a new connection. */
  static rowsOf<Row extends QueryResultRow>(url: string, statement: string): Promise<Row[]> {
    return query<Row>(url, statement, []);
  }

  /** Reads over a new connection, which no crash leaves broken. */
  rows<Row extends QueryResultRow>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return query<Row>(this.url, statement, values);
  }

  /** Dumps its database, or another; returns the file. */
  dump(url = this.url): string {
    const file = join(this.folder, `dump-${this.dumps++}`);
    execFileSync(join(this.programs, 'pg_dump'), ['--format=custom', `--file=${file}`, url], { stdio: 'pipe' });
    return file;
  }

  /** Restores a dump into a new database of this server; returns its address. */
  async restore(file: string, name: string): Promise<string> {
    await this.rows(`CREATE DATABASE ${name}`);
    const url = new URL(this.url);
    url.pathname = `/${name}`;
    execFileSync(join(this.programs, 'pg_restore'), ['--exit-on-error', `--dbname=${url.href}`, file], {
      stdio: 'pipe',
    });
    return url.href;
  }

  /** Moves a database that nobody uses to a tablespace of its own in this folder; the log stays where it is. */
  async moveTo(folder: string, url: string): Promise<void> {
    const location = join(folder, 'tablespace');
    await mkdir(location);
    const user = unprivileged();
    if (user) await chown(location, user.uid, user.gid);
    await this.rows(`CREATE TABLESPACE apart LOCATION '${location}'`);
    await this.rows(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET TABLESPACE apart`);
  }

  /** Kills the server immediately; the next start recovers. With SIGQUIT the server informs its clients, with SIGKILL it does not. */
  crash(signal: 'SIGQUIT' | 'SIGKILL' = 'SIGQUIT'): Promise<void> {
    return this.process.end(signal);
  }

  /** Kills the session of one service connection: the server then ends all others, and recovers automatically. */
  async crashSession(): Promise<void> {
    const [session] = await this.rows<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'messaging-template-api' ORDER BY random() LIMIT 1`,
    );
    if (session) process.kill(session.pid, 'SIGKILL');
  }

  /** Restarts it after a crash and waits until it has recovered. */
  async restart(): Promise<void> {
    const deadline = Date.now() + 20_000;
    for (;;) {
      try {
        return await this.process.start();
      } catch (error) {
        // Sessions that outlive the killed server keep its memory for a moment.
        if (Date.now() > deadline) throw error;
        await new Promise((done) => setTimeout(done, 200));
      }
    }
  }

  async close(): Promise<void> {
    await this.process.end('SIGQUIT');
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function query<Row extends QueryResultRow>(url: string, statement: string, values: unknown[]): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  // A lost connection rejects the query; the error event is redundant.
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
    .find((folder) =>
      ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'pg_basebackup'].every((program) =>
        existsSync(join(folder, program)),
      ),
    );
  if (!found) {
    throw new Error(
      `These tests start and crash a PostgreSQL server: install one with initdb, postgres, pg_dump and pg_restore in ${INSTALLED}/*/bin`,
    );
  }
  return found;
}

/** PostgreSQL refuses to run as root: it then runs as the user that its package created. */
export function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
