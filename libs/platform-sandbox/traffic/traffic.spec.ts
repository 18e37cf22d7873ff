import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { newMessageId } from '../messages/message-id';
import { SeededRandom } from './seeded-random';
import { SlidingLimit } from './limits';
import { TimeWheel } from './time-wheel';

describe('A sliding limit', () => {
  it('allows exactly its limit in any span', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 600 }),
        (limit, gaps) => {
          const window = new SlidingLimit(limit, 100);
          const taken: number[] = [];
          let now = 0;
          for (const gap of gaps) {
            now += gap;
            const recent = taken.filter((at) => now - at < 100).length;
            const allowed = window.take(now);
            expect(allowed).toBe(recent < limit);
            if (allowed) taken.push(now);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('The random generator', () => {
  it('repeats its sequence for the same seed, and differs between seeds', () => {
    const sequence = (seed: number) => {
      const random = new SeededRandom(seed);
      return Array.from({ length: 20 }, () => random.next());
    };
    expect(sequence(7)).toEqual(sequence(7));
    expect(sequence(7)).not.toEqual(sequence(8));
  });

  it('returns true with about the given probability', () => {
    const random = new SeededRandom(1);
    const hits = Array.from({ length: 10_000 }, () => random.chance(0.2)).filter((hit) => hit).length;
    expect(hits).toBeGreaterThan(1800);
    expect(hits).toBeLessThan(2200);
  });
});

describe('The time wheel', () => {
  it('calls back for each item, never early, and stops when empty', async () => {
    const due: { delay: number; waited: number }[] = [];
    const start = performance.now();
    const wheel = new TimeWheel<number>((delay) => due.push({ delay, waited: performance.now() - start }));
    for (const delay of [80, 0, 35, 35, 5]) wheel.add(delay, delay);
    expect(wheel.size).toBe(5);
    await pause(150);
    expect(due.map(({ delay }) => delay)).toEqual([0, 5, 35, 35, 80]);
    expect(due.every(({ delay, waited }) => waited >= delay)).toBe(true);
    expect(wheel.size).toBe(0);
  });

  it('accepts new items during callbacks, and drops all of them when cleared', async () => {
    const due: string[] = [];
    const wheel = new TimeWheel<string>((name) => {
      due.push(name);
      if (name === 'first') wheel.add('second', 10);
      if (name === 'second') wheel.add('third', 10_000);
    });
    wheel.add('first', 0);
    await pause(80);
    expect([due, wheel.size]).toEqual([['first', 'second'], 1]);
    wheel.clear();
    expect(wheel.size).toBe(0);
  });
});

describe('A message id', () => {
  it('is unique and contains the person and the direction', () => {
    const ids = Array.from({ length: 5000 }, () => newMessageId('4915112345678', 'outbound'));
    expect(new Set(ids).size).toBe(5000);
    const bytes = Buffer.from((ids[0] ?? '').slice('wamid.'.length), 'base64');
    expect(bytes.toString('latin1')).toMatch(/^\x1c\x18\x0d4915112345678\x15\x02\x00\x11\x18\x12[0-9A-F]{18}\x00$/);
  });

  it('differs between processes', () => {
    const inAnotherProcess = () => {
      let id = '';
      jest.isolateModules(() => {
        id = jest
          .requireActual<typeof import('../messages/message-id')>('../messages/message-id')
          .newMessageId('1', 'inbound');
      });
      return id;
    };
    expect(inAnotherProcess()).not.toBe(inAnotherProcess());
  });
});
