import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { EdgeRequest } from '../http/api-request';
import { originFields } from './logger';
import { withoutPrivateParts } from './private-text';

/** Paths polled every few seconds, and the webhook, called several times per message. */
const QUIET = /^\/(health|metrics|webhooks\/platform)/;

/** The log of requests. Without redaction: its lines have no secret fields, and redaction is most of the cost of a line. */
export function accessLog(logger: Logger): Logger {
  return logger.child({}, { redact: [] });
}

/**
 * Logs one line for a completed request: client address, caller, method, path, status, id of the sent message, error code and duration;
 * never headers, bodies or phone numbers.
 */
export function logRequest(logger: Logger, request: EdgeRequest, response: ServerResponse, ms: number): void {
  const { method, caller, messageId, errorCode, ip } = request;
  const url = request.originalUrl ?? request.url ?? '';
  const { statusCode } = response;
  // Refusing requests during shutdown is expected: clients retry.
  const isFailure = statusCode >= 500 && request.stopping !== true;
  const level = isFailure ? 'warn' : QUIET.test(url) ? 'debug' : 'info';
  if (!logger.isLevelEnabled(level)) return;
  // Clients end streams by disconnecting.
  const aborted = !response.writableFinished && request.isStream !== true;
  const fields = {
    req: { method, url: isDeclared(request, url) ? url : withoutPrivateParts(url) },
    res: { statusCode },
    responseTime: Math.round(ms),
    // The response may end outside the request's async context, so this is passed explicitly.
    ...originFields(request),
    ...(ip !== undefined && { address: ip }),
    ...(caller && { accountId: caller.accountId, keyPrefix: caller.keyPrefix }),
    ...(messageId !== undefined && { messageId }),
    ...(errorCode !== undefined && { errorCode }),
    ...(aborted && { aborted }),
  };
  // The error itself has already been logged.
  logger[level](fields, aborted ? 'request aborted' : statusCode >= 500 ? 'request errored' : 'request completed');
}

/** Whether the path equals its route's, and therefore contains no parameters. */
function isDeclared({ route, baseUrl = '' }: EdgeRequest, url: string): boolean {
  return typeof route?.path === 'string' && url === baseUrl + route.path;
}
