import { DEFAULT_LIMITS } from './file-limits';
import { FileRefused } from './file-refused';
import { openSheet } from './open-sheet';
import type { ReadOptions, ReadSummary, RowBatch } from './recipient-file';
import { RecipientRows } from './rows/recipient-rows';

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
  const what = hasHeader ? 'has only a header row' : 'holds no rows';
  return new FileRefused({
    code: 'file_empty',
    message: `${place} ${what}. Put the phone numbers into its first column, one row each, and upload it again.`,
  });
}
