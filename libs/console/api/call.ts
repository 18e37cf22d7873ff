import type { InputOf, Operation, OutputOf } from '../../client/calls';
import { ConnectionError, errorOf, MessagingError } from '../../client/errors';
import { createClient } from '../../client/generated/client/client.gen';

const client = createClient({ credentials: 'same-origin' });

/** Options common to all calls. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Idempotency key, created by `useSendOnce`. */
  idempotencyKey?: string;
  /** `stream`: the raw body; `blob`: a file. Default: JSON. */
  as?: 'stream' | 'blob';
}

interface CallResult {
  data?: unknown;
  error?: unknown;
  response?: Response;
}

const signOutListeners = new Set<() => void>();

/** Calls `listener` on every 401 response; returns the unsubscribe function. */
export function onSignedOut(listener: () => void): () => void {
  signOutListeners.add(listener);
  return () => signOutListeners.delete(listener);
}

/** Calls one API operation with the browser's session cookie and returns its body. Throws MessagingError. */
export async function call<O extends Operation>(
  operation: O,
  input: InputOf<O>,
  { signal, idempotencyKey, as }: CallOptions = {},
): Promise<OutputOf<O>> {
  const run = operation as unknown as (options: object) => Promise<CallResult>;
  const { data, error, response } = await run({
    ...input,
    client,
    signal,
    ...(as && { parseAs: as }),
    ...(idempotencyKey && { headers: { 'Idempotency-Key': idempotencyKey } }),
  });
  if (!response) throw connectionErrorOf(error, signal);
  if (!response.ok) throw responseErrorOf(response, error);
  return data as OutputOf<O>;
}

/** Calls an endpoint of the console itself, such as its session, and returns the JSON body. Throws MessagingError. */
export async function consoleCall(method: string, path: string, body?: object, signal?: AbortSignal): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      signal,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  } catch (error) {
    throw connectionErrorOf(error, signal);
  }
  const text = await response.text();
  const parsed = text ? parseJson(text) : undefined;
  if (!response.ok) throw errorOf(response, parsed);
  return parsed;
}

/** The error for an unsuccessful response; notifies the sign-out listeners on 401. */
export function responseErrorOf(response: Response, body: unknown): MessagingError {
  if (response.status === 401) for (const listener of signOutListeners) listener();
  return errorOf(response, body);
}

/** The error for a request without a response; an abort by the caller is passed through. */
export function connectionErrorOf(error: unknown, signal?: AbortSignal): Error {
  if (signal?.aborted && error instanceof Error) return error;
  return new ConnectionError('connection_failed', 'The service is not responding.', {}, error);
}

/** Returns a MessagingError as is and wraps any other error in one. */
export function asMessagingError(error: unknown): MessagingError {
  if (error instanceof MessagingError) return error;
  const message = error instanceof Error ? error.message : 'Something went wrong on this page.';
  return new MessagingError('unexpected_answer', message, {}, error);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
