import { ConnectionError, MessagingError, RateLimitedError, UnavailableError } from './errors';

const MIN_WAIT_MS = 1_000;
const FIRST_RECONNECT_MS = 250;
const MAX_RECONNECT_MS = 5_000;
/** Maximum random addition to a wait, as a fraction, so that clients do not retry in lockstep. */
const JITTER = 0.2;
const PROXY_ERRORS = [502, 504];

/** A failed attempt. `repeatable`: repeating the request has no additional effect. */
export interface FailedAttempt {
  error: MessagingError;
  repeatable: boolean;
  /** 1 for the first attempt. */
  attempt: number;
}

/**
 * The wait before the next attempt, in milliseconds; null if a retry would be useless or unsafe. `random`: from 0 to below 1.
 */
export function waitBefore({ error, repeatable, attempt }: FailedAttempt, random: number): number | null {
  const jitter = 1 + JITTER * random;
  // The service did not process the request and says when to retry.
  const wasRejected = error instanceof RateLimitedError || (error instanceof UnavailableError && isFromService(error));
  // An earlier attempt is still being processed; a retry returns its response.
  if (wasRejected || error.code === 'idempotency_in_progress')
    return Math.max(MIN_WAIT_MS, (error.retryAfter ?? 0) * 1000) * jitter;
  if (!repeatable || isWithoutTls(error)) return null;
  if (error instanceof UnavailableError && error.retryAfter !== null) return error.retryAfter * 1000 * jitter;
  const isInterrupted = error instanceof ConnectionError || error instanceof UnavailableError;
  if (!isInterrupted && !(PROXY_ERRORS.includes(error.statusCode) && !isFromService(error))) return null;
  return Math.min(MAX_RECONNECT_MS, FIRST_RECONNECT_MS * 2 ** (attempt - 1)) * jitter;
}

/** Whether a request failed because the server at its https:// URL does not use TLS. */
export function isWithoutTls(thrown: unknown): boolean {
  const { code, cause } = (thrown ?? {}) as Partial<Error & { code: string }>;
  return code === 'ERR_SSL_WRONG_VERSION_NUMBER' || (cause !== undefined && isWithoutTls(cause));
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
