import { ConnectionError, MessagingError, RateLimitedError, UnavailableError } from './errors';

const SHORTEST_WAIT_MS = 1_000;
const FIRST_RECONNECT_MS = 250;
const LONGEST_RECONNECT_MS = 5_000;
/** Part of a wait that chance adds, so that many programs do not come back at the same moment. */
const JITTER = 0.2;
const PROXY_FAULTS = [502, 504];

/** A try that failed. `repeatable`: the same request again cannot do the same thing twice. */
export interface FailedTry {
  error: MessagingError;
  repeatable: boolean;
  /** 1 for the first one. */
  attempt: number;
}

/**
 * How long to wait before the next try, in milliseconds; null: it would not help, or might do something twice.
 * `random` is a number from 0 up to 1.
 */
export function waitBefore({ error, repeatable, attempt }: FailedTry, random: number): number | null {
  const jitter = 1 + JITTER * random;
  // The service did nothing, and says when it will.
  const refused = error instanceof RateLimitedError || (error instanceof UnavailableError && isFromService(error));
  // The try before this one reached the service, which still works on it: its answer comes next.
  if (refused || error.code === 'idempotency_in_progress')
    return Math.max(SHORTEST_WAIT_MS, (error.retryAfter ?? 0) * 1000) * jitter;
  if (!repeatable) return null;
  if (error instanceof UnavailableError && error.retryAfter !== null) return error.retryAfter * 1000 * jitter;
  const cut = error instanceof ConnectionError || error instanceof UnavailableError;
  if (!cut && !(PROXY_FAULTS.includes(error.statusCode) && !isFromService(error))) return null;
  return Math.min(LONGEST_RECONNECT_MS, FIRST_RECONNECT_MS * 2 ** (attempt - 1)) * jitter;
}

function isFromService(error: MessagingError): boolean {
  return error.code !== 'unexpected_answer';
}

/** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
