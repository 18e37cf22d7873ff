import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { Parser, type Options } from 'csv-parse';
import type { FileLimits } from '../file-limits';
import { corrupt, FileRefused, tooLarge, undecodable } from '../file-refused';
import { rejectOtherText } from '../file-type';
import type { OpenedSheet, SheetRow } from '../sheet-row';
import { detectDelimiter, type DetectedDelimiter } from './delimiter';
import { detectEncoding, type DetectedEncoding } from './text-encoding';

const HEAD_BYTES = 64 * 1024;
const CHUNK_BYTES = 256 * 1024;
const RECORD_CHARACTERS = 65_536;
/** The notation that makes spreadsheet programs keep a text unchanged: ="0049151…" */
const TEXT_FORMULA = /^="([^"]*)"$/;
/** The apostrophe that reports and files of invalid rows put before text that would start a formula. */
const FORMULA_GUARD = /^'(?=[\t\r\n]|[\s\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u;

/** Opens a text file with one row per line; rows are read on demand. Throws FileRefused. */
export async function openCsv(path: string, limits: FileLimits): Promise<OpenedSheet> {
  const found = detectEncoding(path);
  const { text, isEntireFile } = await readHead(path, found);
  // Almost any bytes decode as UTF-16, but a recipient list contains line breaks, separators or digits.
  if (found.encoding.startsWith('utf-16') && text !== '' && !/[\t\n\r -~]/.test(text)) {
    throw undecodable('It starts like UTF-16, but the rest is not UTF-16 text.');
  }
  rejectOtherText(text);
  const delimiter = detectDelimiter(text, isEntireFile);
  return {
    fileType: 'csv',
    encoding: found.encoding,
    delimiter: delimiter.delimiter,
    rows: readRows(path, found, delimiter, limits),
    warnings: () => [],
  };
}

async function* readRows(
  path: string,
  found: DetectedEncoding,
  delimiter: DetectedDelimiter,
  limits: FileLimits,
): AsyncGenerator<SheetRow[]> {
  const lines = new CsvRows(delimiter, limits);
  for await (const bytes of utf8Chunks(path, found)) {
    const rows = await lines.write(bytes);
    if (rows.length > 0) yield rows;
  }
  yield await lines.end();
}

/** The records of a text as rows, numbered as in a spreadsheet program. */
class CsvRows {
  private readonly parser: Parser;
  private rows: SheetRow[] = [];
  private records = 0;
  private columns = 0;
  private emptyCells = 0;

  constructor(
    { delimiter, declared }: DetectedDelimiter,
    private readonly limits: FileLimits,
  ) {
    // A spreadsheet program does not show the line that declares the delimiter.
    if (declared) this.records = -1;
    const options: Options = {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      relax_column_count: true,
      max_record_size: RECORD_CHARACTERS,
    };
    this.parser = new RecordParser(options, (record) => {
      this.addRecord(record);
    });
    this.parser.on('error', () => {});
  }

  async write(bytes: Buffer): Promise<SheetRow[]> {
    return this.step((done) => this.parser.write(bytes, done));
  }

  async end(): Promise<SheetRow[]> {
    const rows = await this.step((done) => {
      this.parser.once('error', done);
      this.parser.once('end', () => {
        done();
      });
      this.parser.resume();
      this.parser.end();
    });
    return rows;
  }

  private async step(work: (done: (error?: Error | null) => void) => void): Promise<SheetRow[]> {
    await new Promise<void>((resolve, reject) => {
      work((error) => {
        if (error) reject(this.refusalOf(error));
        else resolve();
      });
    });
    if (this.records > this.limits.lines) {
      throw tooLarge(`It has more than ${this.limits.lines.toLocaleString('en')} lines.`, this.limits.lines);
    }
    if (this.columns > this.limits.columns) {
      throw tooLarge(`It has more than ${this.limits.columns} columns.`, this.limits.columns);
    }
    if (this.emptyCells > this.limits.emptyCells) {
      const limit = this.limits.emptyCells.toLocaleString('en');
      throw tooLarge(
        `It has more than ${limit} empty cells. Delete the empty rows and columns.`,
        this.limits.emptyCells,
      );
    }
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  private addRecord(record: string[]): void {
    this.records++;
    // Blank lines, and lines beyond the limit, are only counted.
    if (this.records < 1 || this.records > this.limits.lines || (record.length === 1 && record[0] === '')) return;
    if (record.length > this.limits.columns) this.trimColumns(record);
    for (let column = 0; column < record.length; column++) {
      const cell = record[column] ?? '';
      if (isEmpty(cell)) this.emptyCells++;
      else if (cell.startsWith('="')) record[column] = TEXT_FORMULA.exec(cell)?.[1] ?? cell;
      else if (cell.startsWith("'")) record[column] = cell.replace(FORMULA_GUARD, '');
    }
    this.rows.push({ rowNumber: this.records, cells: record });
  }

  private trimColumns(record: string[]): void {
    const { length } = record;
    while (record.length > 0 && isEmpty(record.at(-1)!)) record.pop();
    this.emptyCells += length - record.length;
    this.columns = Math.max(this.columns, record.length);
  }

  private refusalOf(error: Error): FileRefused {
    const code = 'code' in error ? String(error.code) : '';
    if (code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE') {
      return corrupt(
        `Row ${this.records + 1} has a quotation mark (") that is never closed, or is longer than ${RECORD_CHARACTERS.toLocaleString('en')} characters.`,
      );
    }
    return corrupt(`Row ${this.records + 1} cannot be read.`);
  }
}

/** Whether a cell contains only whitespace; the check of the first character is a fast path. */
function isEmpty(cell: string): boolean {
  return cell === '' || (cell.charCodeAt(0) <= 32 && cell.trim() === '');
}

/** Passes records on synchronously, as the stream machinery would double the parsing time. */
class RecordParser extends Parser {
  constructor(
    options: Options,
    private readonly onRecord: (record: string[]) => void,
  ) {
    super(options);
  }

  override push(record: string[] | null): boolean {
    if (record === null) return super.push(null);
    // Otherwise the parser creates an error object for every record of a different length, which dominates the run time.
    (this.info as { records: number }).records = 0;
    this.onRecord(record);
    return true;
  }
}

/** The text converted to UTF-8. Throws FileRefused for invalid bytes. */
async function* utf8Chunks(path: string, { encoding, bomBytes }: DetectedEncoding): AsyncGenerator<Buffer> {
  const stream = createReadStream(path, { start: bomBytes, highWaterMark: CHUNK_BYTES });
  if (encoding === 'utf-8') {
    for await (const chunk of stream) yield chunk as Buffer;
    return;
  }
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const chunk of stream) yield Buffer.from(decode(decoder, chunk as Buffer));
  yield Buffer.from(decode(decoder));
}

function decode(decoder: TextDecoder, bytes?: Buffer): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch {
    throw undecodable(`It is ${decoder.encoding.toUpperCase()} with damaged characters.`);
  }
}

async function readHead(
  path: string,
  { encoding, bomBytes }: DetectedEncoding,
): Promise<{ text: string; isEntireFile: boolean }> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, bomBytes);
    const text = new TextDecoder(encoding).decode(buffer.subarray(0, bytesRead), { stream: true });
    return { text, isEntireFile: bytesRead < HEAD_BYTES };
  } finally {
    await file.close();
  }
}
