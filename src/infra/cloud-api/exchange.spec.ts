import { Exchange } from './exchange';

function controller() {
  const aborted: Error[] = [];
  return {
    aborted,
    abort: (reason: Error) => void aborted.push(reason),
    pause() {},
    resume() {},
    paused: false,
    reason: null,
  };
}

describe('Exchange', () => {
  it('refuses to be written twice, and reports the first write as unanswered', async () => {
    const exchange = new Exchange({ connectionWaitMs: 1_000, responseMs: 1_000 });
    exchange.onRequestStart({ ...controller(), aborted: false });
    const again = controller();
    exchange.onRequestStart({ ...again, aborted: false });
    expect(again.aborted).toHaveLength(1);
    expect(await exchange.result).toMatchObject({ kind: 'no_answer' });
  });

  it('keeps its first result when an error follows', async () => {
    const exchange = new Exchange({ connectionWaitMs: 1_000, responseMs: 1_000 });
    const connection = { ...controller(), aborted: false };
    exchange.onRequestStart(connection);
    exchange.onResponseStart(connection, 200);
    exchange.onResponseEnd();
    exchange.onResponseError(connection, new Error('closed'));
    expect(await exchange.result).toEqual({ kind: 'response', status: 200, text: '' });
  });
});
