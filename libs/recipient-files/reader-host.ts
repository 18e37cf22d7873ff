import { fork } from 'node:child_process';
import { open } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { corrupt, tooLarge } from './file-refused';
import { isOleContainer } from './file-type';
import { BATCH_TAKEN, type ReaderMessage, type ReadOrder } from './reader-messages';

/** The thread or process of a reader. */
export interface ReaderHost {
  /** Tells the reader that a batch was consumed. */
  batchTaken(): void;
  /** Sets whether the reader keeps this process alive; initially it does. */
  keepAlive(on: boolean): void;
  /** Terminates the reader at once, unless it has finished. */
  end(): Promise<void>;
}

/** Receives the messages of a reader, and the reason of its end if it did not report one. */
export interface ReaderOwner {
  hear(message: ReaderMessage): void;
  ended(error: Error): void;
}

const OLE_HEAD_BYTES = 8;

/**
 * Starts the reader for a file: a thread for xlsx and csv, a process for xls. Old workbooks are read by SheetJS, which a
 * damaged file of 6 KB can make allocate more memory than a thread's limit prevents: that must not end the service.
 */
export async function startReader(order: ReadOrder, heapMegabytes: number, owner: ReaderOwner): Promise<ReaderHost> {
  return (await isOldWorkbook(order.path))
    ? startProcess(order, heapMegabytes, owner)
    : startThread(order, heapMegabytes, owner);
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

function startThread(order: ReadOrder, heapMegabytes: number, owner: ReaderOwner): ReaderHost {
  const worker = new Worker(require.resolve('./reader.worker'), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 16 },
  });
  let finished = false;
  worker.on('message', (message: ReaderMessage) => {
    finished ||= message.kind !== 'batch';
    owner.hear(message);
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    owner.ended(outOfMemory ? tooLarge('Reading it takes too much memory.', heapMegabytes) : error);
  });
  worker.on('exit', () => {
    owner.ended(new Error('The reader thread exited without a result.'));
  });
  return {
    batchTaken() {
      worker.postMessage(BATCH_TAKEN);
    },
    keepAlive(on) {
      if (on) worker.ref();
      else worker.unref();
    },
    async end() {
      // A finished thread ends by itself (reader.worker.ts says when).
      if (!finished) await worker.terminate();
    },
  };
}

function startProcess(order: ReadOrder, heapMegabytes: number, owner: ReaderOwner): ReaderHost {
  const child = fork(require.resolve('./reader.process'), [JSON.stringify(order)], {
    // The library reads files of strangers: no secret of the service is within its reach.
    env: { NODE_OPTIONS: process.env.NODE_OPTIONS },
    execArgv: [...process.execArgv, `--max-old-space-size=${heapMegabytes}`],
    // Output of SheetJS and of a crashing process about damaged files must not reach the service's log.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.on('message', (message) => {
    owner.hear(message as ReaderMessage);
  });
  child.on('error', (error) => {
    owner.ended(error);
  });
  const gone = new Promise<void>((resolve) => {
    // Not 'exit': the last messages of the process may not have arrived then.
    child.on('close', () => {
      owner.ended(corrupt('Its contents cannot be read.'));
      resolve();
    });
  });
  return {
    batchTaken() {
      // A finished reader may exit before it receives this; its outcome is reported by its last message or its exit.
      if (child.connected) child.send(BATCH_TAKEN, () => undefined);
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
      await gone;
    },
  };
}
