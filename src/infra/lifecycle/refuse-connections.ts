import type { Server } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Under constant load no turn of the event loop is quiet. */
const TURNS = 1000;

/**
 * Stops listening, in a turn of the event loop that accepted no connection: those that wait in the kernel at that moment are reset. Open
 * connections remain.
 */
export async function refuseConnections(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => accepted++;
  server.on('connection', count);
  for (let turn = 0, before = -1; turn < TURNS && accepted !== before; turn++) {
    before = accepted;
    await nextTurn();
  }
  server.off('connection', count);
  server.close();
}
