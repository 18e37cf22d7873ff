import { randomBytes } from 'node:crypto';
import { link, mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DirectorySocket, listenIn } from './directory-socket';
import { isHeld, type LockRecord, thisProcess } from './lock-holder';

const ATTEMPTS = 20;

/** Another living process has the directory open; `message` names both and says what to do. */
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
 * The right to use a directory alone, until `release` or the end of the process, however it ends.
 *
 * The lock is the file `lock.<n>` with the highest n: it names its holder, who is alive while the socket named there
 * accepts connections. Whoever finds the holder dead links `lock.<n+1>`, which only one can: a lock is never deleted
 * to be taken, so two that find the same dead holder cannot both win.
 */
export class DirectoryLock {
  private constructor(
    private readonly file: string,
    private readonly socket: DirectorySocket | null,
  ) {}

  /** Takes the directory, which is made if it is missing; rejects with DirectoryInUseError when another process has it. */
  static async acquire(directory: string): Promise<DirectoryLock> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const id = randomBytes(8).toString('hex');
    // It must be possible to see that we live before our name stands anywhere.
    const socketName = `lock.${id}.sock`;
    const socket = await listenIn(directory, socketName);
    const candidate = join(directory, `lock.${id}.candidate`);
    const record: LockRecord = { ...thisProcess(), socket: socket ? socketName : null };
    try {
      await writeFile(candidate, JSON.stringify(record), { mode: 0o600 });
      return new DirectoryLock(await place(candidate, directory), socket);
    } catch (error) {
      await socket?.close();
      throw error;
    } finally {
      await unlink(candidate).catch(() => undefined);
    }
  }

  /** Gives the directory back. */
  async release(): Promise<void> {
    // Emptied, not deleted: without it, somebody about to link the next number and somebody who finds no lock at all
    // could both win.
    await writeFile(this.file, '');
    await this.socket?.close();
  }
}

async function place(candidate: string, directory: string): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = await generations(directory);
    const newest = found.at(-1) ?? 0;
    const holder = await readRecord(lockFile(directory, newest));
    if (holder && (await isHeld(holder, directory))) throw new DirectoryInUseError(directory, holder.pid);

    const file = lockFile(directory, newest + 1);
    if (!(await linked(candidate, file))) continue;
    // A listing may miss files that come and go while it is made, so our number could be too low.
    if ((await generations(directory)).at(-1) !== newest + 1) {
      await unlink(file);
      continue;
    }
    for (const old of found) await removeLock(directory, old);
    return file;
  }
  throw new Error(`The lock of the data directory ${directory} could not be taken in ${ATTEMPTS} attempts.`);
}

function lockFile(directory: string, generation: number): string {
  return join(directory, `lock.${generation}`);
}

/** The numbers of the locks in the directory, rising. */
async function generations(directory: string): Promise<number[]> {
  const digits = (await readdir(directory)).map((name) => /^lock\.(\d{1,15})$/.exec(name)?.[1]);
  return digits
    .filter((text) => text !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

/** Who holds the lock; null when it was given back, or is not there. */
async function readRecord(file: string): Promise<LockRecord | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as LockRecord;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function linked(from: string, to: string): Promise<boolean> {
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
