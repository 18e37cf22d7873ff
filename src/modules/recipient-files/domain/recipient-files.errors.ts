import { DomainError, type ErrorKind, type FieldFault } from '../../../kernel/domain-error';

/** What can be wrong with an uploaded file as a whole. */
export type FileFaultCode =
  'file_empty' | 'file_too_large' | 'too_many_rows' | 'unsupported_file_type' | 'file_unreadable';

const KIND_OF_FILE_FAULT: Readonly<Record<FileFaultCode, ErrorKind>> = {
  file_empty: 'invalid',
  file_too_large: 'too_large',
  too_many_rows: 'too_large',
  unsupported_file_type: 'unsupported_type',
  file_unreadable: 'unprocessable',
};

/** The file cannot be read as a list of recipients; `limit` or `reason` say more where the code asks for it. */
export class FileRefusedError extends DomainError {
  readonly kind: ErrorKind;
  override readonly extra: Readonly<Record<string, unknown>>;

  constructor(
    readonly code: FileFaultCode,
    message: string,
    details: { limit?: number; reason?: string } = {},
  ) {
    super(message);
    this.kind = KIND_OF_FILE_FAULT[code];
    this.extra = {
      ...(details.limit !== undefined && { limit: details.limit }),
      ...(details.reason !== undefined && { reason: details.reason }),
    };
  }
}

/** What is wrong with one row of a file; `rowNumber` is the one that a spreadsheet program shows. */
export interface RowError extends FieldFault {
  rowNumber: number;
}

/** How many recipients a file holds, and how many of them are bad or were dropped. */
export interface RecipientTotals {
  totalRecipients: number;
  invalidRows: number;
  duplicateRows: number;
}

abstract class RowsRefusedError extends DomainError {
  readonly kind = 'unprocessable';
  override readonly extra: Readonly<Record<string, unknown>>;
  override readonly faults: readonly RowError[];

  constructor(message: string, totals: RecipientTotals, errors: readonly RowError[]) {
    super(message);
    this.extra = { ...totals };
    this.faults = errors;
  }
}

/** Not one row of the file can be used. */
export class NoValidRowsError extends RowsRefusedError {
  readonly code = 'no_valid_rows';

  constructor(totals: RecipientTotals, errors: readonly RowError[]) {
    super(
      'No row of the file can be used. The first errors are listed: correct the rows and upload again.',
      totals,
      errors,
    );
  }
}

/** The client asked for all rows or none, and some are bad. */
export class InvalidRowsError extends RowsRefusedError {
  readonly code = 'invalid_rows';

  constructor(totals: RecipientTotals, errors: readonly RowError[]) {
    super(
      `${totals.invalidRows} of ${totals.totalRecipients} rows cannot be used and onInvalidRows is "reject". ` +
        'Correct them, or upload with onInvalidRows=skip.',
      totals,
      errors,
    );
  }
}
