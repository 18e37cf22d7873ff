import { ConnectionError, MessagingError, RateLimitedError, UnavailableError, type MessagingErrorCode } from './errors';
import { pause, waitBefore } from './retries';

type Kind = new (...args: ConstructorParameters<typeof MessagingError>) => MessagingError;
const failed = (kind: Kind, code: MessagingErrorCode, status: number, retryAfter: number | null = null) =>
  new kind(code, 'Why.', { status, retryAfter });
const wait = (error: MessagingError, repeatable: boolean, attempt = 1) => waitBefore({ error, repeatable, attempt }, 0);

describe('The wait before the next try', () => {
  it('is what a 429 or a 503 of the service asks for, at least a second, also for what may not happen twice', () => {
    expect(wait(failed(RateLimitedError, 'rate_limited', 429, 7), false)).toBe(7_000);
    expect(wait(failed(UnavailableError, 'service_unavailable', 503, 3), false)).toBe(3_000);
    expect(wait(failed(UnavailableError, 'sending_paused', 503), false)).toBe(1_000);
  });

  it('follows a request that is still running under the same idempotency key', () => {
    expect(wait(failed(MessagingError, 'idempotency_in_progress', 409, 2), true)).toBe(2_000);
  });

  it('doubles up to five seconds after a cut, where nothing can happen twice', () => {
    const cut = failed(ConnectionError, 'connection_failed', 0);
    expect([1, 2, 3, 9].map((attempt) => wait(cut, true, attempt))).toEqual([250, 500, 1_000, 5_000]);
    expect(wait(failed(MessagingError, 'unexpected_answer', 502), true)).toBe(250);
    expect(wait(failed(UnavailableError, 'unexpected_answer', 503, 4), true)).toBe(4_000);
  });

  it('never comes where a repetition might do something twice', () => {
    expect(wait(failed(ConnectionError, 'connection_failed', 0), false)).toBeNull();
    expect(wait(failed(UnavailableError, 'unexpected_answer', 503, 4), false)).toBeNull();
    expect(wait(failed(MessagingError, 'unexpected_answer', 504), false)).toBeNull();
  });

  it('never comes after a refusal or a fault of the service', () => {
    expect(wait(failed(MessagingError, 'validation_failed', 400), true)).toBeNull();
    expect(wait(failed(MessagingError, 'internal_error', 500), true)).toBeNull();
    expect(wait(failed(MessagingError, 'idempotency_mismatch', 422), true)).toBeNull();
  });

  it('is a little longer by chance', () => {
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
