import { open } from 'node:fs/promises';
import { openCsv } from './csv/open-csv';
import { DEFAULT_LIMITS, type FileLimits } from './file-limits';
import { FileRefused } from './file-refused';
import { fileKind } from './file-type';
import { isListFor } from './list-sheet';
import { type CallerMessage, MAX_UNCONSUMED_BATCHES, type ReaderMessage, type ReadRequest } from './reader-messages';
import type { ReadOptions, ReadSummary, RowBatch } from './recipient-file';
import { HeaderSearch } from './rows/header-search';
import { RecipientRows } from './rows/recipient-rows';
import type { OpenedSheet } from './sheet-row';
import { otherSheetsWarnings, quoted, withoutSheets } from './sheets';
import { openXls } from './xls/open-xls';
import { openXlsx } from './xlsx/open-xlsx';

const HEAD_BYTES = 64;

/** Reads one file for a caller in another thread or process; pauses at MAX_UNCONSUMED_BATCHES. */
export class Reader {
  private unconsumed = 0;
  private resume: (() => void) | undefined;
  private numbersFound: ((numbers: Readonly<Record<string, string>>) => void) | undefined;

  constructor(
    private readonly request: ReadRequest,
    private readonly send: (message: ReaderMessage) => void,
  ) {}

  /** Reads the whole file; errors are sent as messages, never thrown. */
  async run(): Promise<void> {
    this.send(await this.outcome());
  }

  /** Must be called with each message of the caller. */
  receive(message: CallerMessage): void {
    if (message.kind === 'numbers') {
      this.numbersFound?.(message.numbers);
      return;
    }
    this.unconsumed--;
    this.resume?.();
  }

  private async outcome(): Promise<ReaderMessage> {
    try {
      const { path, options, looksUpNumbers } = this.request;
      const numbersOf = looksUpNumbers ? (userIds: string[]) => this.numbersOf(userIds) : undefined;
      return { kind: 'end', summary: await readRows(path, options, (batch) => this.deliver(batch), numbersOf) };
    } catch (error) {
      if (error instanceof FileRefused) {
        const { code, message, reason, limit, availableColumns } = error;
        return { kind: 'refused', refusal: { code, message, reason, limit, availableColumns } };
      }
      const failure = error as NodeJS.ErrnoException;
      return { kind: 'failed', message: failure.message, code: failure.code };
    }
  }

  private async deliver(batch: RowBatch): Promise<void> {
    this.send({ kind: 'batch', batch });
    this.unconsumed++;
    if (this.unconsumed < MAX_UNCONSUMED_BATCHES) return;
    await new Promise<void>((resolve) => (this.resume = resolve));
  }

  private numbersOf(userIds: string[]): Promise<Readonly<Record<string, string>>> {
    this.send({ kind: 'userIds', userIds });
    return new Promise((resolve) => (this.numbersFound = resolve));
  }
}

/**
 * Reads a whole file, passing each full batch to `deliver` and awaiting it. `numbersOf` finds the known numbers of people given by
 * user id; undefined: none are known. Throws FileRefused.
 */
export async function readRows(
  path: string,
  options: ReadOptions,
  deliver: (batch: RowBatch) => Promise<void>,
  numbersOf?: (userIds: string[]) => Promise<Readonly<Record<string, string>>>,
): Promise<ReadSummary> {
  const recipients = new RecipientRows(options, numbersOf !== undefined);
  const deliverBatch = async () => {
    const userIds = recipients.unidentified();
    if (numbersOf && userIds.length > 0) {
      const numbers = await numbersOf(userIds);
      if (recipients.mayBeIdentifiedBelow(numbers)) {
        await recipients.addIdentities(new HeaderSearch(options).below((await openFile()).rows));
      }
      recipients.identify(numbers);
    }
    const batch = recipients.takeBatch();
    if (batch !== undefined) await deliver(options.cells ? { ...batch, delimiter: sheet.delimiter } : batch);
  };
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const openFile = () => openSheet(path, limits, options);
  const sheet = await openFile();
  const search = new HeaderSearch(options);
  for await (const rows of search.below(sheet.rows)) {
    for (const row of rows) {
      recipients.add(row);
      if (recipients.isBatchFull()) await deliverBatch();
    }
  }
  await deliverBatch();
  const { rows, invalidRows, duplicates } = recipients.counts;
  if (rows + invalidRows + duplicates === 0) throw emptyFile(sheet, recipients.headerCells !== undefined, options);
  return {
    fileType: sheet.fileType,
    rows,
    invalidRows,
    duplicates,
    emptyRows: recipients.emptyRows() - search.skipped,
    warnings: [
      ...otherSheetsWarnings(sheet.sheetName, sheet.otherSheets, sheet.isFound),
      ...search.warnings(),
      ...recipients.warnings(),
      ...sheet.warnings(),
    ],
    encoding: sheet.encoding,
    delimiter: sheet.delimiter,
    sheetName: sheet.sheetName,
    headerCells: recipients.headerCells,
    layout: recipients.layout(),
    columns: recipients.columns,
    ...(recipients.nameColumn > 0 && { nameColumn: recipients.nameColumn }),
    attributeColumns: recipients.attributeColumns,
  };
}

function emptyFile(
  { sheetName, otherSheets = [] }: OpenedSheet,
  hasHeader: boolean,
  { sheet, columns }: ReadOptions,
): FileRefused {
  const name = JSON.stringify(sheetName);
  const named = sheet === undefined ? `The first visible sheet, ${name},` : `The sheet ${name}`;
  const place = sheetName === undefined ? 'The file' : named;
  const what = hasHeader ? 'has only a header row' : 'has no rows';
  const column = columns === undefined ? 'its first column' : 'one column';
  const advice =
    otherSheets.length > 0
      ? `Other sheets with rows: ${quoted(otherSheets)}. To read one of them, send its name as sheet.`
      : `Put the phone numbers into ${column}, one per row, and upload it again.`;
  return new FileRefused({ code: 'file_empty', message: `${place} ${what}. ${advice}` });
}

/** Opens the sheet of a file of any supported type, detected by its bytes. Throws FileRefused. */
async function openSheet(path: string, limits: FileLimits, options: ReadOptions): Promise<OpenedSheet> {
  const { sheet, columns, cells, cellLanguage } = options;
  const keepsNumbers = columns !== undefined || cells === true;
  const reading = { keepsNumbers, sheet, cellLanguage, isList: isListFor(options) };
  const head = await readHead(path);
  if (head.length === 0) {
    throw new FileRefused({ code: 'file_empty', message: 'The file is empty. Upload a file with at least one row.' });
  }
  switch (fileKind(head)) {
    case 'zip':
      return openXlsx(path, limits, reading);
    case 'ole':
      return openXls(path, limits, reading);
    case 'text':
      if (sheet !== undefined) throw withoutSheets(sheet);
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
