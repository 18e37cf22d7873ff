import { CallCoalescer } from './call-coalescer';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('CallCoalescer', () => {
  const sent: [string, number][] = [];
  let answers: (answer: string[] | Error) => void = () => undefined;

  const calls = new CallCoalescer<string, string>(
    (request, count) => {
      sent.push([request, count]);
      return new Promise((resolve, reject) => {
        answers = (answer) => (answer instanceof Error ? reject(answer) : resolve(answer));
      });
    },
    { turn: nextTurn },
  );

  beforeEach(() => sent.splice(0));

  it('makes one call for equal requests, and resolves each with its own result', async () => {
    const three = Promise.all([calls.call('a', 'A'), calls.call('a', 'A'), calls.call('a', 'A')]);
    await nextTurn();
    answers(['first', 'second', 'third']);
    expect(await three).toEqual(['first', 'second', 'third']);
    expect(sent).toEqual([['A', 3]]);
  });

  it('makes separate calls for different requests', async () => {
    void calls.call('a', 'A');
    void calls.call('b', 'B');
    await nextTurn();
    expect(sent).toEqual([
      ['A', 1],
      ['B', 1],
    ]);
  });

  it('does not wait for an earlier call', async () => {
    void calls.call('a', 'earlier');
    await nextTurn();
    const later = calls.call('a', 'later');
    await nextTurn();
    answers(['soon']);
    expect(await later).toBe('soon');
  });

  it('rejects all requests of a failed call', async () => {
    const both = Promise.allSettled([calls.call('a', 'A'), calls.call('a', 'A')]);
    await nextTurn();
    answers(new Error('unavailable'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
