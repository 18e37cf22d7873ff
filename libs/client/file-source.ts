/** A file to upload: a File or Blob, or in Node a path. Paths are streamed, not loaded into memory. */
export type FileSource = Blob | File | string;

/** Converts a source to a File; throws TypeError for a path outside Node, and the file system's error for a path that cannot be read. */
export async function fileOf(source: FileSource, fileName?: string): Promise<File> {
  if (typeof source === 'string') return new File([await openPath(source)], fileName ?? lastPart(source));
  return new File([source], fileName ?? ('name' in source ? source.name : 'recipients'));
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

async function openPath(path: string): Promise<Blob> {
  // Not an import, which browser bundlers would try to resolve.
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  if (!fs) throw new TypeError('Paths are supported in Node only. Pass a File or a Blob.');
  // The error of a missing file names it; that of openAsBlob does not.
  await fs.promises.access(path, fs.constants.R_OK);
  return fs.openAsBlob(path);
}

/** The form fields with lists as JSON, as the service reads them; the generated client would repeat the field. */
export function withJsonLists<T extends object>(fields: T): T {
  const texts = Object.entries(fields).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? JSON.stringify(value) : value,
  ]);
  return Object.fromEntries(texts) as T;
}
