import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** The text of the file; null if it does not exist. */
export function readPrivateFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes or replaces the file atomically and durably, readable only by its owner. */
export function writePrivateFile(path: string, text: string): void {
  renameSync(writeTemporary(path, text), path);
  syncDirectory(dirname(path));
}

/** Like writePrivateFile, but keeps an existing file; returns the text of the file. */
export function createPrivateFile(path: string, text: string): string {
  const temporary = writeTemporary(path, text);
  try {
    linkSync(temporary, path);
    syncDirectory(dirname(path));
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readFileSync(path, 'utf8');
  } finally {
    rmSync(temporary, { force: true });
  }
}

function writeTemporary(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return temporary;
}

/** Otherwise the name of a new file may be lost in a power failure. */
function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
