import { mkdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import { DirectoryLock } from './directory-lock';
import { DiskReserve } from './disk-reserve';
import type { EmbeddedDatabaseOptions } from './embedded-database.worker';
import { PipelinedClient } from './pipelined-client';

const PORT = 5432;

/**
 * PostgreSQL inside this process, for use without a server. Its files are in `<dataDir>/database`; it runs in a separate thread, so
 * that long statements do not block the event loop, and listens on a socket that only this user can reach. One connection at a time.
 * Commits survive a crash of the process, but not of the machine.
 */
export class EmbeddedDatabase {
  private closing = false;

  private constructor(
    private readonly lock: DirectoryLock,
    private readonly socketDirectory: string,
    private readonly worker: Worker,
    /** Checked before each new piece of work. */
    readonly reserve: DiskReserve,
  ) {
    const logger = new Logger('EmbeddedDatabase');
    worker.on('error', (error) => logger.error(`The embedded database failed: ${error.message}`));
    worker.on('exit', (code) => {
      // A process without its database is useless, and a restart recovers.
      if (!this.closing) throw new Error(`The embedded database stopped unexpectedly (exit code ${code}).`);
    });
  }

  /**
   * Opens the database of a data directory, creating it if missing; resolves once it responds. Rejects with DirectoryInUseError if
   * another process uses it, and with NoSpaceError if its disk is almost full.
   */
  static async open(dataDir: string): Promise<EmbeddedDatabase> {
    const lock = await DirectoryLock.acquire(dataDir);
    const socketDirectory = await socketDirectoryOf(dataDir);
    const reserve = new DiskReserve(dataDir);
    try {
      reserve.check();
      // A killed process may have left its socket.
      await rm(socketDirectory, { recursive: true, force: true });
      await mkdir(socketDirectory, { mode: 0o700 });
      const worker = await startWorker({
        directory: join(dataDir, 'database'),
        socketPath: join(socketDirectory, `.s.PGSQL.${PORT}`),
      });
      return new EmbeddedDatabase(lock, socketDirectory, worker, reserve);
    } catch (error) {
      await rm(socketDirectory, { recursive: true, force: true });
      await lock.release();
      throw error;
    }
  }

  /** The connection options for TypeORM. */
  get connection() {
    return {
      type: 'postgres',
      host: this.socketDirectory,
      port: PORT,
      username: 'postgres',
      password: 'none',
      database: 'postgres',
      applicationName: 'messaging-template-api',
      connectTimeoutMS: 10_000,
      extra: { Client: PipelinedClient, max: 1, idleTimeoutMillis: 0 },
    } as const;
  }

  /** Flushes everything to disk, ends the thread and releases the directory. */
  async close(): Promise<void> {
    if (this.closing) return;
    this.closing = true;
    const ended = new Promise((resolve) => this.worker.once('exit', resolve));
    this.worker.postMessage('close');
    await ended;
    await rm(this.socketDirectory, { recursive: true, force: true });
    await this.lock.release();
  }
}

/** Short, as socket addresses must be, and stable for a data directory. */
async function socketDirectoryOf(dataDir: string): Promise<string> {
  const { dev, ino } = await stat(dataDir);
  return join(tmpdir(), `mta-${dev.toString(36)}-${ino.toString(36)}`);
}

function startWorker(options: EmbeddedDatabaseOptions): Promise<Worker> {
  const worker = new Worker(require.resolve('./embedded-database.worker'), { workerData: options });
  return new Promise((resolve, reject) => {
    worker.once('message', () => {
      worker.removeAllListeners();
      resolve(worker);
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The embedded database did not start (exit code ${code}).`)));
  });
}
