import { addErrors, type FileSummary, type ReadBatch } from '../../recipient-files/domain/file-rows';
import {
  InvalidRowsError,
  NoValidRowsError,
  type RecipientTotals,
  type RowError,
} from '../../recipient-files/domain/recipient-files.errors';
import type { CreatedJob, JobIntake } from './job-intake';

/** A file or list to store: its batches, and a summary that is complete after the last batch. */
export interface ListReading {
  batches: AsyncIterable<ReadBatch>;
  summary: ListSummary | Promise<ListSummary>;
}

/** Only files have a layout. */
type ListSummary = Pick<FileSummary, 'duplicates' | 'warnings'> & Partial<Pick<FileSummary, 'layout' | 'columns'>>;

/** Maximum number of row errors in an error. */
const MAX_ERRORS = 20;

/** Stores the rows and publishes the job. Throws NoValidRowsError, and InvalidRowsError if `onInvalidRows` is reject. */
export async function storeList(
  intake: JobIntake,
  { batches, summary }: ListReading,
  onInvalidRows: 'skip' | 'reject',
): Promise<CreatedJob> {
  const errors: RowError[] = [];
  const totals: RecipientTotals = { totalRecipients: 0, invalidRows: 0, duplicateRows: 0 };
  const isRejected = (): boolean => onInvalidRows === 'reject' && totals.invalidRows > 0;
  for await (const batch of batches) {
    totals.totalRecipients += batch.rows.length + batch.invalidRows.length;
    totals.invalidRows += batch.invalidRows.length;
    addErrors(errors, batch.invalidRows, MAX_ERRORS);
    // A list that will be rejected is read to its end for the totals, but no longer stored.
    if (!isRejected()) await intake.add(batch);
  }
  const { duplicates, warnings, layout, columns } = await summary;
  totals.duplicateRows = duplicates;
  const source = layout ? 'file' : 'list';
  if (totals.invalidRows === totals.totalRecipients) throw new NoValidRowsError(totals, errors, warnings, source);
  if (isRejected()) throw new InvalidRowsError(totals, errors, source);
  const sheet = layout ? { ...layout, byName: columns !== undefined } : null;
  return await intake.publish(duplicates, warnings, sheet);
}
