import { open } from 'node:fs/promises';
import { openCsv } from './csv/open-csv';
import { DEFAULT_LIMITS, type FileLimits } from './file-limits';
import { FileRefused } from './file-refused';
import { fileKind } from './file-type';
import { BATCHES_UNDER_WAY, type ReaderMessage, type ReadOrder } from './reader-messages';
import type { ReadOptions, ReadSummary, RowBatch } from './recipient-file';
import { RecipientRows } from './rows/recipient-rows';
import type { OpenedSheet } from './sheet-row';
import { openXls } from './xls/open-xls';
import { openXlsx } from './xlsx/open-xlsx';

const HEAD_BYTES = 64;

/** Reads one file for a caller in another thread or process, at most a few batches ahead of it. */
export class Reader {
  private underWay = 0;
  private resume: (() => void) | undefined;

  constructor(
    private readonly order: ReadOrder,
    private readonly say: (message: ReaderMessage) => void,
  ) {}

  /** Reads the file to its end; errors are sent as messages, never thrown. */
  async run(): Promise<void> {
    this.say(await this.outcome());
  }

  /** Must be called whenever the caller has consumed a batch. */
  batchTaken(): void {
    this.underWay--;
    this.resume?.();
  }

  private async outcome(): Promise<ReaderMessage> {
    try {
      const { path, options } = this.order;
      return { kind: 'end', summary: await readRows(path, options, (batch) => this.deliver(batch)) };
    } catch (error) {
      if (error instanceof FileRefused) {
        const { code, message, reason, limit } = error;
        return { kind: 'refused', refusal: { code, message, reason, limit } };
      }
      const failure = error as NodeJS.ErrnoException;
      return { kind: 'failed', message: failure.message, code: failure.code };
    }
  }

  private async deliver(batch: RowBatch): Promise<void> {
    this.say({ kind: 'batch', batch });
    this.underWay++;
    if (this.underWay < BATCHES_UNDER_WAY) return;
    await new Promise<void>((resolve) => (this.resume = resolve));
  }
}

/** Reads a whole file, passing each full batch to `deliver` and awaiting it. Throws FileRefused. */
export async function readRows(
  path: string,
  options: ReadOptions,
  deliver: (batch: RowBatch) => Promise<void>,
): Promise<ReadSummary> {
  const recipients = new RecipientRows(options);
  const sheet = await openSheet(path, { ...DEFAULT_LIMITS, ...options.limits });
  for await (const rows of sheet.rows) {
    for (const row of rows) {
      recipients.add(row);
      if (recipients.isBatchFull()) await deliverBatch(recipients, deliver);
    }
  }
  await deliverBatch(recipients, deliver);
  const { rows, invalidRows, duplicates } = recipients.counts;
  if (rows + invalidRows + duplicates === 0) throw nothingToRead(sheet.sheetName, recipients.headerCells !== undefined);
  return {
    fileType: sheet.fileType,
    rows,
    invalidRows,
    duplicates,
    emptyRows: recipients.emptyRows(),
    warnings: [...recipients.warnings(), ...sheet.warnings()],
    encoding: sheet.encoding,
    delimiter: sheet.delimiter,
    sheetName: sheet.sheetName,
    headerCells: recipients.headerCells,
  };
}

async function deliverBatch(recipients: RecipientRows, deliver: (batch: RowBatch) => Promise<void>): Promise<void> {
  const batch = recipients.takeBatch();
  if (batch !== undefined) await deliver(batch);
}

function nothingToRead(sheetName: string | undefined, hasHeader: boolean): FileRefused {
  const place = sheetName === undefined ? 'The file' : `The first visible sheet, "${sheetName}",`;
  const what = hasHeader ? 'has only a header row' : 'has no rows';
  return new FileRefused({
    code: 'file_empty',
    message: `${place} ${what}. Put the phone numbers in its first column, one per row, and upload it again.`,
  });
}

/** Opens the sheet of a file of any supported type, detected by its bytes. Throws FileRefused. */
async function openSheet(path: string, limits: FileLimits): Promise<OpenedSheet> {
  const head = await readHead(path);
  if (head.length === 0) {
    throw new FileRefused({ code: 'file_empty', message: 'The file is empty. Upload a file with at least one row.' });
  }
  switch (fileKind(head)) {
    case 'zip':
      return openXlsx(path, limits);
    case 'ole':
      return openXls(path, limits);
    case 'text':
      return openCsv(path, limits);
  }
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
