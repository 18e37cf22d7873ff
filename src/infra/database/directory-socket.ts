import { open, type FileHandle } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

/** Socket addresses are cut off beyond 104 bytes on some systems and 108 on others. */
const LONGEST_PATH = 100;

/** A socket in a directory that accepts connections, and nothing else, until it is closed or its process ends. */
export interface DirectorySocket {
  close(): Promise<void>;
}

/** Opens a socket of that name without keeping the process alive; null where the file system has no sockets. */
export async function listenIn(directory: string, name: string): Promise<DirectorySocket | null> {
  const handle = await open(directory, 'r');
  const path = shortPath(directory, handle, name);
  const server = createServer((connection) => connection.destroy()).unref();
  const listening =
    path !== null &&
    (await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(path, () => resolve(true));
    }));
  if (!listening) {
    await handle.close();
    return null;
  }
  return {
    async close() {
      // The path of the socket may lead through the handle, and closing deletes it.
      await new Promise((resolve) => server.close(resolve));
      await handle.close();
    },
  };
}

/** Whether a living process listens on the socket of that name. */
export async function acceptsIn(directory: string, name: string): Promise<boolean> {
  const handle = await open(directory, 'r');
  try {
    const path = shortPath(directory, handle, name);
    return path !== null && (await accepts(path));
  } finally {
    await handle.close();
  }
}

function shortPath(directory: string, handle: FileHandle, name: string): string | null {
  const path = join(directory, name);
  if (Buffer.byteLength(path) <= LONGEST_PATH) return path;
  return process.platform === 'linux' ? `/proc/self/fd/${handle.fd}/${name}` : null;
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(path);
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    // Only these prove that nobody listens; a full queue or a missing permission means that somebody does.
    connection.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}
