/** Why a whole file is rejected. */
export type FileRefusalCode =
  | 'file_empty'
  | 'file_too_large'
  | 'too_many_rows'
  | 'unsupported_file_type'
  | 'file_unreadable'
  | 'column_not_found'
  | 'sheet_not_found'
  | 'header_row_empty';

/** Why a file is unreadable. */
export type UnreadableReason = 'corrupt' | 'encrypted' | 'encoding';

/** The data of a FileRefused error, in a form that can be passed between threads. */
export interface FileRefusal {
  code: FileRefusalCode;
  message: string;
  reason?: UnreadableReason | undefined;
  limit?: number | undefined;
  availableColumns?: string[] | undefined;
}

/**
 * A file that is rejected as a whole; `message` includes the remedy, `limit` is the exceeded limit, `availableColumns` are the columns
 * that can be named.
 */
export class FileRefused extends Error {
  readonly code: FileRefusalCode;
  readonly reason?: UnreadableReason | undefined;
  readonly limit?: number | undefined;
  readonly availableColumns?: string[] | undefined;

  constructor(refusal: FileRefusal) {
    super(refusal.message);
    this.name = 'FileRefused';
    this.code = refusal.code;
    this.reason = refusal.reason;
    this.limit = refusal.limit;
    this.availableColumns = refusal.availableColumns;
  }
}

/** The file is damaged; `what` says where, as a complete sentence. */
export function corrupt(what: string): FileRefused {
  return new FileRefused({
    code: 'file_unreadable',
    reason: 'corrupt',
    message: `The file is damaged: ${what} Open it in a spreadsheet program, save it again and upload that copy.`,
  });
}

/** The file can only be opened with a password. */
export function encrypted(): FileRefused {
  return new FileRefused({
    code: 'file_unreadable',
    reason: 'encrypted',
    message: 'The file is protected with a password. Save it without a password and upload it again.',
  });
}

/** The text of the file cannot be decoded; `what` says why, as a complete sentence. */
export function undecodable(what: string): FileRefused {
  return new FileRefused({
    code: 'file_unreadable',
    reason: 'encoding',
    message: `The text of the file cannot be read: ${what} Save it as "CSV UTF-8" or as .xlsx and upload it again.`,
  });
}

/** The file exceeds `limit`; `what` says which one, as a complete sentence. */
export function tooLarge(what: string, limit: number): FileRefused {
  return new FileRefused({
    code: 'file_too_large',
    limit,
    message: `The file is too large: ${what} Split it into smaller files, or save only the rows and columns you need.`,
  });
}

/** The file has none of the three supported types; `what` says what it is, as a complete sentence. */
export function unsupported(what: string): FileRefused {
  return new FileRefused({
    code: 'unsupported_file_type',
    message: `${what} Save it as .xlsx, .xls or .csv and upload it again.`,
  });
}
