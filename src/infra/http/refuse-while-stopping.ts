import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Shutdown } from '../lifecycle/shutdown';
import type { ApiRequest } from './api-request';
import { answerToDomainError } from './error-answer';
import { ServiceStoppingError } from './http.errors';
import { isOperationsPath } from './operations-only';

/**
 * While the process stops, it finishes running requests and refuses new ones, which clients may repeat elsewhere; health and
 * metrics are served until the end.
 */
export function refuseWhileStopping(shutdown: Shutdown): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!shutdown.begun) return next();
    response.setHeader('Connection', 'close');
    if (isOperationsPath(request.path)) return next();
    const answer = answerToDomainError(new ServiceStoppingError(), (request as ApiRequest).requestId);
    response.status(answer.statusCode).set(answer.headers).json(answer.body);
  };
}
