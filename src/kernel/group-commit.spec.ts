import { FakeClock } from '../../test/fakes/fake-clock';
import { GroupCommit, type GroupCommitOptions } from './group-commit';
import { repeatedWork } from './repeated-work';
import { RowsLockedError } from './unit-of-work';

function settleAll(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
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

  it('answers each item with its own result', async () => {
    const group = commits();

    expect(await Promise.all([group.submit(1), group.submit(2)])).toEqual(['written 1', 'written 2']);
    expect(batches).toEqual([[1, 2]]);
  });

  it('writes what came during a write together, in the order in which it came, in batches of the largest size', async () => {
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

  it('gathers for as long as it is told, unless a batch is full', async () => {
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

  it('hands a failed write to whoever waits for it, and to nobody else', async () => {
    const group = commits();
    failures = [new Error('no')];
    const failed = Promise.allSettled([group.submit(1), group.submit(2)]);
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);

    expect(await group.submit(3)).toBe('written 3');
    expect(group.failing).toBe(false);
  });

  it('repeats a failed write of facts until it commits, and says meanwhile that it fails', async () => {
    const heard: unknown[] = [];
    const group = commits({ repeatAs: 'writes', onError: (error) => heard.push(error) });
    failures = Array.from({ length: 8 }, () => new Error('away'));
    const written = group.submit(1);
    const later = settleAll().then(() => group.submit(2));
    await settleAll();
    await clock.advance(0);

    expect(group.failing).toBe(true);
    expect(repeatedWork()).toMatchObject([{ name: 'writes', failuresInRow: 1, reason: 'away' }]);
    expect(group.pending).toBe(2);
    await clock.advance(6000);
    expect(await Promise.all([written, later])).toEqual(['written 1', 'written 2']);
    expect(batches).toEqual([...Array.from({ length: 9 }, () => [1]), [2]]);
    expect(heard).toHaveLength(8);
    expect(group.failing).toBe(false);
    expect(repeatedWork()).toEqual([]);
    expect(group.pending).toBe(0);
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

  it('writes an item whatever the moment at which it comes after another', async () => {
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
    /** Items below 100 belong to one owner, others to the owner of their hundred; each needs a row of its own. */
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

    it('lets only the item wait whose row is locked', async () => {
      const group = separating();
      lock(2);
      const written = [1, 2, 3, 101, 201].map((item) => group.submit(item));
      const answers = answersOf(written);
      await settleAll();
      expect(answers.sort()).toEqual(['written 1', 'written 101', 'written 201', 'written 3']);
      expect(group.pending).toBe(1);
      // The owner's later items do not wait, those for the same row do; the other owners' batch does not meet it again.
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

    it('asks for the rows of an owner in few transactions where all are locked', async () => {
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

    it('rejects an item whose row stays locked, and no other', async () => {
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

    it('writes a separated fact however long its row is locked, and says meanwhile that it fails', async () => {
      const group = separating({ repeatAs: 'facts' });
      lock(1);
      const fact = group.submit(1);
      expect(await group.submit(2)).toBe('written 2');
      await settleAll();
      await clock.advance(5000);
      expect(repeatedWork()).toMatchObject([{ name: 'facts', failuresInRow: 1 }]);
      release(1);
      await clock.advance(1000);
      expect(await fact).toBe('written 1');
      expect(repeatedWork()).toEqual([]);
    });
  });
});
