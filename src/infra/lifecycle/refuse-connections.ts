import type { Server } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

/** Under constant load no turn of the event loop is quiet: the shutdown must not wait for one. */
const LONGEST_MS = 2_000;
/** A turn that takes longer leaves connections time to arrive after its last accept. */
const SHORT_TURN_MS = 2;
/** How long requests of accepted connections may take to arrive. */
const FIRST_REQUEST_MS = 500;
const POLL_MS = 10;

/**
 * Stops listening after a short turn of the event loop that accepted no connection, at the latest after two seconds: connections that wait in
 * the kernel at that moment are reset. Open connections remain; resolves when none is left, or when their first requests had time to arrive.
 */
export async function refuseConnections(server: Server): Promise<void> {
  await quietTurn(server);
  server.close();
  const deadline = performance.now() + FIRST_REQUEST_MS;
  while (performance.now() < deadline && (await openConnections(server)) > 0) await wait(POLL_MS);
}

async function quietTurn(server: Server): Promise<void> {
  const deadline = performance.now() + LONGEST_MS;
  let accepted = 0;
  const count = () => accepted++;
  server.on('connection', count);
  for (let isQuiet = false; !isQuiet;) {
    const before = accepted;
    const started = performance.now();
    await nextTurn();
    const ended = performance.now();
    isQuiet = (accepted === before && ended - started < SHORT_TURN_MS) || ended > deadline;
  }
  server.off('connection', count);
}

function openConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, connections) => resolve(error ? 0 : connections)));
}
