import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import type { ApiRequest } from '../http/api-request';
import { withoutPrivateParts } from './private-text';

/** Paths that are polled every few seconds, and the webhook, which is called several times for each message. */
const QUIET = /^\/(health|metrics|webhooks\/platform)/;

/** Logs one line per request: caller, method, path, status and duration; never headers, bodies or phone numbers. */
export function accessLog(logger: Logger): RequestHandler {
  return pinoHttp({
    logger,
    wrapSerializers: false,
    serializers: {
      req: (request: IncomingMessage) => ({
        method: request.method,
        url: withoutPrivateParts((request as ApiRequest).originalUrl),
      }),
      res: (response: ServerResponse) => ({ statusCode: response.statusCode }),
    },
    customSuccessObject: (request, response, fields: object) => lineOf(request as ApiRequest, response, fields),
    // The error itself was logged by the error filter; here only the status.
    customErrorObject: (request, response, _, fields: object) =>
      lineOf(request as ApiRequest, response, { ...fields, err: undefined }),
    customLogLevel: (request, response, error) => {
      if (error !== undefined || response.statusCode >= 500) return 'warn';
      return QUIET.test(request.url ?? '') ? 'debug' : 'info';
    },
  }) as RequestHandler;
}

function lineOf({ requestId, caller }: ApiRequest, response: ServerResponse, fields: object): object {
  return {
    ...fields,
    // The response may end outside the request's async context, so the id is passed explicitly.
    requestId,
    ...(caller && { accountId: caller.accountId, keyPrefix: caller.keyPrefix }),
    ...(!response.writableFinished && { aborted: true }),
  };
}
