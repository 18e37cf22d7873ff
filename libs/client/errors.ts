import type { ErrorDto, FieldErrorDto } from './generated/types.gen';

/** Stable error codes: those of docs/errors.md, and three of this client. */
export type MessagingErrorCode =
  | ErrorDto['code']
  /** No response: the service is unreachable, or the connection was lost. */
  | 'connection_failed'
  /** The response is not from the service but from another server or a proxy. */
  | 'unexpected_answer'
  /** A webhook with an invalid signature or timestamp. */
  | 'webhook_not_verified';

/**
 * The error of a failed call. Use `code` (stable) or the subclass in programs, and `message` for people.
 *
 * @example
 * try {
 *   await messaging.sendTemplate({ to: '4915112345678', templateName: 'order_update' });
 * } catch (error) {
 *   if (!(error instanceof MessagingError)) throw error;
 *   if (error.code === 'parameter_mismatch') console.log(`The template needs ${error.details.expected} values`);
 *   else console.log(error.code, error.message, error.requestId);
 * }
 */
export class MessagingError extends Error {
  /** Stable error code. */
  readonly code: MessagingErrorCode;
  /** HTTP status; 0 if there was no response. */
  readonly statusCode: number;
  /** Id of the request in the service's log; null if there was no response. */
  readonly requestId: string | null;
  /** Validation errors by field; empty for other errors. */
  readonly errors: readonly FieldErrorDto[];
  /** The complete response body, with code-specific fields such as `expected` or `allowedActions`. */
  readonly details: Partial<ErrorDto>;
  /** Seconds to wait before a retry, if the service returned it. */
  readonly retryAfter: number | null;

  constructor(code: MessagingErrorCode, message: string, response: ErrorResponse = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.details = response.body ?? {};
    this.statusCode = response.status ?? 0;
    this.requestId = response.body?.requestId ?? null;
    this.errors = response.body?.errors ?? [];
    this.retryAfter = response.retryAfter ?? null;
  }
}

/** The parts of a response that an error contains; `retryAfter` in seconds. */
export interface ErrorResponse {
  status?: number;
  body?: Partial<ErrorDto>;
  retryAfter?: number | null;
}

/** 400: the request is malformed; `errors` names each field. */
export class InvalidRequestError extends MessagingError {}
/** 401: the key is missing, unknown, expired, revoked, or not allowed from this IP address. */
export class UnauthorizedError extends MessagingError {}
/** 403: the key lacks a scope (`details.requiredScope`), or the account is not allowed to do this. */
export class ForbiddenError extends MessagingError {}
/** 404: no such id or name in the account. */
export class NotFoundError extends MessagingError {}
/** 409: not possible in the current state, or the name or number is taken. */
export class ConflictError extends MessagingError {}
/** 413, 415, 422: valid but rejected, such as `template_not_approved` or `recipient_opted_out`. */
export class RefusedError extends MessagingError {}
/** 429 after all retries: a rate limit of the plan or of the platform. */
export class RateLimitedError extends MessagingError {}
/** 503 after all retries: the service, its database or the platform is unavailable, or sending is stopped. */
export class UnavailableError extends MessagingError {}
/** No response. A call with an idempotency key can be repeated with the same key; the outcome of any other write is unknown. */
export class ConnectionError extends MessagingError {}
/** A webhook request that failed verification: respond with 400 and ignore it. */
export class WebhookVerificationError extends MessagingError {}

/** The error for an unsuccessful response; `body`: its parsed JSON, or its text. */
export function errorOf(response: Response, body: unknown): MessagingError {
  const { status } = response;
  const known = isErrorBody(body) ? body : undefined;
  const parts = { status, body: known, retryAfter: retryAfterOf(response, known) };
  const code = known?.code ?? 'unexpected_answer';
  const message =
    known?.message ?? `The response is not from the messaging service: HTTP ${status} from ${response.url}.`;
  return new (classOf(status))(code, message, parts);
}

function classOf(status: number): typeof MessagingError {
  const classes: Record<number, typeof MessagingError> = {
    400: InvalidRequestError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    413: RefusedError,
    415: RefusedError,
    422: RefusedError,
    429: RateLimitedError,
    503: UnavailableError,
  };
  return classes[status] ?? MessagingError;
}

function isErrorBody(body: unknown): body is ErrorDto {
  return typeof body === 'object' && body !== null && 'code' in body && 'message' in body;
}

function retryAfterOf(response: Response, body: ErrorDto | undefined): number | null {
  const header = Number(response.headers.get('retry-after') ?? NaN);
  return body?.retryAfter ?? (Number.isFinite(header) ? header : null);
}
