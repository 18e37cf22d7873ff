import { fork } from 'node:child_process';
import { open } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { corrupt, tooLarge } from './file-refused';
import { isOleContainer } from './file-type';
import { BATCH_TAKEN, type ReaderMessage, type ReadOrder } from './reader-messages';

/** The thread or process in which a reader works. */
export interface ReaderHost {
  /** Tells the reader that a batch was taken. */
  batchTaken(): void;
  /** Whether the reader keeps this process alive; it does at first. */
  keepAlive(on: boolean): void;
  /** Ends the reader at once, whatever it does. */
  end(): Promise<void>;
}

/** What the owner of a reader hears: messages, and at last how it ended if it did not say so itself. */
export interface ReaderOwner {
  hear(message: ReaderMessage): void;
  ended(error: Error): void;
}

const OLE_HEAD_BYTES = 8;

/**
 * Starts the reader for a file: a thread for xlsx and csv, a process for xls. Old workbooks are read by SheetJS, which a
 * damaged file of 6 KB can make ask for more memory than any thread's limit can catch: that must not end the service.
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
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 8 },
  });
  worker.on('message', (message: ReaderMessage) => {
    owner.hear(message);
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    owner.ended(outOfMemory ? tooLarge('Reading it takes too much memory.', heapMegabytes) : error);
  });
  worker.on('exit', () => {
    owner.ended(new Error('The reading thread ended without a result.'));
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
      await worker.terminate();
    },
  };
}

function startProcess(order: ReadOrder, heapMegabytes: number, owner: ReaderOwner): ReaderHost {
  const child = fork(require.resolve('./reader.process'), [JSON.stringify(order)], {
    execArgv: [...process.execArgv, `--max-old-space-size=${heapMegabytes}`],
    // What SheetJS and a dying process print about damaged files is no business of the service's log.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.on('message', (message) => {
    owner.hear(message as ReaderMessage);
  });
  child.on('error', (error) => {
    owner.ended(error);
  });
  const gone = new Promise<void>((resolve) => {
    // Not 'exit': what the process said last may still be on its way then.
    child.on('close', () => {
      owner.ended(corrupt('Its contents cannot be read.'));
      resolve();
    });
  });
  return {
    batchTaken() {
      // A reader that is through may be gone before it hears this; how it ended is told by its last words or its end.
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
