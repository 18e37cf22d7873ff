import type { InputOf, Operation, OutputOf } from '../../client/calls';
import { ConnectionError, errorOf, MessagingError } from '../../client/errors';
import { createClient } from '../../client/generated/client/client.gen';
import { pause } from '../../client/retries';
import { t } from '../language/translate';

/** Attempts of a request that exceeds a rate limit, and the longest wait between them. */
const MAX_ATTEMPTS = 6;
const MAX_WAIT_S = 60;
const MIN_WAIT_MS = 500;

const client = createClient({ credentials: 'same-origin' });

/** Options common to all calls. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Ends only the waiting for a rate limit, not a request: aborted when the caller has left, so that nothing is sent later. */
  pauseSignal?: AbortSignal;
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

/** Aborted when the session ends or changes. */
let session = new AbortController();

/**
 * Ends the waiting of all requests that exceeded a rate limit; they reject with AbortError. For the end and the change of a session:
 * otherwise a waiting write would be repeated under another account.
 */
export function endPauses(): void {
  session.abort();
  session = new AbortController();
}

type SignOutListener = (error: MessagingError) => void;

const signOutListeners = new Set<SignOutListener>();

/** Calls `listener` with the error of every 401 response; returns the unsubscribe function. */
export function onSignedOut(listener: SignOutListener): () => void {
  signOutListeners.add(listener);
  return () => signOutListeners.delete(listener);
}

const unreachableListeners = new Set<() => void>();

/** Calls `listener` for every API call without a response; returns the unsubscribe function. */
export function onUnreachable(listener: () => void): () => void {
  unreachableListeners.add(listener);
  return () => unreachableListeners.delete(listener);
}

/** Calls one API operation with the browser's session cookie and returns its body. Throws MessagingError. */
export async function call<O extends Operation>(
  operation: O,
  input: InputOf<O>,
  { signal, pauseSignal, idempotencyKey, as }: CallOptions = {},
): Promise<OutputOf<O>> {
  const run = operation as unknown as (options: object) => Promise<CallResult>;
  const { data, error, response } = await withinLimits([signal, pauseSignal], () =>
    run({
      ...input,
      client,
      signal,
      ...(as && { parseAs: as }),
      ...(idempotencyKey && { headers: { 'Idempotency-Key': idempotencyKey } }),
    }),
  );
  if (!response) {
    if (!signal?.aborted) for (const listener of unreachableListeners) listener();
    throw connectionErrorOf(error, signal);
  }
  if (!response.ok) throw responseErrorOf(response, error);
  return data as OutputOf<O>;
}

/** Repeats a request that the service refused with 429, which changes nothing, when the service says so. */
async function withinLimits(
  signals: readonly (AbortSignal | undefined)[],
  send: () => Promise<CallResult>,
): Promise<CallResult> {
  const ends = AbortSignal.any([session.signal, ...signals.filter((signal) => signal !== undefined)]);
  for (let attempt = 1; ; attempt++) {
    const result = await send();
    const { response, error } = result;
    if (response?.status !== 429 || attempt >= MAX_ATTEMPTS) return result;
    const { retryAfter } = errorOf(response, error);
    if (retryAfter === null || retryAfter > MAX_WAIT_S) return result;
    await pause(Math.max(retryAfter * 1000, MIN_WAIT_MS), ends);
  }
}

/**
 * Calls an endpoint of the console itself, such as its session, and returns the JSON body; `early`: the answer to the same request, sent
 * before. Throws MessagingError.
 */
export async function consoleCall(
  method: string,
  path: string,
  body?: object,
  signal?: AbortSignal,
  early?: Promise<Response | undefined>,
): Promise<unknown> {
  let response: Response;
  try {
    response =
      (await early) ??
      (await fetch(path, {
        method,
        credentials: 'same-origin',
        signal,
        ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      }));
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
  const error = errorOf(response, body);
  if (response.status === 401) {
    endPauses();
    for (const listener of signOutListeners) listener(error);
  }
  return error;
}

/** No response: the browser has no network. */
export class OfflineError extends ConnectionError {}

/** The error for a request without a response; an abort by the caller is passed through. */
export function connectionErrorOf(error: unknown, signal?: AbortSignal): Error {
  if (signal?.aborted && error instanceof Error) return error;
  if (!navigator.onLine) return new OfflineError('connection_failed', t('No network connection'), {}, error);
  return new ConnectionError('connection_failed', t('The service is not responding.'), {}, error);
}

/** Returns a MessagingError as is and wraps any other error in one. */
export function asMessagingError(error: unknown): MessagingError {
  if (error instanceof MessagingError) return error;
  const message = error instanceof Error ? error.message : t('Something went wrong on this page.');
  return new MessagingError('unexpected_answer', message, {}, error);
}

/** Whether the service could not read the number that a search is for. */
export function isPhoneError(error: unknown): boolean {
  return error !== null && asMessagingError(error).errors.some(({ field }) => field === 'to' || field === 'phone');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
