import type { ErrorDto, FieldErrorDto } from './generated/types.gen';

/** The stable name of what went wrong: those of docs/errors.md, and three that only this client tells. */
export type MessagingErrorCode =
  | ErrorDto['code']
  /** No answer came: the service is not there, or the connection was cut. */
  | 'connection_failed'
  /** What answered is not the service: another server, or a proxy in front of it. */
  | 'unexpected_answer'
  /** A webhook whose signature or time is wrong. */
  | 'webhook_not_verified';

/**
 * What every refused call throws. Programs look at `code` (stable), or at the class for its family; people read `message`.
 *
 * @example
 * try {
 *   await messaging.sendTemplate({ to: '4915112345678', templateName: 'order_update' });
 * } catch (error) {
 *   if (!(error instanceof MessagingError)) throw error;
 *   if (error.code === 'parameter_mismatch') console.log(`The template takes ${error.details.expected} values`);
 *   else console.log(error.code, error.message, error.requestId);
 * }
 */
export class MessagingError extends Error {
  /** Stable name of the error. */
  readonly code: MessagingErrorCode;
  /** HTTP status; 0 where there was no answer. */
  readonly statusCode: number;
  /** Under which the operator finds the request in the log; null where there was no answer. */
  readonly requestId: string | null;
  /** What is wrong with each field; empty where no field is. */
  readonly errors: readonly FieldErrorDto[];
  /** The whole body of the answer, with the fields that only some codes have, such as `expected` or `allowedActions`. */
  readonly details: Partial<ErrorDto>;
  /** How many seconds to wait before the next try, where the service said so. */
  readonly retryAfter: number | null;

  constructor(code: MessagingErrorCode, message: string, answer: AnswerOfError = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.details = answer.body ?? {};
    this.statusCode = answer.status ?? 0;
    this.requestId = answer.body?.requestId ?? null;
    this.errors = answer.body?.errors ?? [];
    this.retryAfter = answer.retryAfter ?? null;
  }
}

/** What an error has from its answer; `retryAfter` in seconds. */
export interface AnswerOfError {
  status?: number;
  body?: Partial<ErrorDto>;
  retryAfter?: number | null;
}

/** 400: the request is malformed; `errors` names each field. */
export class InvalidRequestError extends MessagingError {}
/** 401: the key is missing, unknown, expired, revoked, or not allowed from here. */
export class UnauthorizedError extends MessagingError {}
/** 403: the key lacks a scope (`details.requiredScope`), or its account may not do this. */
export class ForbiddenError extends MessagingError {}
/** 404: there is nothing of this id or name in the account. */
export class NotFoundError extends MessagingError {}
/** 409: not in this state, or the name or number is taken. */
export class ConflictError extends MessagingError {}
/** 413, 415, 422: understood and refused, such as `template_not_approved` or `recipient_opted_out`. */
export class RefusedError extends MessagingError {}
/** 429, still after the retries: the limit of the plan, or of the platform. */
export class RateLimitedError extends MessagingError {}
/** 503, still after the retries: the service, its database or the platform is unavailable, or sending is stopped. */
export class UnavailableError extends MessagingError {}
/** No answer came. A call that carries an idempotency key can be repeated with it; of others nobody knows. */
export class ConnectionError extends MessagingError {}
/** A webhook that this endpoint must not believe: answer 400 and forget it. */
export class WebhookVerificationError extends MessagingError {}

/** The error that an answer tells; `body` is what it held, parsed where it is JSON. */
export function errorOf(response: Response, body: unknown): MessagingError {
  const { status } = response;
  const told = isErrorBody(body) ? body : undefined;
  const answer = { status, body: told, retryAfter: retryAfterOf(response, told) };
  const code = told?.code ?? 'unexpected_answer';
  const message =
    told?.message ?? `The response does not come from the messaging service: HTTP ${status} from ${response.url}.`;
  return new (classOf(status))(code, message, answer);
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
