import { randomBytes } from 'node:crypto';
import { link, mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DirectorySocket, listenIn } from './directory-socket';
import { isHeld, type LockRecord, thisProcess } from './lock-holder';

const ATTEMPTS = 20;

/** Another process uses the directory. */
export class DirectoryInUseError extends Error {
  constructor(
    readonly directory: string,
    readonly pid: number,
  ) {
    super(
      `The data directory ${directory} is already in use by process ${pid}. ` +
        'Stop that process, or set DATA_DIR to another directory.',
    );
    this.name = new.target.name;
  }
}

/**
 * Exclusive use of a directory until `release` or the end of the process, even if it crashes.
 *
 * The lock is the file `lock.<n>` with the highest n: it names its holder, which is alive while the socket named there
 * accepts connections. A process that finds the holder dead links `lock.<n+1>`, which only one process can do: a lock is never
 * deleted to acquire it, so two processes that find the same dead holder cannot both succeed.
 */
export class DirectoryLock {
  private constructor(
    private readonly file: string,
    private readonly socket: DirectorySocket | null,
  ) {}

  /** Acquires the directory, creating it if needed; rejects with DirectoryInUseError if another process holds it. */
  static async acquire(directory: string): Promise<DirectoryLock> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const id = randomBytes(8).toString('hex');
    // The socket must accept connections before the lock names it.
    const socketName = `lock.${id}.sock`;
    const socket = await listenIn(directory, socketName);
    const candidate = join(directory, `lock.${id}.candidate`);
    const record: LockRecord = { ...thisProcess(), socket: socket ? socketName : null };
    try {
      await writeFile(candidate, JSON.stringify(record), { mode: 0o600 });
      return new DirectoryLock(await linkNext(candidate, directory), socket);
    } catch (error) {
      await socket?.close();
      throw error;
    } finally {
      await unlink(candidate).catch(() => undefined);
    }
  }

  async release(): Promise<void> {
    // Emptied, not deleted: otherwise a process about to link the next number and one that finds no lock at all
    // could both succeed.
    await writeFile(this.file, '');
    await this.socket?.close();
  }
}

async function linkNext(candidate: string, directory: string): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = await generations(directory);
    const newest = found.at(-1) ?? 0;
    const holder = await readRecord(lockFile(directory, newest));
    if (holder && (await isHeld(holder, directory))) throw new DirectoryInUseError(directory, holder.pid);

    const file = lockFile(directory, newest + 1);
    if (!(await tryLink(candidate, file))) continue;
    // A listing may miss files that are created meanwhile, so this number could be too low.
    if ((await generations(directory)).at(-1) !== newest + 1) {
      await unlink(file);
      continue;
    }
    for (const old of found) await removeLock(directory, old);
    return file;
  }
  throw new Error(`The lock of the data directory ${directory} could not be acquired in ${ATTEMPTS} attempts.`);
}

function lockFile(directory: string, generation: number): string {
  return join(directory, `lock.${generation}`);
}

/** The numbers of the locks in the directory, ascending. */
async function generations(directory: string): Promise<number[]> {
  const digits = (await readdir(directory)).map((name) => /^lock\.(\d{1,15})$/.exec(name)?.[1]);
  return digits
    .filter((text) => text !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

/** The holder of the lock; null if it was released or does not exist. */
async function readRecord(file: string): Promise<LockRecord | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as LockRecord;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function removeLock(directory: string, generation: number): Promise<void> {
  const file = lockFile(directory, generation);
  const record = await readRecord(file);
  if (record?.socket) await unlink(join(directory, record.socket)).catch(() => undefined);
  await unlink(file).catch(() => undefined);
}
