import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './exit-codes';

/** Refuses a path that no file can be read from. */
export function checkSource(file: string): void {
  if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`);
  if (isFolder(file)) throw new UsageError(`"${file}" is a folder, not a file.`);
}

/** Refuses a path that no file can be written to, before anything is asked of the service. */
export function checkTarget(file: string): void {
  if (!isFolder(dirname(file))) throw new UsageError(`Cannot write ${file}: the folder does not exist.`);
  if (isFolder(file)) throw new UsageError(`Cannot write ${file}: it is a folder.`);
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
