import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

const PREFIX = 'recipient-uploads';
/** Distinguishes this process from an earlier one with the same pid: in a container the pid is 1 after each restart. */
const STARTED_AT = Math.round(performance.timeOrigin);

/** A directory of this process for uploaded files; removed when the process ends normally. */
@Injectable()
export class UploadDirectory implements OnModuleInit, OnApplicationShutdown {
  private path: string;

  /** Creates the directory and removes those of processes on this host that crashed. */
  async onModuleInit(): Promise<void> {
    for (const name of await readdir(tmpdir())) {
      if (!isLeftOver(name)) continue;
      // A directory of another user cannot be removed; that must not prevent the start.
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
    }
    this.path = await makeDirectory();
  }

  async onApplicationShutdown(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  /** The path of a new, unique file. */
  async newFile(): Promise<string> {
    // Hosts delete temporary files that were not used for days.
    const exists = await access(this.path).then(
      () => true,
      () => false,
    );
    if (!exists) this.path = await makeDirectory();
    return join(this.path, randomUUID());
  }
}

/** mkdtemp creates it with mode 0700, because uploads contain phone numbers. */
function makeDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), `${PREFIX}-${hostname()}-${process.pid}-${STARTED_AT}-`));
}

function isLeftOver(name: string): boolean {
  const host = `${PREFIX}-${hostname()}-`;
  if (!name.startsWith(host)) return false;
  const [pid, startedAt] = name.slice(host.length).split('-').map(Number);
  if (!pid || !startedAt) return false;
  return pid === process.pid ? startedAt !== STARTED_AT : !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
