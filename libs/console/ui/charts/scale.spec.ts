import { labelIndexes, ticks } from './scale';

describe('The scale of a chart', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [7, [0, 2, 4, 6, 8]],
    [100, [0, 50, 100]],
    [1000, [0, 500, 1000]],
  ])('has round ticks up to at least %d', (highest, expected) => {
    expect(ticks(highest)).toEqual(expected);
  });

  it('labels every index if there is room, and evenly spaced ones up to the last otherwise', () => {
    expect(labelIndexes(4, 400, 84)).toEqual([0, 1, 2, 3]);
    expect(labelIndexes(24, 400, 84)).toEqual([5, 11, 17, 23]);
    expect(labelIndexes(3, 0, 84)).toEqual([2]);
  });
});
