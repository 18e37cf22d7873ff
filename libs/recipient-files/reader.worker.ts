import { parentPort, workerData } from 'node:worker_threads';
import { Reader } from './reader';
import type { ReadOrder } from './reader-messages';

const reader = new Reader(workerData as ReadOrder, (message) => parentPort?.postMessage(message));
parentPort?.on('message', () => {
  reader.batchTaken();
});
void reader.run().finally(() => parentPort?.close());
