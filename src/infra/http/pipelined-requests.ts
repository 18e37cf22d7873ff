import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** The most requests of one connection that may be unanswered; RFC 9112 leaves the number to the server. */
export const MAX_UNANSWERED = 16;

/**
 * Passes on the requests of a connection one at a time: a pipelined one once the answer before it has been taken over by the system, so
 * that a connection costs no more than one request, whether its client reads or not. A connection with more than MAX_UNANSWERED of them
 * is destroyed, and requests of a destroyed connection are dropped.
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const begin = (): void => {
      if (socket.destroyed) return;
      response.once('close', next);
      handle(request, response);
    };
    const next = (): void => {
      const following = waiting.get(socket)!.shift();
      // Not at once: other connections have their turn before.
      if (following) setImmediate(following);
      else waiting.delete(socket);
    };
    const queue = waiting.get(socket);
    if (socket.destroyed) return;
    if (!queue) {
      waiting.set(socket, []);
      begin();
    } else if (queue.length + 1 < MAX_UNANSWERED) queue.push(begin);
    else socket.destroy();
  };
}
