import { setFlagsFromString } from 'node:v8';
import { withSmallYoungGeneration } from './small-young-generation';

jest.mock('node:v8', () => ({ ...jest.requireActual<object>('node:v8'), setFlagsFromString: jest.fn() }));

/** The growth factors set in V8. */
const factors = (): string[] => jest.mocked(setFlagsFromString).mock.calls.map(([flag]) => flag.split('=')[1]!);

describe('The young generation', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    jest.mocked(setFlagsFromString).mockClear();
  });
  afterEach(() => jest.useRealTimers());

  it('grows again when the last of several tasks has ended, even if it failed', async () => {
    const ends: (() => void)[] = [];
    const first = withSmallYoungGeneration(() => new Promise<void>((resolve) => ends.push(resolve)));
    const second = withSmallYoungGeneration(
      () => new Promise((_resolve, reject) => ends.push(() => reject(new Error('left')))),
    );
    ends[0]!();
    await first;
    expect(factors()).toEqual(['1', '1']);
    ends[1]!();
    await expect(second).rejects.toThrow('left');
    expect(factors()).toEqual(['1', '1', '2']);
  });

  it('grows again after 30 s at the latest', async () => {
    let end!: () => void;
    const work = withSmallYoungGeneration(() => new Promise<void>((resolve) => (end = resolve)));
    await jest.advanceTimersByTimeAsync(30_000);
    expect(factors()).toEqual(['1', '2']);
    end();
    await work;
    expect(factors()).toEqual(['1', '2']);
  });
});
