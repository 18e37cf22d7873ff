import { domainError } from './domain-error';

/** An uploaded file without content or without recipient rows; `message` says which. */
export class FileEmptyError extends domainError({
  code: 'file_empty',
  kind: 'invalid',
  when: 'The file is empty or has no recipient rows.',
  remedy: 'Upload a file with content. A recipient list needs at least one row below its header.',
}) {}

/** An uploaded file that is too large, packed or unpacked; `message` says what `limit` counts. */
export class FileTooLargeError extends domainError({
  code: 'file_too_large',
  kind: 'too_large',
  when: 'The file is too large, packed or unpacked.',
  remedy: 'Upload a smaller file, or split it.',
  extra: { limit: { type: 'integer', description: 'the exceeded limit', example: 104857600 } },
}) {
  override readonly extra: { limit: number };

  constructor(message: string, limit: number) {
    super(message);
    this.extra = { limit };
  }
}

/** A file whose content has a type that the endpoint does not accept; `message` lists the accepted types. */
export class UnsupportedFileTypeError extends domainError({
  code: 'unsupported_file_type',
  kind: 'unsupported_type',
  when: 'The endpoint does not accept files of this type.',
  remedy: 'Upload a file of a supported type. The content decides, not the name.',
}) {}
