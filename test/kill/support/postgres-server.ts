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
  private dumps = 0;

  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly process: OwnProcess,
    private readonly programs: string,
  ) {}

  /** Starts one with an empty database in a folder of its own. */
  static start(): Promise<PostgresServer> {
    const initdb = ['-U', 'postgres', '-A', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync'];
    return PostgresServer.in('initdb', initdb);
  }

  /** An asynchronous standby of this server, in a folder of its own. */
  standby(): Promise<PostgresServer> {
    return PostgresServer.in('pg_basebackup', [
      '-d',
      this.url,
      '--write-recovery-conf',
      '--checkpoint=fast',
      '--no-sync',
    ]);
  }

  /** Of a standby: whatever the primary commits from now on does not reach it. */
  async detach(): Promise<void> {
    await this.rows(`ALTER SYSTEM SET primary_conninfo = ''`);
    await this.rows('SELECT pg_reload_conf()');
  }

  /** Makes a primary of a standby. */
  async promote(): Promise<void> {
    await this.rows('SELECT pg_promote()');
  }

  private static async in(program: string, options: readonly string[]): Promise<PostgresServer> {
    const programs = findPrograms();
    const folder = await mkdtemp(join(tmpdir(), 'mta-postgres-'));
    const user = unprivileged();
    if (user) await chown(folder, user.uid, user.gid);
    const cluster = join(folder, 'cluster');
    execFileSync(join(programs, program), ['-D', cluster, ...options], { ...user, cwd: folder, stdio: 'pipe' });
    const port = await freePort();
    // Without fsync a crash of the server loses nothing, only one of the machine would.
    const set = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', max_connections: '250' };
    const args = ['-D', cluster, '-p', String(port), ...Object.entries(set).flatMap(([k, v]) => ['-c', `${k}=${v}`])];
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const ask = () => query(url, 'SELECT 1', []);
    const process = new OwnProcess(join(programs, 'postgres'), args, { ...user, cwd: folder }, ask);
    await process.start();
    return new PostgresServer(url, folder, process, programs);
  }

  /** Reads from any database over a connection of its own. */
  static rowsOf<Row extends QueryResultRow>(url: string, statement: string): Promise<Row[]> {
    return query<Row>(url, statement, []);
  }

  /** Reads over a connection of its own, which no crash leaves broken. */
  rows<Row extends QueryResultRow>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return query<Row>(this.url, statement, values);
  }

  /** Dumps its database as it is at this moment; the file. */
  dump(): string {
    const file = join(this.folder, `dump-${this.dumps++}`);
    execFileSync(join(this.programs, 'pg_dump'), ['--format=custom', `--file=${file}`, this.url], { stdio: 'pipe' });
    return file;
  }

  /** Restores a dump into a new database of this server; its address. */
  async restore(file: string, name: string): Promise<string> {
    await this.rows(`CREATE DATABASE ${name}`);
    const url = new URL(this.url);
    url.pathname = `/${name}`;
    execFileSync(join(this.programs, 'pg_restore'), ['--exit-on-error', `--dbname=${url.href}`, file], {
      stdio: 'pipe',
    });
    return url.href;
  }

  /**
   * Ends it at once, in the middle of whatever it does: the next start recovers. SIGQUIT tells its clients, SIGKILL leaves
   * that to each of their sessions.
   */
  crash(signal: 'SIGQUIT' | 'SIGKILL' = 'SIGQUIT'): Promise<void> {
    return this.process.end(signal);
  }

  /** Kills the session that serves one connection of the service: the server then ends all others, and recovers by itself. */
  async crashSession(): Promise<void> {
    const [session] = await this.rows<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'messaging-template-api' ORDER BY random() LIMIT 1`,
    );
    if (session) process.kill(session.pid, 'SIGKILL');
  }

  /** Starts it again after a crash and waits until it has recovered. */
  async restart(): Promise<void> {
    const deadline = Date.now() + 20_000;
    for (;;) {
      try {
        return await this.process.start();
      } catch (error) {
        // Sessions that outlived their killed server keep its memory for a moment.
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
    .find((folder) =>
      ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'pg_basebackup'].every((program) =>
        existsSync(join(folder, program)),
      ),
    );
  if (!found) {
    throw new Error(
      `These tests crash a PostgreSQL of their own: install one whose initdb, postgres, pg_dump and pg_restore stand in ${INSTALLED}/*/bin`,
    );
  }
  return found;
}

/** PostgreSQL refuses to run as root: then it runs as the user that its package made. */
export function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
