import { QueryObserver, type QueryObserverOptions } from '@tanstack/react-query';
import { MessagingError } from '../../client/errors';
import { newQueryClient } from './query-client';

describe('A query that failed', () => {
  const page = { visibilityState: 'visible' };
  let stop: () => void;

  beforeEach(() => {
    jest.useFakeTimers();
    page.visibilityState = 'visible';
    Object.assign(globalThis, { document: page });
  });
  afterEach(() => {
    stop();
    Reflect.deleteProperty(globalThis, 'document');
    jest.useRealTimers();
  });

  /** Shows a query that fails with `status`; returns the seconds after which it is sent, with one retry each time. */
  function shown(status: number, options: Partial<QueryObserverOptions> = {}): number[] {
    const start = Date.now();
    const sent: number[] = [];
    const queryFn = () => {
      sent.push(Math.round((Date.now() - start) / 1000));
      return Promise.reject(new MessagingError('internal_error', 'Broken.', { status }));
    };
    const retry = (failures: number) => failures === 0;
    const query = { queryKey: ['a'], queryFn, retry, retryDelay: 0, gcTime: 0, ...options };
    stop = new QueryObserver(newQueryClient(), query).subscribe(() => undefined);
    return sent;
  }

  it('is sent again with growing pauses, while the page is visible', async () => {
    const sent = shown(500);
    await jest.advanceTimersByTimeAsync(110_000);
    expect(sent).toEqual([0, 4, 12, 28, 58, 88].flatMap((at) => [at, at]));
    page.visibilityState = 'hidden';
    await jest.advanceTimersByTimeAsync(100_000);
    expect(sent).toHaveLength(12);
    page.visibilityState = 'visible';
    await jest.advanceTimersByTimeAsync(30_000);
    expect(sent).toHaveLength(14);
  });

  it.each([
    ['without retries, such as an upload', 500, { retry: false }, 1],
    ['after a rate limit that was waited for', 429, {}, 2],
    ['with an error that stays', 404, {}, 2],
  ])('is not sent again %s', async (_what, status, options, times) => {
    const sent = shown(status, options);
    await jest.advanceTimersByTimeAsync(100_000);
    expect(sent).toHaveLength(times);
  });
});
