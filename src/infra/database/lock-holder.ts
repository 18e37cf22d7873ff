import { readFileSync } from 'node:fs';
import { acceptsIn } from './directory-socket';

/** What a lock says of its holder. */
export interface LockRecord {
  pid: number;
  /** Clock ticks between the start of the machine and that of the process; null where the system does not tell. */
  processStart: string | null;
  /** Differs each time the machine starts; null where the system does not tell. */
  bootId: string | null;
  /** Name of the socket in the locked directory; null where the file system has no sockets. */
  socket: string | null;
}

/** This process, as a lock names it. */
export function thisProcess(): Omit<LockRecord, 'socket'> {
  return { pid: process.pid, processStart: startOf(process.pid), bootId: bootId() };
}

/**
 * Whether the holder still lives. The socket proves it even for a process in another container, whose pid means
 * nothing here; the pid counts only together with its start, because pids come again (in a container always as 1).
 */
export async function isHeld(record: LockRecord, directory: string): Promise<boolean> {
  if (sameProcessLives(record)) return true;
  return record.socket !== null && (await acceptsIn(directory, record.socket));
}

function sameProcessLives(record: LockRecord): boolean {
  if (record.bootId !== bootId()) return false;
  if (record.processStart !== null) return record.processStart === startOf(record.pid);
  // Where the system does not tell starts, the socket decides if there is one.
  return record.socket === null && signalReaches(record.pid);
}

/** Field 22 of /proc/<pid>/stat; the second one, the name, may hold blanks and brackets, so count after its end. */
function startOf(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

function bootId(): string | null {
  return readText('/proc/sys/kernel/random/boot_id')?.trim() ?? null;
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function signalReaches(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
