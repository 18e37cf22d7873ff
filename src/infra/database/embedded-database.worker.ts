import { subscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { corkForTick } from './cork-for-tick';

/** Parameters of this thread: where the files are, and where to listen. */
export interface EmbeddedDatabaseOptions {
  directory: string;
  socketPath: string;
}

const SERVER_SETTINGS = {
  // Without background checkpoints, one runs only after this amount has been written: it bounds the disk space and the time of a
  // start after a crash.
  max_wal_size: '128MB',
  // Other pages are read through the system's file cache.
  shared_buffers: '32MB',
};

/** Node.js 20 aborts the process if a thread exits while V8 optimizes its functions in the background. */
const EXIT_DELAY_MS = 100;

/** A database failure ends the thread: otherwise the socket server would wait forever for the response. */
class ServedPGlite extends PGlite {
  override async execProtocolRawStream(...call: Parameters<PGlite['execProtocolRawStream']>): Promise<void> {
    try {
      await super.execProtocolRawStream(...call);
    } catch (error) {
      setImmediate(() => {
        throw error;
      });
      throw error;
    }
  }
}

async function open(directory: string): Promise<PGlite> {
  const settings = Object.entries(SERVER_SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const database = new ServedPGlite({ dataDir: directory, startParams: [...PGlite.defaultStartParams, ...settings] });
  await database.waitReady;
  return database;
}

/** Creates the directory atomically, so that an interrupted start does not break the next one. */
async function createOnce(directory: string): Promise<void> {
  if (existsSync(directory)) return;
  const unfinished = `${directory}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await (await open(unfinished)).close();
  await rename(unfinished, directory);
}

/** Sends the responses to one packet of statements together, as PostgreSQL does. */
function corkResponses(socket: Socket): void {
  const write = socket.write.bind(socket) as (...call: unknown[]) => boolean;
  socket.write = (...call: unknown[]) => {
    corkForTick(socket);
    return write(...call);
  };
}

async function serve({ directory, socketPath }: EmbeddedDatabaseOptions): Promise<void> {
  await createOnce(directory);
  const database = await open(directory);
  // The server does not expose its connections; this thread has no others.
  subscribe('net.server.socket', (message) => corkResponses((message as { socket: Socket }).socket));
  // One client at a time, but its next connection may arrive before the previous one is seen to close.
  const server = new PGLiteSocketServer({ db: database, path: socketPath, maxConnections: 8 });
  await server.start();
  parentPort?.once('message', () => {
    void server
      .stop()
      .then(() => database.close())
      .then(() => setTimeout(() => process.exit(0), EXIT_DELAY_MS));
  });
  parentPort?.postMessage('ready');
}

void serve(workerData as EmbeddedDatabaseOptions);
