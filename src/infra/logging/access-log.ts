import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import type { ApiRequest } from '../http/api-request';
import { withoutPrivateParts } from './private-text';

/** Paths that are asked every few seconds by machines. */
const QUIET = /^\/(health|metrics)/;

/** One line for each answered request: who, what, the status and the time it took; never a header, a body or a phone. */
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
    // What failed was logged where it was answered; here only that it failed.
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
    // The response may end outside the request's async context, so the id is given here too.
    requestId,
    ...(caller && { accountId: caller.accountId, keyPrefix: caller.keyPrefix }),
    ...(!response.writableFinished && { aborted: true }),
  };
}
