import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { EdgeRequest } from '../http/api-request';
import { withoutPrivateParts } from './private-text';

/** Paths that are polled every few seconds, and the webhook, which is called several times for each message. */
const QUIET = /^\/(health|metrics|webhooks\/platform)/;

/** The log of ended requests: its lines have no field in which a secret could stand by mistake, and looking for one costs most of a line. */
export function accessLog(logger: Logger): Logger {
  return logger.child({}, { redact: [] });
}

/**
 * Logs one line for an ended request: client address, caller, method, path, status, id of the message that it sent, error code and
 * duration; never headers, bodies or phone numbers.
 */
export function logAnswer(logger: Logger, request: EdgeRequest, response: ServerResponse, ms: number): void {
  const { method, requestId, caller, messageId, errorCode, ip } = request;
  const url = request.originalUrl ?? request.url ?? '';
  const { statusCode } = response;
  // A refusal while the process stops is as it should be: whoever was refused sends the request again.
  const isFailure = statusCode >= 500 && request.stopping !== true;
  const level = isFailure ? 'warn' : QUIET.test(url) ? 'debug' : 'info';
  if (!logger.isLevelEnabled(level)) return;
  // Whoever listens to a stream ends it by leaving.
  const aborted = !response.writableFinished && request.isStream !== true;
  const fields = {
    req: { method, url: isDeclared(request, url) ? url : withoutPrivateParts(url) },
    res: { statusCode },
    responseTime: Math.round(ms),
    // The response may end outside the request's async context, so the id is passed explicitly.
    requestId,
    ...(ip !== undefined && { address: ip }),
    ...(caller && { accountId: caller.accountId, keyPrefix: caller.keyPrefix }),
    ...(messageId !== undefined && { messageId }),
    ...(errorCode !== undefined && { errorCode }),
    ...(aborted && { aborted }),
  };
  // The error itself was logged where it was answered.
  logger[level](fields, aborted ? 'request aborted' : statusCode >= 500 ? 'request errored' : 'request completed');
}

/** A path without parameters, as its route has it. */
function isDeclared({ route, baseUrl = '' }: EdgeRequest, url: string): boolean {
  return typeof route?.path === 'string' && url === baseUrl + route.path;
}
