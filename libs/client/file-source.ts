/** A file to upload: what a form or `openAsBlob` gives, or, in Node, its path. A path is streamed, not read at once. */
export type FileSource = Blob | File | string;

/** The file with its name, ready for a form. */
export async function fileOf(source: FileSource, fileName?: string): Promise<File> {
  if (typeof source === 'string') return new File([await openPath(source)], fileName ?? lastPart(source));
  return new File([source], fileName ?? ('name' in source ? source.name : 'recipients'));
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

async function openPath(path: string): Promise<Blob> {
  // Not an import: bundlers for browsers would look for the module.
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  if (!fs) throw new TypeError('Paths can be read in Node.js only: pass a File or a Blob.');
  return fs.openAsBlob(path);
}
