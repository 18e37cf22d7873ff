import { readFileSync } from 'node:fs';
import { acceptsIn } from './directory-socket';

/** A process of this machine. */
export interface ProcessRecord {
  pid: number;
  /** Clock ticks between the start of the machine and that of the process; null if unknown. */
  processStart: string | null;
  /** Differs each time the machine starts; null if unknown. */
  bootId: string | null;
}

/** The holder of a lock. */
export interface LockRecord extends ProcessRecord {
  /** Name of the socket in the locked directory; null if the file system has no sockets. */
  socket: string | null;
}

/** This process. */
export function thisProcess(): ProcessRecord {
  return { pid: process.pid, processStart: startOf(process.pid), bootId: bootId() };
}

/**
 * Whether the holder is alive. The socket proves it even for a process in another container, whose pid is meaningless here; the pid
 * counts only together with its start time, because pids are reused (in containers it is always 1).
 */
export async function isHeld(record: LockRecord, directory: string): Promise<boolean> {
  // If start times are unknown, the socket decides, if there is one.
  const pidCounts = record.processStart !== null || record.socket === null;
  if (pidCounts && isRunning(record)) return true;
  return record.socket !== null && (await acceptsIn(directory, record.socket));
}

/** Whether the process runs; without a known start time, whether any process has its pid. */
export function isRunning({ pid, processStart, bootId: boot }: ProcessRecord): boolean {
  if (boot !== bootId()) return false;
  return processStart === null ? signalReaches(pid) : processStart === startOf(pid);
}

/** Field 22 of /proc/<pid>/stat, counted from the end of field 2, the name, which may contain spaces and brackets. */
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
