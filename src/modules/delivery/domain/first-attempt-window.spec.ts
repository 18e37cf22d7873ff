import fc from 'fast-check';
import { FirstAttemptWindow } from './first-attempt-window';

describe('The window of first attempts', () => {
  it('ends at the cursor while nothing is open', () => {
    const window = new FirstAttemptWindow();

    expect(window.empty).toBe(true);
    expect(window.settledBelow(7)).toBe(7);
  });

  it('begins at the lowest position without a recorded answer', () => {
    const window = new FirstAttemptWindow();
    for (const position of [3, 4, 6]) window.opened(position);
    window.recorded(4);
    expect(window.settledBelow(7)).toBe(3);
    window.recorded(3);
    expect(window.settledBelow(7)).toBe(6);
    window.recorded(6);
    expect(window.settledBelow(7)).toBe(7);
    expect(window.empty).toBe(true);
  });

  it('is right whatever the order in which answers come, over thousands of positions', () => {
    const steps = fc.array(fc.tuple(fc.nat(5), fc.nat()), { minLength: 1, maxLength: 1500 });
    fc.assert(
      fc.property(steps, (sequence) => {
        const window = new FirstAttemptWindow();
        const open: number[] = [];
        let cursor = 1;
        for (const [claims, pick] of sequence) {
          for (let n = 0; n < claims; n++) {
            window.opened(cursor);
            open.push(cursor++);
          }
          const [answered] = open.splice(pick % Math.max(1, open.length), 1);
          if (answered !== undefined) window.recorded(answered);
          expect(window.settledBelow(cursor)).toBe(open[0] ?? cursor);
          expect(window.empty).toBe(open.length === 0);
        }
      }),
      { numRuns: 30 },
    );
  });
});
