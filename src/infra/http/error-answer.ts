import { STATUS_CODES } from 'node:http';
import type { DomainError, ErrorKind, FieldFault } from '../../kernel/domain-error';

/** The body of every answer that is not a success. */
export interface ErrorBody {
  error: string;
  message: string;
  statusCode: number;
  code: string;
  requestId?: string;
  errors?: readonly FieldFault[];
  [extra: string]: unknown;
}

/** An answer that tells a fault. */
export interface ErrorAnswer {
  statusCode: number;
  headers: Record<string, string>;
  body: ErrorBody;
}

/** The only place where kinds of faults become HTTP. */
const STATUS_OF_KIND: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  unavailable: 503,
};

const DEFAULT_RETRY_SECONDS = 5;

/** Status, headers and body for a domain error; a 429 always, and a 503 always, says when to come back. */
export function answerToDomainError(error: DomainError, requestId: string | undefined): ErrorAnswer {
  const statusCode = STATUS_OF_KIND[error.kind];
  const headers: Record<string, string> = {};
  const mustWait = error.kind === 'rate_limited' || error.kind === 'unavailable';
  const retryAfter = error.retryAfterSeconds ?? (mustWait ? DEFAULT_RETRY_SECONDS : undefined);
  if (retryAfter !== undefined) headers['Retry-After'] = String(Math.max(1, Math.ceil(retryAfter)));
  const body: ErrorBody = {
    ...errorBody(statusCode, error.code, error.message, requestId),
    ...(error.faults.length > 0 && { errors: error.faults }),
    ...(error.kind === 'rate_limited' && { retryAfter: Number(headers['Retry-After']) }),
    ...error.extra,
  };
  return { statusCode, headers, body };
}

/** The fields that every error body has. */
export function errorBody(statusCode: number, code: string, message: string, requestId: string | undefined): ErrorBody {
  return {
    error: STATUS_CODES[statusCode] ?? 'Error',
    message,
    statusCode,
    code,
    ...(requestId !== undefined && { requestId }),
  };
}
