import { inContext } from '../../../kernel/request-context';
import type { AccountEvent } from './event';
import { EventOutbox } from './event-outbox';

const trace = (digit: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
const optedOut = (accountId: string, traceparent?: string): AccountEvent => ({
  accountId,
  at: new Date(0),
  ...(traceparent && { traceparent }),
  type: 'contact.opted_out',
  data: { phone: '4915112345678', userId: null, scope: 'All', source: 'Keyword' },
});

describe('The outbox of events', () => {
  const added: [accountId: string, events: number, traceparent: string | null][] = [];
  const outbox = new EventOutbox({
    add: (accountId, events, traceparent) => Promise.resolve(void added.push([accountId, events.length, traceparent])),
  });

  beforeEach(() => {
    added.length = 0;
  });

  it('writes the events of an account together, with the first trace that one of them has', async () => {
    await outbox.write([
      optedOut('a'),
      optedOut('b', trace('2')),
      optedOut('a', trace('1')),
      optedOut('a', trace('3')),
    ]);
    expect(added).toEqual([
      ['a', 3, trace('1')],
      ['b', 1, trace('2')],
    ]);
  });

  it('uses the trace of the current work for events without one', async () => {
    await inContext({ traceparent: trace('4') }, () => outbox.write([optedOut('a')]));
    await outbox.write([optedOut('a')]);
    expect(added).toEqual([
      ['a', 1, trace('4')],
      ['a', 1, null],
    ]);
  });
});
