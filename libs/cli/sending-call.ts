import { MessagingError } from '../client/errors';
import type { MessagingClient } from '../client/messaging-client';
import { Interrupted } from './exit-codes';
import type { Session } from './session';

/** Times after Ctrl-C in ms: how long to wait for a response, and when to print a note. */
export interface Patience {
  answerMs: number;
  noteMs: number;
}

/** A fetch that tracks whether the service may have accepted the request. */
class WatchedFetch {
  mayBeAccepted = false;

  constructor(private readonly stop: AbortSignal) {}

  readonly fetch = async (request: Request): Promise<Response> => {
    const sent = new TransformStream<Uint8Array, Uint8Array>({ flush: () => void (this.mayBeAccepted = true) });
    const body = request.body?.pipeThrough(sent);
    // `duplex` is required by Node and not known to the types of the DOM.
    const init = { body, duplex: 'half' } as RequestInit;
    // A copied request does not reliably follow an abort of the original.
    const signal = AbortSignal.any([request.signal, this.stop]);
    const response = await fetch(body ? new Request(request, init) : request, { signal });
    const { status } = response;
    // After 502 and 504 the outcome of the service behind the proxy is unknown.
    if ((status >= 400 && status < 500) || status === 503) this.mayBeAccepted = false;
    return response;
  };
}

/**
 * Makes a call that sends. Ctrl-C aborts it while the request is incomplete, so that the service cannot have accepted
 * it; afterwards the call waits for the response, so that a send is never reported as not sent. `look` is the command
 * to check with if no response arrives.
 */
export async function sendingCall<T>(
  session: Pick<Session, 'out' | 'signal' | 'client'>,
  look: string,
  call: (client: MessagingClient, signal: AbortSignal) => Promise<T>,
  { answerMs, noteMs }: Patience = { answerMs: 30_000, noteMs: 1_000 },
): Promise<T> {
  const stop = new AbortController();
  const watched = new WatchedFetch(stop.signal);
  const client = await session.client(watched.fetch as typeof fetch);
  const timers: NodeJS.Timeout[] = [];
  const interrupted = () => {
    if (!watched.mayBeAccepted) return stop.abort();
    const note = () =>
      session.out.note("Waiting for the service's response. Press Ctrl-C again to exit " + 'immediately.', 'dim');
    timers.push(
      setTimeout(note, noteMs),
      setTimeout(() => stop.abort(), answerMs),
    );
  };
  session.signal.throwIfAborted();
  session.signal.addEventListener('abort', interrupted, { once: true });
  try {
    return await call(client, stop.signal);
  } catch (error) {
    if (!session.signal.aborted) throw error;
    if (!watched.mayBeAccepted) throw new Interrupted('Interrupted before the service accepted it: nothing was sent.');
    const reason = error instanceof MessagingError ? `: ${error.message}` : '';
    throw new Interrupted(`Interrupted without a response${reason}. Run \`${look}\` to see whether it was accepted.`);
  } finally {
    session.signal.removeEventListener('abort', interrupted);
    timers.forEach(clearTimeout);
  }
}
