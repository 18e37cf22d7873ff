import { domainError } from '../../../kernel/domain-error';

/** A multipart body without a file in the field `file`. */
export class FileRequiredError extends domainError({
  code: 'file_required',
  kind: 'invalid',
  when: 'The upload has no file.',
  remedy: 'Send `multipart/form-data` with the file in the field `file`.',
}) {
  constructor() {
    super('The upload has no file. Send multipart/form-data with the file in the field "file".');
  }
}
