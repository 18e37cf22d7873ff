import { fork } from 'node:child_process';
import { corrupt } from './file-refused';
import type { CallerMessage, ReaderMessage, ReadRequest } from './reader-messages';

/** The thread or process of a reader. */
export interface ReaderHost {
  /** Sends a message to the reader, unless it has ended. */
  send(message: CallerMessage): void;
  /** Sets whether the reader keeps this process alive (default: true). */
  keepAlive(on: boolean): void;
  /** Terminates the reader immediately, unless it has finished. */
  end(): Promise<void>;
}

/** Receives the messages of a reader, and an error if it ends without reporting an outcome. */
export interface ReaderListener {
  receive(message: ReaderMessage): void;
  fail(error: Error): void;
}

/**
 * Starts a reader of .xls files: a process, as SheetJS reads them, and a damaged file of 6 KB can make it exceed the heap limit of a
 * thread, which would crash the service.
 */
export function startProcess(request: ReadRequest, heapMegabytes: number, listener: ReaderListener): ReaderHost {
  const child = fork(require.resolve('./reader.process'), [JSON.stringify(request)], {
    // The library reads untrusted files, so the process gets none of the service's secrets.
    env: { NODE_OPTIONS: process.env.NODE_OPTIONS },
    execArgv: [...process.execArgv, `--max-old-space-size=${heapMegabytes}`],
    // Keeps output of SheetJS and crash messages out of the service's log.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.on('message', (message) => {
    listener.receive(message as ReaderMessage);
  });
  child.on('error', (error) => {
    listener.fail(error);
  });
  const closed = new Promise<void>((resolve) => {
    // Not 'exit', as the last messages may arrive after it.
    child.on('close', () => {
      listener.fail(corrupt('Its contents cannot be read.'));
      resolve();
    });
  });
  return {
    send(message) {
      // A finished reader may exit before this message arrives.
      if (child.connected) child.send(message, () => undefined);
    },
    keepAlive(on) {
      if (on) {
        child.ref();
        child.channel?.ref();
      } else {
        child.unref();
        child.channel?.unref();
      }
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await closed;
    },
  };
}
