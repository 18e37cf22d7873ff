import { execFileSync } from 'node:child_process';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../../support/free-port';
import { OwnProcess } from './own-process';
import { unprivileged } from './postgres-server';

/** A PgBouncer started by the suite in front of a PostgreSQL. */
export class PgBouncer {
  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly process: OwnProcess,
  ) {}

  /** Starts one with the package's settings, except address, login and mode. */
  static async start(postgresUrl: string, mode: 'session' | 'transaction'): Promise<PgBouncer> {
    expectInstalled();
    const folder = await mkdtemp(join(tmpdir(), 'mta-pgbouncer-'));
    const user = unprivileged();
    const port = await freePort();
    const { hostname, port: postgresPort, username } = new URL(postgresUrl);
    const settings = join(folder, 'pgbouncer.ini');
    const lines = [
      '[databases]',
      `* = host=${hostname} port=${postgresPort} user=${username}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${mode}`,
      'default_pool_size = 60',
      'server_login_retry = 1',
    ];
    await writeFile(settings, `${lines.join('\n')}\n`);
    if (user) for (const path of [folder, settings]) await chown(path, user.uid, user.gid);
    const url = Object.assign(new URL(postgresUrl), { host: `127.0.0.1:${port}` }).href;
    const process = new OwnProcess('pgbouncer', [settings], { ...user, cwd: folder }, () => greet(url));
    await process.start();
    return new PgBouncer(url, folder, process);
  }

  /** Kills it, and with it every connection through it. */
  kill(): Promise<void> {
    return this.process.end('SIGKILL');
  }

  /** Restarts it on the same address. */
  restart(): Promise<void> {
    return this.process.start();
  }

  async close(): Promise<void> {
    await this.process.end('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function greet(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    await client.end().catch(() => undefined);
  }
}

function expectInstalled(): void {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'pipe' });
  } catch {
    throw new Error('These tests start a PgBouncer: install it (Debian: apt-get install pgbouncer)');
  }
}
