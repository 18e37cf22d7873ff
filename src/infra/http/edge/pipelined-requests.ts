import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of unanswered requests per connection; RFC 9112 leaves it to the server. */
export const MAX_UNANSWERED = 16;

/**
 * Handles the requests of a connection one at a time: a pipelined request waits until the previous response is passed to the system, so
 * that a connection costs no more than one request, whether its client reads or not. Destroys a connection with more than
 * MAX_UNANSWERED requests, and drops the requests of a destroyed connection.
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
      // Other connections come first.
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
