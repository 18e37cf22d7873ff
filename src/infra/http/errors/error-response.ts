import { type ServerResponse, STATUS_CODES } from 'node:http';
import { recordMessageId } from '../api-request';
import type { DomainError, ErrorKind, FieldError } from '../../../kernel/domain-error';

/** The body of every error. */
export interface ErrorBody {
  error: string;
  message: string;
  statusCode: number;
  code: string;
  requestId?: string;
  errors?: readonly FieldError<string>[];
  [extra: string]: unknown;
}

/** Status, headers and body of an error. */
export interface ErrorResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: ErrorBody;
}

/** HTTP status of each error kind; the only place that defines it. */
export const STATUS_OF_KIND: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
};

const DEFAULT_RETRY_SECONDS = 5;

/** Status, headers and body of a domain error; a 429 or 503 always has `Retry-After`. */
export function domainErrorResponse(error: DomainError, requestId: string | undefined): ErrorResponse {
  const statusCode = STATUS_OF_KIND[error.kind];
  const headers: Record<string, string> = {};
  const mustWait = error.kind === 'rate_limited' || error.kind === 'unavailable';
  const retryAfter = error.retryAfterSeconds ?? (mustWait ? DEFAULT_RETRY_SECONDS : undefined);
  if (retryAfter !== undefined) headers['Retry-After'] = String(Math.max(1, Math.ceil(retryAfter)));
  if (error.allowedMethods) headers.Allow = error.allowedMethods.join(', ');
  const body: ErrorBody = {
    ...errorBody(statusCode, error.code, error.message, requestId),
    ...(error.errors.length > 0 && { errors: error.errors }),
    ...(error.kind === 'rate_limited' && { retryAfter: Number(headers['Retry-After']) }),
    ...error.extra,
  };
  return { statusCode, headers, body };
}

/** Sends an error response; records its code and message id for the access log. */
export function sendErrorResponse(
  request: { errorCode?: string; messageId?: string },
  response: ServerResponse,
  { statusCode, headers, body }: ErrorResponse,
): void {
  request.errorCode = body.code;
  recordMessageId(request, body);
  const text = JSON.stringify(body);
  response.writeHead(statusCode, {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** The common fields of error bodies. */
function errorBody(statusCode: number, code: string, message: string, requestId: string | undefined): ErrorBody {
  return {
    error: STATUS_CODES[statusCode] ?? 'Error',
    message,
    statusCode,
    code,
    ...(requestId !== undefined && { requestId }),
  };
}
