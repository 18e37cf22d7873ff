import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { isRunning, thisProcess } from '../../database/lock-holder';

const PREFIX = 'recipient-uploads';
/** Pid, process start, boot id, and the random part of mkdtemp. */
const OWNER = /^(\d+)-(\d*)-([\da-f-]*)-[^-]{6}$/;

/** A directory of this process for uploaded files; removed when the process ends normally. */
@Injectable()
export class UploadDirectory implements OnModuleInit, OnApplicationShutdown {
  private path: string;

  /** Creates the directory and removes those of crashed processes on this host. */
  async onModuleInit(): Promise<void> {
    for (const name of await readdir(tmpdir())) {
      if (!isAbandoned(name)) continue;
      // Another user's directory cannot be removed; that must not prevent startup.
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
    }
    this.path = await createDirectory();
  }

  async onApplicationShutdown(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  /** The path of a new, unique file. */
  async newFile(): Promise<string> {
    // Hosts delete temporary files unused for days.
    const exists = await access(this.path).then(
      () => true,
      () => false,
    );
    if (!exists) this.path = await createDirectory();
    return join(this.path, randomUUID());
  }
}

/** mkdtemp creates it with mode 0700, because uploads contain phone numbers. */
function createDirectory(): Promise<string> {
  const { pid, processStart, bootId } = thisProcess();
  return mkdtemp(join(tmpdir(), `${PREFIX}-${hostname()}-${pid}-${processStart ?? ''}-${bootId ?? ''}-`));
}

/** Pids are reused, in a container by each restart: a process counts as the owner only together with its start time. */
function isAbandoned(name: string): boolean {
  const host = `${PREFIX}-${hostname()}-`;
  const owner = name.startsWith(host) ? OWNER.exec(name.slice(host.length)) : null;
  if (!owner) return false;
  const [, pid, processStart, bootId] = owner;
  return !isRunning({ pid: Number(pid), processStart: processStart || null, bootId: bootId || null });
}
