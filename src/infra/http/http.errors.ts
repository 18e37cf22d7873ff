import { DomainError, type FieldFault } from '../../kernel/domain-error';

/** Most field faults that one answer lists. */
export const MAX_FAULTS = 100;

/** A missing, wrong or unknown field: every one of them at once, in field order, at most 100. */
export class ValidationFailedError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'validation_failed';
  override readonly faults: readonly FieldFault[];

  constructor(faults: readonly FieldFault[]) {
    const first = faults[0]?.message ?? 'The request is not valid.';
    super(faults.length > 1 ? `${first} See "errors" for all ${faults.length} faults.` : first);
    this.faults = faults.slice(0, MAX_FAULTS);
  }
}

/** A body that says it is JSON and is not. */
export class MalformedJsonError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'malformed_json';

  constructor() {
    super('The body is not valid JSON. Send one JSON object, encoded as UTF-8.');
  }
}

/** A body in a format that the endpoint does not read. */
export class UnsupportedMediaTypeError extends DomainError {
  readonly kind = 'unsupported_type';
  readonly code = 'unsupported_media_type';

  constructor(expected: string) {
    super(`Send the body as ${expected}, with a matching Content-Type and no Content-Encoding.`);
  }
}

/** A body larger than the endpoint reads; `limit` in bytes. */
export class BodyTooLargeError extends DomainError {
  readonly kind = 'too_large';
  readonly code = 'body_too_large';
  override readonly extra: { limit: number };

  constructor(limit: number) {
    super(`The body may have at most ${limit} bytes. Split the request.`);
    this.extra = { limit };
  }
}

/** An uploaded file larger than the service takes; `limit` in bytes. */
export class FileTooLargeError extends DomainError {
  readonly kind = 'too_large';
  readonly code = 'file_too_large';
  override readonly extra: { limit: number };

  constructor(limit: number) {
    super(`The file may have at most ${limit} bytes. Send a smaller one, or split it.`);
    this.extra = { limit };
  }
}

/** No endpoint has this method and path. */
export class RouteNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'route_not_found';

  constructor() {
    super('There is no endpoint with this method and path. GET /docs lists all endpoints.');
  }
}

/** The id in the path belongs to nothing in this account. */
export class ResourceNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code: string;

  constructor(resource: string) {
    super(`There is no ${resource.replaceAll('_', ' ')} with this id in your account.`);
    this.code = `${resource}_not_found`;
  }
}

/** Something that the service needs is out of reach for the moment, its database above all. */
export class ServiceUnavailableError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';
  override readonly retryAfterSeconds = 5;

  constructor() {
    super('The service cannot reach its database at the moment. Repeat the request later.');
  }
}

/** The process is coming to its end; another one, or the same after its restart, takes the request. */
export class ServiceStoppingError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';
  override readonly retryAfterSeconds = 5;

  constructor() {
    super('The service is being stopped or restarted; nothing was done. Repeat the request in a few seconds.');
  }
}
