import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryInUseError, DirectoryLock } from './directory-lock';
import { listenIn } from './directory-socket';
import { type LockRecord, thisProcess } from './lock-holder';

interface Contender {
  process: ChildProcessWithoutNullStreams;
  output: string;
}

describe('DirectoryLock', () => {
  let directory: string;
  const started: ChildProcessWithoutNullStreams[] = [];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lock-test-'));
  });

  afterEach(async () => {
    await Promise.all(started.splice(0).map((process) => end(process, 'SIGKILL')));
    await rm(directory, { recursive: true });
  });

  /** Starts a process that acquires the directory, and waits for its output. */
  async function start(wanted = directory): Promise<Contender> {
    const process_ = spawn(process.execPath, [require.resolve('./fixtures/hold-directory'), wanted]);
    started.push(process_);
    const [output] = (await once(process_.stdout, 'data')) as [Buffer];
    return { process: process_, output: output.toString().trim() };
  }

  async function end(process_: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): Promise<void> {
    if (process_.exitCode !== null || process_.signalCode !== null) return;
    const exited = once(process_, 'exit');
    process_.kill(signal);
    await exited;
  }

  async function acquireAndRelease(): Promise<void> {
    await (await DirectoryLock.acquire(directory)).release();
  }

  async function record(holder: Partial<LockRecord>): Promise<void> {
    await writeFile(join(directory, 'lock.1'), JSON.stringify({ ...thisProcess(), socket: null, ...holder }));
  }

  it('refuses a directory that another process holds, and names both', async () => {
    const first = await start();
    expect(first.output).toBe('held');
    const error: unknown = await DirectoryLock.acquire(directory).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DirectoryInUseError);
    expect(error).toMatchObject({ pid: first.process.pid });
    expect((error as Error).message).toContain(`${directory} is already in use by process ${first.process.pid}`);
  });

  it('refuses a directory that this process holds', async () => {
    const lock = await DirectoryLock.acquire(directory);
    await expect(DirectoryLock.acquire(directory)).rejects.toThrow(`already in use by process ${process.pid}`);
    await lock.release();
    await acquireAndRelease();
  });

  it('refuses while the holder is suspended, because it may continue', async () => {
    const first = await start();
    first.process.kill('SIGSTOP');
    await expect(DirectoryLock.acquire(directory)).rejects.toThrow(DirectoryInUseError);
  });

  it('is free as soon as its holder is killed', async () => {
    await end((await start()).process, 'SIGKILL');
    await acquireAndRelease();
  });

  it('is free once its holder releases it', async () => {
    const first = await start();
    first.process.stdin.end();
    await once(first.process, 'exit');
    expect((await start()).output).toBe('held');
  });

  it.each(['in a new directory', 'in a directory whose holder was killed'])(
    'is acquired by exactly one of several processes that start together %s',
    async (where) => {
      if (where.includes('killed')) await end((await start()).process, 'SIGKILL');
      const contenders = await Promise.all(Array.from({ length: 6 }, () => start()));
      const winners = contenders.filter((contender) => contender.output === 'held');
      expect(winners).toHaveLength(1);
      const refusal = `is already in use by process ${winners[0]!.process.pid}.`;
      expect(contenders.filter((contender) => contender.output.includes(refusal))).toHaveLength(5);
    },
    30_000,
  );

  it('is acquired by exactly one of several concurrent calls in one process', async () => {
    for (let round = 0; round < 20; round++) {
      const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => DirectoryLock.acquire(directory)));
      const locks = attempts.filter((attempt) => attempt.status === 'fulfilled').map((attempt) => attempt.value);
      expect(locks).toHaveLength(1);
      await locks[0]!.release();
    }
  });

  it('is free when a restarted container has a process with the same pid', async () => {
    await record({ processStart: '1' });
    await acquireAndRelease();
  });

  it('is free when the machine was restarted and the pid and start time are the same', async () => {
    await record({ bootId: '00000000-0000-0000-0000-000000000000' });
    await acquireAndRelease();
  });

  it('is held by a running process without a socket', async () => {
    await record({});
    await expect(DirectoryLock.acquire(directory)).rejects.toThrow(DirectoryInUseError);
  });

  it('is held by a process of another container, whose pid is meaningless here', async () => {
    const socket = await listenIn(directory, 'lock.other.sock');
    await record({ pid: 1, processStart: 'of another pid namespace', socket: 'lock.other.sock' });
    await expect(DirectoryLock.acquire(directory)).rejects.toThrow('already in use by process 1.');
    await socket?.close();
    await acquireAndRelease();
  });

  it('works in a directory whose path is too long for a socket', async () => {
    const long = join(directory, 'd'.repeat(120));
    const first = await start(long);
    expect(first.output).toBe('held');
    const { socket } = JSON.parse(await readFile(join(long, 'lock.1'), 'utf8')) as LockRecord;
    expect(existsSync(join(long, socket!))).toBe(true);
    await expect(DirectoryLock.acquire(long)).rejects.toThrow(DirectoryInUseError);
    await end(first.process, 'SIGKILL');
    await (await DirectoryLock.acquire(long)).release();
  });

  it('creates the directory, readable only by its owner', async () => {
    const missing = join(directory, 'a', 'b');
    await (await DirectoryLock.acquire(missing)).release();
    expect((await stat(missing)).mode & 0o777).toBe(0o700);
  });

  it('leaves only its own file behind', async () => {
    await mkdir(join(directory, 'other'));
    for (let round = 0; round < 3; round++) await end((await start()).process, 'SIGKILL');
    await acquireAndRelease();
    expect(await readdir(directory)).toEqual(['lock.4', 'other']);
  });
});
