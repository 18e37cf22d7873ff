import { FakeClock } from '../../test/fakes/fake-clock';
import { GroupCommit, type GroupCommitOptions } from './group-commit';
import { backgroundWork } from './background-work';
import { RowsLockedError } from './unit-of-work';

/** Turns of the event loop, not milliseconds: after a pause of the process a due timer runs before the turns that were waiting. */
async function settleAll(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('A group commit', () => {
  let clock: FakeClock;
  let batches: number[][];
  let failures: (Error | null)[];
  let release: (() => void) | null;
  let held: boolean;

  beforeEach(() => {
    clock = new FakeClock();
    batches = [];
    failures = [];
    release = null;
    held = false;
  });

  function commits(options: Partial<GroupCommitOptions<number>> = {}): GroupCommit<number, string> {
    const write = async (items: number[]): Promise<string[]> => {
      batches.push(items);
      if (held) await new Promise<void>((resolve) => (release = resolve));
      const failure = failures.shift();
      if (failure) throw failure;
      return items.map((item) => `written ${item}`);
    };
    return new GroupCommit(write, { maxItems: 3, gatherMs: 0, clock, ...options });
  }

  it('resolves each item with its own result', async () => {
    const group = commits();

    expect(await Promise.all([group.submit(1), group.submit(2)])).toEqual(['written 1', 'written 2']);
    expect(batches).toEqual([[1, 2]]);
  });

  it('writes items that arrive during a write together, in order, in batches of the maximum size', async () => {
    const group = commits();
    held = true;
    const first = group.submit(1);
    await settleAll();
    const rest = [2, 3, 4, 5, 6].map((item) => group.submit(item));
    expect(group.pending).toBe(6);
    held = false;
    release!();
    await Promise.all([first, ...rest]);

    expect(batches).toEqual([[1], [2, 3, 4], [5, 6]]);
    expect(group.pending).toBe(0);
  });

  it('waits `gatherMs` for more items, unless the batch is full', async () => {
    const group = commits({ gatherMs: 50 });
    const first = group.submit(1);
    await clock.advance(49);
    expect(batches).toEqual([]);
    await clock.advance(1);
    expect(await first).toBe('written 1');

    const full = [2, 3, 4].map((item) => group.submit(item));
    await clock.advance(50);
    await Promise.all(full);
    expect(batches).toEqual([[1], [2, 3, 4]]);
  });

  it('rejects only the items of a failed write', async () => {
    const group = commits();
    failures = [new Error('no')];
    const failed = Promise.allSettled([group.submit(1), group.submit(2)]);
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);

    expect(await group.submit(3)).toBe('written 3');
    expect(group.failing).toBe(false);
  });

  it('retries a failed write of facts until it commits, and reports the failure meanwhile', async () => {
    const reported: unknown[] = [];
    const group = commits({ retryAs: 'writes', onError: (error) => reported.push(error) });
    failures = Array.from({ length: 8 }, () => new Error('unavailable'));
    const written = group.submit(1);
    const later = settleAll().then(() => group.submit(2));
    await settleAll();
    await clock.advance(0);

    expect(group.failing).toBe(true);
    expect(backgroundWork()).toMatchObject([{ name: 'writes', failuresInRow: 1, reason: 'unavailable' }]);
    expect(group.pending).toBe(2);
    await clock.advance(6000);
    expect(await Promise.all([written, later])).toEqual(['written 1', 'written 2']);
    expect(batches).toEqual([...Array.from({ length: 9 }, () => [1]), [2]]);
    expect(reported).toHaveLength(8);
    expect(group.failing).toBe(false);
    expect(backgroundWork()).toEqual([]);
    expect(group.pending).toBe(0);
  });

  it('measures for how long nothing was written although items wait', async () => {
    const group = commits({ retryAs: 'writes' });
    expect(group.stalledMs).toBe(0);
    held = true;
    const first = group.submit(1);
    await settleAll();
    await clock.advance(4000);
    const second = group.submit(2);
    expect(group.stalledMs).toBe(4000);
    held = false;
    release!();
    await Promise.all([first, second]);
    expect(group.stalledMs).toBe(0);
    await clock.advance(4000);
    void group.submit(3);
    expect(group.stalledMs).toBe(0);
    await settleAll();
  });

  it('is settled when nothing is left to write', async () => {
    const group = commits();
    held = true;
    void group.submit(1);
    await settleAll();
    void group.submit(2);
    let settled = false;
    const settling = group.settled().then(() => (settled = true));
    await settleAll();
    expect(settled).toBe(false);

    held = false;
    release!();
    await settling;
    expect(batches).toEqual([[1], [2]]);
  });

  it('writes an item submitted any number of ticks after another', async () => {
    for (let ticks = 0; ticks < 12; ticks++) {
      const group = commits();
      const answered: string[] = [];
      const chain = group.submit(1).then(async () => {
        for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
        answered.push(await group.submit(2));
      });
      await Promise.race([chain, settleAll().then(settleAll)]);
      expect(answered).toEqual(['written 2']);
    }
  });

  describe('with separated items', () => {
    /** The owner of an item is its hundred; each item needs its own row. */
    const separate = { ownerOf: (item: number) => `${Math.floor(item / 100)}`, keyOf: (item: number) => `${item}` };
    const attempts: string[] = [];
    const locked = new Set<number>();

    beforeEach(() => {
      attempts.length = 0;
      locked.clear();
    });
    const lock = (...items: number[]) => items.forEach((item) => locked.add(item));
    const release = (...items: number[]) => items.forEach((item) => locked.delete(item));
    const separating = (options: Partial<GroupCommitOptions<number>> = {}) => {
      const write = async (items: number[], lockWaitMs?: number): Promise<string[]> => {
        attempts.push(items.join());
        expect(lockWaitMs).toBeLessThanOrEqual(50);
        await Promise.resolve();
        if (items.some((item) => locked.has(item))) throw new RowsLockedError();
        return items.map((item) => `written ${item}`);
      };
      return new GroupCommit(write, { maxItems: 200, gatherMs: 0, clock, separate, ...options });
    };
    const answersOf = (written: Promise<string>[]) => {
      const answers: string[] = [];
      written.forEach((one) => void one.then((answer) => answers.push(answer)));
      return answers;
    };

    it('writes a batch once while no row is locked', async () => {
      const group = separating();
      await Promise.all([1, 2, 101].map((item) => group.submit(item)));
      expect(attempts).toEqual(['1,2,101']);
    });

    it('delays only the item whose row is locked', async () => {
      const group = separating();
      lock(2);
      const written = [1, 2, 3, 101, 201].map((item) => group.submit(item));
      const answers = answersOf(written);
      await settleAll();
      expect(answers.sort()).toEqual(['written 1', 'written 101', 'written 201', 'written 3']);
      expect(group.pending).toBe(1);
      // Later items of the owner wait only for the same row; other owners' batches no longer include it.
      attempts.length = 0;
      const later = [2, 4, 102].map((item) => group.submit(item));
      expect(await Promise.all(later.slice(1))).toEqual(['written 4', 'written 102']);
      expect(attempts.sort()).toEqual(['102', '4']);
      release(2);
      await clock.advance(100);
      await group.settled();
      expect(await Promise.all([written[1], later[0]])).toEqual(['written 2', 'written 2']);
      expect(group.pending).toBe(0);
    });

    it('retries the rows of an owner in few transactions if all are locked', async () => {
      const group = separating();
      const blocked = Array.from({ length: 90 }, (_, n) => n);
      lock(...blocked);
      const written = blocked.map((item) => group.submit(item));
      for (let round = 1; round < 9; round++) expect(await group.submit(round * 100)).toBe(`written ${round * 100}`);
      attempts.length = 0;
      await clock.advance(100);
      expect(attempts.map((attempt) => attempt.split(',').length)).toEqual([1, 1, 1, 87]);
      release(...blocked);
      await clock.advance(100);
      await group.settled();
      expect((await Promise.all(written))[89]).toBe('written 89');
    });

    it('rejects only the item whose row stays locked', async () => {
      const group = separating();
      lock(1);
      const failed = expect(group.submit(1)).rejects.toThrow(RowsLockedError);
      expect(await group.submit(2)).toBe('written 2');
      await settleAll();
      await clock.advance(5000);
      await failed;
      release(1);
      expect(await group.submit(1)).toBe('written 1');
    });

    it('retries a separated fact while its row is locked, and reports the failure meanwhile', async () => {
      const group = separating({ retryAs: 'facts' });
      lock(1);
      const fact = group.submit(1);
      expect(await group.submit(2)).toBe('written 2');
      await settleAll();
      await clock.advance(5000);
      expect(backgroundWork()).toMatchObject([{ name: 'facts', failuresInRow: 1 }]);
      release(1);
      await clock.advance(1000);
      expect(await fact).toBe('written 1');
      expect(backgroundWork()).toEqual([]);
    });
  });
});
