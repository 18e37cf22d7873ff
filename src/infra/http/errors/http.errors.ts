import { domainError } from '../../../kernel/domain-error';
import { ServiceUnavailableError } from '../../../kernel/request.errors';

/** The content type is JSON, but the body is not; or it is a single value, such as null. */
export class MalformedJsonError extends domainError({
  code: 'malformed_json',
  kind: 'invalid',
  when: 'The body is not valid JSON, or not an object.',
  remedy: 'Send one JSON object, encoded as UTF-8.',
}) {
  constructor(what: 'valid JSON' | 'a JSON object') {
    super(`The body is not ${what}. Send one JSON object, encoded as UTF-8.`);
  }
}

/** The endpoint does not accept the content type. */
export class UnsupportedMediaTypeError extends domainError({
  code: 'unsupported_media_type',
  kind: 'unsupported_type',
  when: 'The endpoint does not accept the content type of the body.',
  remedy: 'Send the body as documented, with a matching `Content-Type` and no `Content-Encoding`.',
}) {
  constructor(expected: string) {
    super(`Send the body as ${expected}, with a matching Content-Type and no Content-Encoding.`);
  }
}

/** The body is larger than the endpoint accepts; `limit` in bytes. */
export class BodyTooLargeError extends domainError({
  code: 'body_too_large',
  kind: 'too_large',
  when: 'The body is larger than the endpoint accepts.',
  remedy: 'Split the request. `limit` is in bytes.',
  extra: { limit: { type: 'integer', description: 'the limit in bytes', example: 65536 } },
}) {
  override readonly extra: { limit: number };

  constructor(limit: number) {
    super(`The body may have at most ${limit} bytes. Split the request.`);
    this.extra = { limit };
  }
}

/** The path has endpoints, but none with this method. */
export class MethodNotAllowedError extends domainError({
  code: 'method_not_allowed',
  kind: 'method_not_allowed',
  when: 'The path does not support this method; the header `Allow` lists the supported ones.',
  remedy: 'Use one of the methods in `Allow`.',
}) {
  constructor(override readonly allowedMethods: readonly string[]) {
    super(`This path does not support this method. Use ${allowedMethods.join(' or ')}.`);
  }
}

/** No endpoint has this path. */
export class RouteNotFoundError extends domainError({
  code: 'route_not_found',
  kind: 'not_found',
  when: 'No endpoint has this path.',
  remedy: 'Compare the path with the list of endpoints at `GET /docs`.',
}) {
  constructor() {
    super('No endpoint has this path. GET /docs lists all endpoints.');
  }
}

/** The database is unavailable. */
export class DatabaseUnavailableError extends ServiceUnavailableError {
  constructor() {
    super('The service cannot reach its database. Retry later.');
  }
}

/** The process is stopping; another process, or this one after a restart, will accept the request. */
export class ServiceStoppingError extends ServiceUnavailableError {
  constructor() {
    super('The service is stopping or restarting; nothing was done. Retry in a few seconds.');
  }
}

/** The account has reached its limit of open streams. */
export class TooManyStreamsError extends domainError({
  code: 'too_many_streams',
  kind: 'rate_limited',
  when: 'The account has reached the limit of open event streams per process.',
  remedy: 'Close unused streams, or share one stream among your users. `limit` is the maximum number.',
  extra: {
    limit: { type: 'integer', description: 'maximum number of open streams', example: 500 },
    retryAfter: { type: 'integer', description: 'seconds to wait', example: 5 },
  },
}) {
  override readonly extra: { limit: number };

  constructor(limit: number) {
    super(`Your account has reached the maximum of ${limit} open event streams. Close or share some.`);
    this.extra = { limit };
  }
}

/** A browser's request to the console did not come from the console's own pages. */
export class CrossSiteRequestError extends domainError({
  code: 'cross_site_request',
  kind: 'forbidden',
  when:
    "The request uses the console's cookie or signs in to the console, but comes from another site, or the " +
    'browser does not state its origin.',
  remedy:
    'Use the console at its own address, in a current browser. A proxy must forward `Host` and `Origin`, or be listed ' +
    'in `TRUSTED_PROXIES`. Programs send a key in `X-API-Key`.',
}) {
  constructor(reason: string) {
    super(`This request must come from the console's own pages, but ${reason}.`);
  }
}

/** The console was opened over plain HTTP from another machine. */
export class ConsoleNeedsTlsError extends domainError({
  code: 'console_needs_tls',
  kind: 'forbidden',
  when: 'Sign-in to the console over plain HTTP from another machine: the key could be intercepted.',
  remedy: "Open the console over HTTPS, or on the service's own machine as `http://localhost`.",
}) {
  constructor() {
    super("The console needs HTTPS: plain HTTP works only on the service's own machine.");
  }
}

/** An unexpected error; its response has no internal details. */
export class InternalError extends domainError({
  code: 'internal_error',
  kind: 'internal',
  when: 'The service failed unexpectedly.',
  remedy: 'Send the request again later. If it fails again, give the operator the `requestId`.',
}) {
  constructor() {
    super('Something went wrong on our side. Retry later; if it fails again, give us the requestId.');
  }
}
