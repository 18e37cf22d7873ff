import { createWriteStream, existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { UsageError } from './exit-codes';

/** Formats of the files that the service writes. */
export const FILE_FORMATS = ['csv', 'xlsx'] as const;

/** One of FILE_FORMATS. */
export type FileFormat = (typeof FILE_FORMATS)[number];

/** Options of a command that writes a file. */
export interface FormatFlags {
  format?: FileFormat;
  output?: string;
}

/** A file to upload, which is read several times; `-` is standard input. Rejects a path that is not a file. */
export async function sourceOf(file: string): Promise<string | File> {
  if (file === '-') return new File([await buffer(process.stdin)], 'standard-input');
  if (!existsSync(file)) throw new UsageError(`File not found: ${file}.`);
  if (isFolder(file)) throw new UsageError(`"${file}" is a folder, not a file.`);
  if (!statSync(file).isFile()) throw new UsageError(`"${file}" is not a file: pipe it, and write - instead.`);
  return file;
}

/** The JSON object of a file; `-` is standard input. Rejects anything else. */
export async function jsonOf(file: string): Promise<object> {
  const source = await sourceOf(file);
  const text = typeof source === 'string' ? await readFile(source, 'utf8') : await source.text();
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below.
  }
  throw new UsageError(`${file === '-' ? 'Standard input' : file} does not contain a JSON object.`);
}

/** Rejects a path that cannot be written, before the service is called. */
export function checkTarget(file: string): void {
  if (!isFolder(dirname(file))) throw new UsageError(`Cannot write ${file}: the folder does not exist.`);
  if (isFolder(file)) throw new UsageError(`Cannot write ${file}: it is a folder.`);
}

/** Rejects `--json` for a file on standard output, which then contains only JSON. */
export function checkNotJson({ json }: { json: boolean }, what: string): void {
  if (json) throw new UsageError(`${what} is CSV or xlsx, not JSON: omit --json, or write it to a file with --output.`);
}

/** Writes a response to a file, or to standard output. */
export async function writeStream(
  body: ReadableStream<Uint8Array>,
  file: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const target = file ? createWriteStream(file) : process.stdout;
  await pipeline(Readable.fromWeb(body as never), target, { end: Boolean(file), signal });
}

/**
 * The format of a file to write: `--format`, otherwise the ending of `output`, otherwise csv. Rejects a contradiction,
 * and an unknown ending without `--format`.
 */
export function formatOf({ format, output = '' }: FormatFlags): FileFormat {
  const ending = extname(output).slice(1).toLowerCase();
  const named = FILE_FORMATS.find((each) => each === ending);
  if (format && named && format !== named)
    throw new UsageError(
      `${output} ends in .${ending}, but --format is ${format}: omit --format, or use a file name ending in .${format}.`,
    );
  if (!format && !named && ending !== '') {
    throw new UsageError(`${output} ends in .${ending}: use a file name that ends in .csv or .xlsx.`);
  }
  return format ?? named ?? 'csv';
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
