import { fork } from 'node:child_process';
import { open } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { corrupt, tooLarge } from './file-refused';
import { isOleContainer } from './file-type';
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

const OLE_HEAD_BYTES = 8;

/**
 * Starts the reader of a file: a thread for xlsx and csv, a process for xls. Old workbooks are read by SheetJS, and a
 * damaged file of 6 KB can make it exceed the heap limit of a thread, which would crash the service.
 */
export async function startReader(
  request: ReadRequest,
  heapMegabytes: number,
  listener: ReaderListener,
): Promise<ReaderHost> {
  return (await isOldWorkbook(request.path))
    ? startProcess(request, heapMegabytes, listener)
    : startThread(request, heapMegabytes, listener);
}

async function isOldWorkbook(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(OLE_HEAD_BYTES), 0, OLE_HEAD_BYTES, 0);
    return isOleContainer(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

function startThread(request: ReadRequest, heapMegabytes: number, listener: ReaderListener): ReaderHost {
  const worker = new Worker(require.resolve('./reader.worker'), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 16 },
  });
  let finished = false;
  worker.on('message', (message: ReaderMessage) => {
    finished ||= message.kind !== 'batch';
    listener.receive(message);
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    listener.fail(outOfMemory ? tooLarge('Reading it takes too much memory.', heapMegabytes) : error);
  });
  worker.on('exit', () => {
    listener.fail(new Error('The reading thread ended without a result.'));
  });
  return {
    send(message) {
      worker.postMessage(message);
    },
    keepAlive(on) {
      if (on) worker.ref();
      else worker.unref();
    },
    async end() {
      // A finished thread exits on its own; see reader.worker.ts.
      if (!finished) await worker.terminate();
    },
  };
}

function startProcess(request: ReadRequest, heapMegabytes: number, listener: ReaderListener): ReaderHost {
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
