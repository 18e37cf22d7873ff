import { HttpException } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error';
import { FileTooLargeError } from '../../../kernel/file.errors';
import type { FieldCode } from '../../../kernel/field-problems';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { isTransientError } from '../../database/transient-error';
import { chainOf, type CodedError } from '../../error-chain';
import { DatabaseUnavailableError, RouteNotFoundError, UnsupportedMediaTypeError } from './http.errors';

/** The parser inside multer identifies broken multipart bodies only by the error message. */
const BROKEN_MULTIPART = /^(Multipart: |Malformed (part header|content type)$|Unexpected end of (form|file)$)/;

/** The domain error for a library's error; null for an unexpected one. `maxFileBytes`: the limit that multer's errors lack. */
export function asDomainError(error: unknown, maxFileBytes: number): DomainError | null {
  if (error instanceof DomainError) return error;
  for (const cause of chainOf(error)) {
    // Express throws this for a path that cannot be decoded, so no route can match.
    if (cause instanceof URIError) return new RouteNotFoundError();
    const known = uploadError(cause, maxFileBytes);
    if (known) return known;
  }
  if (isTransientError(error)) return new DatabaseUnavailableError();
  return error instanceof HttpException ? httpError(error) : null;
}

function uploadError(error: CodedError, maxFileBytes: number): DomainError | null {
  if (BROKEN_MULTIPART.test(error.message)) {
    return fieldError('body', 'invalid_format', 'The multipart body is broken or was cut off. Send it again.');
  }
  if (error.name !== 'MulterError') return null;
  if (error.code === 'LIMIT_FILE_SIZE') return fileTooLarge(maxFileBytes);
  const field = typeof error.field === 'string' && error.field !== '' ? error.field : 'body';
  if (error.code === 'LIMIT_UNEXPECTED_FILE' || error.code === 'LIMIT_FILE_COUNT') {
    return fieldError(field, 'unknown_field', 'Send one file, in the field "file".');
  }
  return fieldError(field, 'invalid', `${error.message}. Send only the documented fields.`);
}

function fieldError(field: string, code: FieldCode, message: string): DomainError {
  return new ValidationFailedError([{ field, code, message }]);
}

function fileTooLarge(limit: number): DomainError {
  return new FileTooLargeError(`The file may have at most ${limit} bytes. Send a smaller one, or split it.`, limit);
}

function httpError(error: HttpException): DomainError | null {
  switch (error.getStatus()) {
    case 400:
      return fieldError('body', 'invalid', 'The request cannot be read. Check its encoding and format.');
    case 404:
      return new RouteNotFoundError();
    case 415:
      return new UnsupportedMediaTypeError('application/json in UTF-8');
    default:
      return null;
  }
}
