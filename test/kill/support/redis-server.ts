import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../support/free-port';
import { OwnProcess } from './own-process';

/** A Redis server started by the suite, which it can kill; it persists nothing, so each start is empty. */
export class RedisServer {
  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly process: OwnProcess,
  ) {}

  /** A server that is not started yet, with its future port. */
  static async prepare(): Promise<RedisServer> {
    try {
      execFileSync('redis-server', ['--version'], { stdio: 'pipe' });
    } catch (error) {
      throw new Error('These tests start and kill a Redis server: install redis-server on the PATH', {
        cause: error,
      });
    }
    const folder = await mkdtemp(join(tmpdir(), 'mta-redis-'));
    const port = await freePort();
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const url = `redis://127.0.0.1:${port}`;
    const process = new OwnProcess('redis-server', args, { cwd: folder }, () => command(url, 'ping'));
    return new RedisServer(url, folder, process);
  }

  /** Starts it, empty. */
  start(): Promise<void> {
    return this.process.start();
  }

  kill(): Promise<void> {
    return this.process.end('SIGKILL');
  }

  /** Freezes it; its connections stay open. */
  suspend(): void {
    this.process.signal('SIGSTOP');
  }

  resume(): void {
    this.process.signal('SIGCONT');
  }

  /** Full, it accepts no writes and deletes nothing to make room. */
  async fill(): Promise<void> {
    await command(this.url, 'config', 'set', 'maxmemory', '1');
  }

  /** Deletes all its data while it runs. */
  async flush(): Promise<void> {
    await command(this.url, 'flushall');
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function command(url: string, name: string, ...values: string[]): Promise<unknown> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 2000 });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await redis.call(name, ...values);
  } finally {
    redis.disconnect();
  }
}
