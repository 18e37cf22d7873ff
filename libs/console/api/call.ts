import type { InputOf, Operation, OutputOf } from '../../client/calls';
import { ConnectionError, errorOf, MessagingError } from '../../client/errors';
import { createClient } from '../../client/generated/client/client.gen';

const client = createClient({ credentials: 'same-origin' });

/** What every call takes beside its own fields. */
export interface CallOptions {
  signal?: AbortSignal;
  /** The key of the intention: `useSendOnce` makes it. */
  idempotencyKey?: string;
  /** `stream`: the body as it comes; `blob`: a file. Absent: JSON. */
  as?: 'stream' | 'blob';
}

interface Answered {
  data?: unknown;
  error?: unknown;
  response?: Response;
}

const signedOut = new Set<() => void>();

/** Calls `listener` whenever the service says that nobody is signed in; the answer ends that. */
export function onSignedOut(listener: () => void): () => void {
  signedOut.add(listener);
  return () => signedOut.delete(listener);
}

/** The answer of one operation of the API, in the session of this browser. Throws MessagingError. */
export async function call<O extends Operation>(
  operation: O,
  input: InputOf<O>,
  { signal, idempotencyKey, as }: CallOptions = {},
): Promise<OutputOf<O>> {
  const run = operation as unknown as (options: object) => Promise<Answered>;
  const { data, error, response } = await run({
    ...input,
    client,
    signal,
    ...(as && { parseAs: as }),
    ...(idempotencyKey && { headers: { 'Idempotency-Key': idempotencyKey } }),
  });
  if (!response) throw notReached(error, signal);
  if (!response.ok) throw refused(response, error);
  return data as OutputOf<O>;
}

/** The JSON of an address of the console's own, such as its session. Throws MessagingError. */
export async function ownCall(method: string, path: string, body?: object, signal?: AbortSignal): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      signal,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  } catch (error) {
    throw notReached(error, signal);
  }
  const text = await response.text();
  const parsed = text ? parse(text) : undefined;
  if (!response.ok) throw errorOf(response, parsed);
  return parsed;
}

/** The error of an answer that is no success; tells the session when it was a 401. */
export function refused(response: Response, body: unknown): MessagingError {
  if (response.status === 401) for (const listener of signedOut) listener();
  return errorOf(response, body);
}

/** The error of a call that got no answer; one that was broken off here stays what it is. */
export function notReached(error: unknown, signal?: AbortSignal): Error {
  if (signal?.aborted && error instanceof Error) return error;
  return new ConnectionError('connection_failed', 'The service does not answer.', {}, error);
}

/** The error as the service tells it; whatever else went wrong, as one of this console. */
export function asMessagingError(error: unknown): MessagingError {
  if (error instanceof MessagingError) return error;
  const message = error instanceof Error ? error.message : 'Something went wrong in this page.';
  return new MessagingError('unexpected_answer', message, {}, error);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
