import { domainError, type ErrorDeclaration, type FieldError } from '../../../kernel/domain-error';
import type { FieldCode } from '../../../kernel/field-problems';
import { RECIPIENT_ROW_CODES } from '../../../kernel/message-problems';
import { ServiceUnavailableError } from '../../../kernel/request.errors';

/** The file has more rows, or the group more contacts, than the plan allows; `limit` in rows. */
export class TooManyRowsError extends domainError({
  code: 'too_many_rows',
  kind: 'too_large',
  when: "The file or group exceeds the plan's row limit.",
  remedy: 'Split the file or group, or choose a larger plan. `limit` is the number of rows.',
  extra: { limit: { type: 'integer', description: 'the limit of the plan in rows', example: 1000000 } },
}) {
  override readonly extra: { limit: number };

  constructor(message: string, limit: number) {
    super(message);
    this.extra = { limit };
  }
}

/** The file is damaged, encrypted or undecodable. */
export class FileUnreadableError extends domainError({
  code: 'file_unreadable',
  kind: 'unprocessable',
  when: 'The file is damaged, encrypted or undecodable.',
  remedy: 'Save the file again without a password (CSV in UTF-8) and upload it.',
  extra: {
    reason: {
      type: 'string',
      description: 'the problem with the file',
      example: 'encrypted',
      enum: ['corrupt', 'encrypted', 'encoding'],
    },
  },
}) {
  override readonly extra: { reason: UnreadableReason };

  constructor(message: string, reason: UnreadableReason) {
    super(message);
    this.extra = { reason };
  }
}

/** Why a file cannot be read. */
export type UnreadableReason = 'corrupt' | 'encrypted' | 'encoding';

/** Too many files are being read, by this account or by all together. */
export class ReadingsBusyError extends ServiceUnavailableError {
  override readonly retryAfterSeconds = 30;

  constructor() {
    super('Too many files are being read; nothing was done. Upload the file again later, one at a time.');
  }
}

/** Codes of the errors of one row of any list: a row of contacts also has a name. */
export const ROW_CODES = [...RECIPIENT_ROW_CODES, 'name_invalid'] as const satisfies readonly FieldCode[];

/** An error in one row of a file; `rowNumber` counts like a spreadsheet program. */
export interface RowError extends FieldError<(typeof ROW_CODES)[number]> {
  rowNumber: number;
}

/** How many recipients a file contains, and how many rows were invalid or dropped as duplicates. */
export interface RecipientTotals {
  totalRecipients: number;
  invalidRows: number;
  duplicateRows: number;
}

/** What an error about rows has beside its code: the totals of the file and the first errors. */
const WITH_ROW_ERRORS: Pick<ErrorDeclaration, 'extra' | 'errors'> = {
  extra: {
    totalRecipients: { type: 'integer', description: 'recipients in the file', example: 1 },
    invalidRows: { type: 'integer', description: 'invalid recipients', example: 1 },
    duplicateRows: { type: 'integer', description: 'rows dropped as duplicates', example: 0 },
  },
  errors: [
    { rowNumber: 17, field: 'phone', code: 'phone_invalid', message: 'Write the number in international format.' },
  ],
};

/** The file has no valid row. */
export class NoValidRowsError extends domainError({
  code: 'no_valid_rows',
  kind: 'unprocessable',
  when: 'All rows of the file are invalid; the first 20 errors are listed.',
  remedy: 'Correct the rows in `errors` and upload the file again.',
  ...WITH_ROW_ERRORS,
}) {
  override readonly extra: Readonly<Record<string, number>>;

  constructor(
    totals: RecipientTotals,
    override readonly errors: readonly RowError[],
    warnings: readonly string[] = [],
  ) {
    const about = ['The file has no valid row.', ...warnings].join(' ');
    super(`${about} The first errors are listed: correct the rows and upload the file again.`);
    this.extra = { ...totals };
  }
}

/** The file has invalid rows, and the client asked to reject it then. */
export class InvalidRowsError extends domainError({
  code: 'invalid_rows',
  kind: 'unprocessable',
  when: 'A row is invalid and `onInvalidRows` is `reject`; the first 20 errors are listed.',
  remedy: 'Correct the rows in `errors`, or upload the file with `onInvalidRows=skip`.',
  ...WITH_ROW_ERRORS,
}) {
  override readonly extra: Readonly<Record<string, number>>;

  constructor(
    totals: RecipientTotals,
    override readonly errors: readonly RowError[],
  ) {
    super(
      `${totals.invalidRows} of ${totals.totalRecipients} rows are invalid and onInvalidRows is "reject". ` +
        'Correct them, or upload the file with onInvalidRows=skip.',
    );
    this.extra = { ...totals };
  }
}

/** What every upload of a list can answer beside the errors of a file. */
export const RECIPIENT_LIST_ERRORS = [TooManyRowsError, FileUnreadableError, NoValidRowsError, InvalidRowsError];
