import { ConnectionError, MessagingError, RateLimitedError, UnavailableError, type MessagingErrorCode } from './errors';
import { pause, waitBefore } from './retries';

type Kind = new (...args: ConstructorParameters<typeof MessagingError>) => MessagingError;
const failed = (kind: Kind, code: MessagingErrorCode, status: number, retryAfter: number | null = null) =>
  new kind(code, 'Why.', { status, retryAfter });
const wait = (error: MessagingError, repeatable: boolean, attempt = 1) => waitBefore({ error, repeatable, attempt }, 0);

describe('The wait before the next attempt', () => {
  it('is what a 429 or 503 of the service requests, at least a second, also for unsafe calls', () => {
    expect(wait(failed(RateLimitedError, 'rate_limited', 429, 7), false)).toBe(7_000);
    expect(wait(failed(UnavailableError, 'service_unavailable', 503, 3), false)).toBe(3_000);
    expect(wait(failed(UnavailableError, 'sending_paused', 503), false)).toBe(1_000);
  });

  it('applies while a request with the same idempotency key is processed', () => {
    expect(wait(failed(MessagingError, 'idempotency_in_progress', 409, 2), true)).toBe(2_000);
  });

  it('doubles up to five seconds after an interruption, for safe calls', () => {
    const cut = failed(ConnectionError, 'connection_failed', 0);
    expect([1, 2, 3, 9].map((attempt) => wait(cut, true, attempt))).toEqual([250, 500, 1_000, 5_000]);
    expect(wait(failed(MessagingError, 'unexpected_answer', 502), true)).toBe(250);
    expect(wait(failed(UnavailableError, 'unexpected_answer', 503, 4), true)).toBe(4_000);
  });

  it('is null for unsafe calls', () => {
    expect(wait(failed(ConnectionError, 'connection_failed', 0), false)).toBeNull();
    expect(wait(failed(UnavailableError, 'unexpected_answer', 503, 4), false)).toBeNull();
    expect(wait(failed(MessagingError, 'unexpected_answer', 504), false)).toBeNull();
  });

  it('is null after a rejection or an internal error', () => {
    expect(wait(failed(MessagingError, 'validation_failed', 400), true)).toBeNull();
    expect(wait(failed(MessagingError, 'internal_error', 500), true)).toBeNull();
    expect(wait(failed(MessagingError, 'idempotency_mismatch', 422), true)).toBeNull();
  });

  it('is null if the server does not use TLS', () => {
    const cause = new TypeError('fetch failed', { cause: { code: 'ERR_SSL_WRONG_VERSION_NUMBER' } });
    const refused = new ConnectionError('connection_failed', 'Why.', {}, cause);
    expect(wait(refused, true)).toBeNull();
    expect(wait(new ConnectionError('connection_failed', 'Why.', {}, new TypeError('fetch failed')), true)).toBe(250);
  });

  it('has jitter', () => {
    const limited = failed(RateLimitedError, 'rate_limited', 429, 10);
    expect(waitBefore({ error: limited, repeatable: true, attempt: 1 }, 0.5)).toBe(11_000);
  });

  it('ends with the signal', async () => {
    const stop = new AbortController();
    const waiting = pause(60_000, stop.signal);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(pause(1, stop.signal)).rejects.toThrow('enough');
  });
});
