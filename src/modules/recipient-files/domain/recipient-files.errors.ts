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

/** A column of the request is not in the file, or several have its header. */
export class ColumnNotFoundError extends domainError({
  code: 'column_not_found',
  kind: 'invalid',
  when: 'The file has no column with a header or letter of `columns`, or several columns have that header.',
  remedy: 'Name one of `availableColumns`; use the letter where several columns have the same header.',
  extra: {
    availableColumns: {
      type: 'array',
      description: 'columns that can be named; empty if the file is read without a header row',
      example: ['Mobile', 'First name', 'C'],
    },
  },
}) {
  override readonly extra: { availableColumns: string[] };

  constructor(message: string, availableColumns: string[]) {
    super(message);
    this.extra = { availableColumns };
  }
}

/** Why a file cannot be read. */
export type UnreadableReason = 'corrupt' | 'encrypted' | 'encoding';

/** Too many files are being read, by this account or in total. */
export class ReadingsBusyError extends ServiceUnavailableError {
  override readonly retryAfterSeconds = 30;

  constructor() {
    super('Too many files are being read; nothing was done. Upload the file again later, one at a time.');
  }
}

/** Error codes of a row in any list; rows of contacts also have a name, and may have the user id of another contact. */
export const ROW_CODES = [
  ...RECIPIENT_ROW_CODES,
  'name_invalid',
  'user_id_taken',
] as const satisfies readonly FieldCode[];

/** An error in one row of a file; `rowNumber` counts like a spreadsheet. */
export interface RowError extends FieldError<(typeof ROW_CODES)[number]> {
  rowNumber: number;
  /** In a dry run of a file: the cells of the row. */
  cells?: string[];
  /** In a send to groups: the name of the contact, else its number or user id. */
  person?: string;
}

/** How many recipients a file contains, and how many rows were invalid or dropped as duplicates. */
export interface RecipientTotals {
  totalRecipients: number;
  invalidRows: number;
  duplicateRows: number;
}

/** Additional fields of an error about rows: the totals of the file and its first errors. */
const ROW_ERROR_FIELDS: Pick<ErrorDeclaration, 'extra' | 'errors'> = {
  extra: {
    totalRecipients: { type: 'integer', description: 'recipients in the file', example: 1 },
    invalidRows: { type: 'integer', description: 'invalid recipients', example: 1 },
    duplicateRows: { type: 'integer', description: 'rows dropped as duplicates', example: 0 },
  },
  errors: [
    { rowNumber: 17, field: 'phone', code: 'phone_invalid', message: 'Write the number in international format.' },
  ],
};

/** Where rows are from: an uploaded file, or a list in the request. */
export type RowSource = 'file' | 'list';

/** Errors of every row if the columns are not in the order in which they are read. */
const OF_OTHER_COLUMNS: readonly RowError['code'][] = ['phone_missing', 'phone_invalid', 'too_many_columns'];
const COLUMNS_ADVICE =
  'If the columns are in another order or more than the template needs, name them in `columns`: with `dryRun=true` and `columns=auto` the service suggests them.';

/** The file or list has no valid row. */
export class NoValidRowsError extends domainError({
  code: 'no_valid_rows',
  kind: 'unprocessable',
  when: 'All rows of the file, or recipients of the list, are invalid or left out; the first 20 errors are listed.',
  remedy:
    'Correct those in `errors`, and upload the file or send the list again; if people were left out, leave out fewer.',
  ...ROW_ERROR_FIELDS,
}) {
  override readonly extra: Readonly<Record<string, number>>;

  constructor(
    totals: RecipientTotals,
    override readonly errors: readonly RowError[],
    warnings: readonly string[] = [],
    source: RowSource = 'file',
    leftOut = 0,
  ) {
    const [fact, remedy] =
      source === 'file'
        ? ['The file has no valid row.', 'correct the rows and upload the file again.']
        : ['The list has no valid recipient.', 'correct the recipients and send the list again.'];
    const advice =
      source === 'file' && errors.every(({ code }) => OF_OTHER_COLUMNS.includes(code)) ? [COLUMNS_ADVICE] : [];
    const others = leftOut === 0 ? [] : [`Left out by excludeGroupIds or notReachedBy: ${leftOut}.`];
    const listed = leftOut > 0 && errors.length === 0 ? [] : [...advice, `The first errors are listed: ${remedy}`];
    super([fact, ...others, ...warnings, ...listed].join(' '));
    this.extra = { ...totals };
  }
}

/** The file or list has invalid rows and `onInvalidRows` is `reject`. */
export class InvalidRowsError extends domainError({
  code: 'invalid_rows',
  kind: 'unprocessable',
  when: 'A row of the file, or a recipient of the list, is invalid and `onInvalidRows` is `reject`; the first 20 errors are listed.',
  remedy: 'Correct those in `errors`, or repeat the request with `onInvalidRows` `skip`.',
  ...ROW_ERROR_FIELDS,
}) {
  override readonly extra: Readonly<Record<string, number>>;

  constructor(
    totals: RecipientTotals,
    override readonly errors: readonly RowError[],
    source: RowSource = 'file',
  ) {
    const [rows, remedy] =
      source === 'file'
        ? ['rows', 'upload the file with onInvalidRows=skip.']
        : ['recipients', 'send the list with "onInvalidRows": "skip".'];
    super(
      `${totals.invalidRows} of ${totals.totalRecipients} ${rows} are invalid and onInvalidRows is "reject". ` +
        `Correct them, or ${remedy}`,
    );
    this.extra = { ...totals };
  }
}

/** Errors of every upload of a list, in addition to file errors. */
export const RECIPIENT_LIST_ERRORS = [TooManyRowsError, FileUnreadableError, NoValidRowsError, InvalidRowsError];
