import { HttpException } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error';
import { isPassingFault } from '../database/passing-fault';
import { chainOf, type CodedError } from '../error-chain';
import {
  BodyTooLargeError,
  FileTooLargeError,
  MalformedJsonError,
  RouteNotFoundError,
  ServiceUnavailableError,
  UnsupportedMediaTypeError,
  ValidationFailedError,
} from './http.errors';

/** Sizes that the errors of libraries do not carry themselves, in bytes. */
export interface BodyLimits {
  maxBodyBytes: number;
  maxFileBytes: number;
}

/** The parser below multer tells broken multipart bodies by message only. */
const BROKEN_MULTIPART = /^(Multipart: |Malformed (part header|content type)$|Unexpected end of (form|file)$)/;

/** The domain error that tells what a library's error means to a client; null for a fault of our own. */
export function asDomainError(error: unknown, limits: BodyLimits): DomainError | null {
  if (error instanceof DomainError) return error;
  for (const cause of chainOf(error)) {
    // Express reports a path that cannot be decoded this way: no route can match it.
    if (cause instanceof URIError) return new RouteNotFoundError();
    const known = uploadFault(cause, limits) ?? bodyFault(cause, limits);
    if (known) return known;
  }
  if (isPassingFault(error)) return new ServiceUnavailableError();
  return error instanceof HttpException ? httpFault(error, limits) : null;
}

function uploadFault(error: CodedError, limits: BodyLimits): DomainError | null {
  if (BROKEN_MULTIPART.test(error.message)) {
    return fieldFault('body', 'invalid_format', 'The multipart body is broken or was cut off. Send it again.');
  }
  if (error.name !== 'MulterError') return null;
  if (error.code === 'LIMIT_FILE_SIZE') return new FileTooLargeError(limits.maxFileBytes);
  const field = typeof error.field === 'string' && error.field !== '' ? error.field : 'body';
  if (error.code === 'LIMIT_UNEXPECTED_FILE' || error.code === 'LIMIT_FILE_COUNT') {
    return fieldFault(field, 'unknown_field', 'Send one file, in the field "file".');
  }
  return fieldFault(field, 'invalid', `${error.message}. Send only the documented fields.`);
}

function fieldFault(field: string, code: string, message: string): DomainError {
  return new ValidationFailedError([{ field, code, message }]);
}

function bodyFault(error: CodedError, limits: BodyLimits): DomainError | null {
  switch (error.type) {
    case 'entity.parse.failed':
    case 'request.aborted':
    case 'request.size.invalid':
      return new MalformedJsonError();
    case 'entity.too.large':
      return new BodyTooLargeError(limits.maxBodyBytes);
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new UnsupportedMediaTypeError('application/json in UTF-8');
    default:
      return null;
  }
}

function httpFault(error: HttpException, limits: BodyLimits): DomainError | null {
  switch (error.getStatus()) {
    case 400:
      return fieldFault('body', 'invalid', 'The request cannot be read. Check its encoding and its form.');
    case 404:
      return new RouteNotFoundError();
    case 413:
      return new BodyTooLargeError(limits.maxBodyBytes);
    case 415:
      return new UnsupportedMediaTypeError('application/json in UTF-8');
    default:
      return null;
  }
}
