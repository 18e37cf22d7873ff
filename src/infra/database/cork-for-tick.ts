import type { Socket } from 'node:net';

/** Holds back what is written during this tick, and sends it together at its end: otherwise each message is a system call of its own. */
export function corkForTick(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  process.nextTick(() => socket.uncork());
}
