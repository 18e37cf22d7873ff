import type { Operation } from '../../client/calls';
import { call, endPauses } from './call';

describe('A call that exceeded a rate limit', () => {
  let sent: number;
  const limited = (() => {
    sent++;
    const headers = { 'retry-after': '1' };
    return Promise.resolve({ response: new Response(null, { status: sent === 1 ? 429 : 200, headers }), data: 'done' });
  }) as unknown as Operation;

  beforeEach(() => {
    sent = 0;
  });

  it('is sent again when the service allows it', async () => {
    expect(await call(limited, {} as never)).toBe('done');
    expect(sent).toBe(2);
  });

  it.each([
    ['its caller has left', (caller: AbortController) => caller.abort()],
    ['the session has ended', () => endPauses()],
  ])('is not sent again after %s', async (_what, end) => {
    const caller = new AbortController();
    const called = call(limited, {} as never, { pauseSignal: caller.signal });
    setTimeout(() => end(caller), 50);
    await expect(called).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect(sent).toBe(1);
  });
});
