import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

const PREFIX = 'recipient-uploads';
/** Tells this process from an earlier one with the same number: after a restart a container's is 1 again. */
const STARTED_AT = Math.round(performance.timeOrigin);

/** A directory of this process alone for files while they are being read; it is gone when the process ends cleanly. */
@Injectable()
export class UploadDirectory implements OnModuleInit, OnApplicationShutdown {
  private path: string;

  /** Makes the directory, and removes those of processes of this host that died without doing so. */
  async onModuleInit(): Promise<void> {
    for (const name of await readdir(tmpdir())) {
      if (!isLeftOver(name)) continue;
      // Another user's is not ours to remove, and no reason not to start.
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
    }
    this.path = await makeDirectory();
  }

  async onApplicationShutdown(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  /** A path for a new file that nobody else uses. */
  async newFile(): Promise<string> {
    // Hosts clean their folder for temporary files of what was not used for days.
    const exists = await access(this.path).then(
      () => true,
      () => false,
    );
    if (!exists) this.path = await makeDirectory();
    return join(this.path, randomUUID());
  }
}

/** mkdtemp makes it with mode 0700, which uploads need: they hold phone numbers. */
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
