import type { NextFunction, Request, Response } from 'express';
import type { ApiRequest } from './api-request';
import { answerToDomainError } from './error-answer';
import { RouteNotFoundError } from './http.errors';

const OPERATIONS = /^\/(health\/(live|ready)|metrics)$/;

/** Whether those who run the service ask there, not its clients. */
export function isOperationsPath(path: string): boolean {
  return OPERATIONS.test(path);
}

/** For a process that serves no clients: health and metrics are answered, everything else is unknown there. */
export function operationsOnly(request: Request, response: Response, next: NextFunction): void {
  if (isOperationsPath(request.path)) return next();
  const answer = answerToDomainError(new RouteNotFoundError(), (request as ApiRequest).requestId);
  response.status(answer.statusCode).json(answer.body);
}
