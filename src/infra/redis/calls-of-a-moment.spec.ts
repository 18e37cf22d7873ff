import { CallsOfAMoment } from './calls-of-a-moment';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Calls of a moment', () => {
  const asked: [string, number][] = [];
  let answers: (answer: string[] | Error) => void = () => undefined;

  const calls = new CallsOfAMoment<string, string>(
    (request, count) => {
      asked.push([request, count]);
      return new Promise((resolve, reject) => {
        answers = (answer) => (answer instanceof Error ? reject(answer) : resolve(answer));
      });
    },
    { turn: nextTurn },
  );

  beforeEach(() => asked.splice(0));

  it('share one call where they are equal, and each has its own answer', async () => {
    const three = Promise.all([calls.call('a', 'A'), calls.call('a', 'A'), calls.call('a', 'A')]);
    await nextTurn();
    answers(['first', 'second', 'third']);
    expect(await three).toEqual(['first', 'second', 'third']);
    expect(asked).toEqual([['A', 3]]);
  });

  it('are made apart where they differ', async () => {
    void calls.call('a', 'A');
    void calls.call('b', 'B');
    await nextTurn();
    expect(asked).toEqual([
      ['A', 1],
      ['B', 1],
    ]);
  });

  it('do not wait for the answer to an earlier one', async () => {
    void calls.call('a', 'earlier');
    await nextTurn();
    const later = calls.call('a', 'later');
    await nextTurn();
    answers(['soon']);
    expect(await later).toBe('soon');
  });

  it('all fail with the call that they share', async () => {
    const both = Promise.allSettled([calls.call('a', 'A'), calls.call('a', 'A')]);
    await nextTurn();
    answers(new Error('away'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
