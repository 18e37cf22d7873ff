import { randomUUID } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isUuid } from '../../../kernel/uuid';
import { MediaStore } from '../domain/media-store.port';
import { contentOf, removeOlderThan } from './file-on-disk';

const UNFINISHED = 'unfinished';
const MEBIBYTE = 1024 * 1024;
/** Longer than any fetch takes: older unfinished files belong to a process that died. */
const UNFINISHED_MAX_AGE_MS = 60 * 60_000;

/**
 * Files in a folder that several processes may share, in subfolders by the last characters of the message id. A file gets
 * its name only once it is complete on disk.
 */
export class DiskMediaStore extends MediaStore {
  /** `largestFile` in bytes: with less free space, the folder counts as full. */
  constructor(
    private readonly folder: string,
    private readonly largestFile: number,
  ) {
    super();
  }

  async put(messageId: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const unfinished = join(this.folder, UNFINISHED, randomUUID());
    const path = this.pathOf(messageId);
    await Promise.all(
      [dirname(unfinished), dirname(path)].map((folder) => mkdir(folder, { recursive: true, mode: 0o700 })),
    );
    try {
      await pipeline(content, createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }));
      await rename(unfinished, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  async open(messageId: string): Promise<AsyncIterable<Uint8Array> | null> {
    const path = this.pathOf(messageId);
    try {
      await access(path, constants.R_OK);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
    return contentOf(path);
  }

  async remove(messageId: string): Promise<void> {
    await rm(this.pathOf(messageId), { force: true });
  }

  async problem(): Promise<string | null> {
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await access(this.folder, constants.R_OK | constants.W_OK | constants.X_OK);
      const { bavail, bsize } = await statfs(this.folder);
      if (bavail * bsize >= this.largestFile) return null;
      return (
        `the media folder has ${Math.floor((bavail * bsize) / MEBIBYTE)} MB of free space, too little for a file ` +
        `of ${Math.ceil(this.largestFile / MEBIBYTE)} MB`
      );
    } catch (error) {
      // Without the path: health reports must not show folders of the host.
      return `the media folder cannot be used (${(error as NodeJS.ErrnoException).code})`;
    }
  }

  async removeUnfinished(): Promise<void> {
    const folder = join(this.folder, UNFINISHED);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(folder)) {
      await removeOlderThan(join(folder, name), UNFINISHED_MAX_AGE_MS);
    }
  }

  private pathOf(messageId: string): string {
    if (!isUuid(messageId)) throw new Error('A media file is stored under the id of its message, which is a UUID');
    const name = messageId.toLowerCase();
    return join(this.folder, name.slice(-3), name);
  }
}

/** A rename survives a crash of the machine only after its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
