import { parentPort, workerData } from 'node:worker_threads';
import { Reader } from './reader';
import type { ReadOrder } from './reader-messages';

/** Node.js 20 aborts the whole process if a thread ends while V8 still optimizes its functions in the background. */
const REST_MS = 200;

const reader = new Reader(workerData as ReadOrder, (message) => parentPort?.postMessage(message));
parentPort?.on('message', () => {
  reader.batchTaken();
});
void reader.run().finally(() => setTimeout(() => parentPort?.close(), REST_MS));
