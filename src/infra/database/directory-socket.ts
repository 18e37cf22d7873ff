import { open, type FileHandle } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

/** Socket addresses are truncated after 104 bytes on some systems and 108 on others. */
const LONGEST_PATH = 100;

/** A socket in a directory that accepts connections until it is closed or its process ends. */
export interface DirectorySocket {
  close(): Promise<void>;
}

/** Opens a socket with this name without keeping the process alive; null if the file system has no sockets. */
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
      // The path of the socket may use the handle, and closing deletes the socket.
      await new Promise((resolve) => server.close(resolve));
      await handle.close();
    },
  };
}

/** Whether a process listens on the socket with this name. */
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
    // Only these errors prove that no process listens; a full queue or a missing permission proves the opposite.
    connection.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}
