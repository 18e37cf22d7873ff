import fs from 'node:fs';
import { DiskReserve, NoSpaceError } from './disk-reserve';
import { isTransientError } from './transient-error';

describe('The disk reserve of the embedded database', () => {
  let now = 0;
  let free = 48_000_000;
  let blocks = 1;

  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    jest.spyOn(fs, 'statfsSync').mockImplementation(() => ({ bavail: free, bsize: 1, blocks }) as never);
  });
  afterEach(() => jest.restoreAllMocks());

  it('rejects new work with a transient error while the disk has less, and accepts it again', () => {
    const reserve = new DiskReserve('/data');
    expect(() => reserve.check()).not.toThrow();
    [now, free] = [250, 47_999_999];
    const message =
      'No space left on device: the disk of DATA_DIR has 47 MB, of which the embedded database keeps 48 MB';
    expect(() => reserve.check()).toThrow(message);
    expect(isTransientError(new NoSpaceError(free))).toBe(true);
    [now, free] = [499, 48_000_000];
    expect(() => reserve.check()).toThrow(message);
    now = 500;
    expect(() => reserve.check()).not.toThrow();
  });

  it('accepts work on a file system that does not tell its size', () => {
    [free, blocks] = [0, 0];
    expect(() => new DiskReserve('/data').check()).not.toThrow();
  });
});
