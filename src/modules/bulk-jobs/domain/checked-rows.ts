import { isUserId } from '../../../kernel/user-id';
import type { InvalidRow, ReadBatch, ReadRow } from '../../recipient-files/domain/file-rows';
import type { RowError } from '../../recipient-files/domain/recipient-files.errors';
import type { SendableTemplate } from '../../templates/domain/sendable-template';
import { type TemplateExtras, withOwn } from '../../templates/domain/template-extras';
import { ownExtrasOf, type RecipientRow } from './recipient-chunk';

/** The rules for every recipient of a job. */
export interface RowRules {
  template: SendableTemplate;
  /** The extras of the job. */
  extras: TemplateExtras | null;
  /** Recipients have their own extras, so the job's alone need not fit the template. */
  ownExtras: boolean;
  /** When the request was checked. */
  now: Date;
}

const USER_ID_NOT_ALLOWED = {
  field: 'userId',
  code: 'recipient_id_not_allowed',
  message: 'Authentication templates can be sent only to phone numbers, not to user ids.',
} as const;

/** The error of a row with an empty or missing value, or more values than the template has; null: neither. */
export function errorOfCount(
  values: readonly string[],
  template: SendableTemplate,
): Omit<RowError, 'rowNumber'> | null {
  const { valueCount } = template;
  const empty = values.findIndex((value) => value.trim() === '');
  const missing = empty < 0 ? values.length : empty;
  if (missing < valueCount) {
    const field = `parameter ${missing + 1}`;
    const message = `Parameter ${missing + 1} is empty or missing; number of values of the template: ${valueCount}.`;
    return { field, code: 'parameter_missing', message };
  }
  const mismatch = template.mismatchOf(values);
  return mismatch && { field: `parameter ${valueCount + 1}`, code: 'too_many_columns', message: mismatch.message };
}

/** The first error of a row's values, or of its extras together with the job's; null if it can be sent. */
export function errorOfRow(row: RecipientRow, rules: RowRules): Omit<RowError, 'rowNumber'> | null {
  if (!rules.template.allowsUserIds && (isUserId(row.phone) || row.userId !== undefined)) return USER_ID_NOT_ALLOWED;
  const error = rules.template.errorOfRecipient(row.values);
  if (error !== null || !rules.ownExtras) return error;
  const [mismatch] = rules.template.extrasErrors(withOwn(rules.extras, ownExtrasOf(row)), rules.now);
  return mismatch ? { field: 'extras', code: 'extras_invalid', message: mismatch.message } : null;
}

/** Moves rows that cannot be sent to the invalid rows of their batch. */
export async function* checkedRows(batches: AsyncIterable<ReadBatch>, rules: RowRules): AsyncGenerator<ReadBatch> {
  for await (const batch of batches) {
    const invalid = new Map<ReadRow, InvalidRow>();
    for (const row of batch.rows) {
      const error = errorOfRow(row, rules);
      if (error !== null) invalid.set(row, { ...row, ...error });
    }
    if (invalid.size === 0) yield batch;
    else {
      yield {
        ...batch,
        rows: batch.rows.filter((row) => !invalid.has(row)),
        invalidRows: [...batch.invalidRows, ...invalid.values()].sort((a, b) => a.rowNumber - b.rowNumber),
      };
    }
  }
}
