import { parentPort, workerData } from 'node:worker_threads';
import { Reader } from './reader';
import type { CallerMessage, ReadRequest } from './reader-messages';

/** Delay before a thread exits: Node.js 20 aborts the process if V8 is still optimizing functions of an exiting thread. */
const EXIT_DELAY_MS = 200;

const reader = new Reader(workerData as ReadRequest, (message) => parentPort?.postMessage(message));
parentPort?.on('message', (message: CallerMessage) => {
  reader.receive(message);
});
void reader.run().finally(() => setTimeout(() => parentPort?.close(), EXIT_DELAY_MS));
