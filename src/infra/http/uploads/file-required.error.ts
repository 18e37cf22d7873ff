import { DomainError } from '../../../kernel/domain-error';

/** A multipart body without a file in the field `file`. */
export class FileRequiredError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'file_required';

  constructor() {
    super('The upload has no file. Send multipart/form-data with the file in the field "file".');
  }
}
