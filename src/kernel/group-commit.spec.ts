import { FakeClock } from '../../test/fakes/fake-clock';
import { GroupCommit, type GroupCommitOptions } from './group-commit';
import { repeatedWork } from './repeated-work';

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

  function commits(options: Partial<GroupCommitOptions> = {}): GroupCommit<number, string> {
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
});
