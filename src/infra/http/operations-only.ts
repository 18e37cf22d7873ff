import type { NextFunction, Request, Response } from 'express';
import type { ApiRequest } from './api-request';
import { answerToDomainError } from './error-answer';
import { RouteNotFoundError } from './http.errors';

const OPERATIONS = /^\/(health\/(live|ready)|metrics)$/;

/** Whether the path is for operators of the service, not for API clients. */
export function isOperationsPath(path: string): boolean {
  return OPERATIONS.test(path);
}

/** For a process without an API: serves health and metrics, and answers 404 for everything else. */
export function operationsOnly(request: Request, response: Response, next: NextFunction): void {
  if (isOperationsPath(request.path)) return next();
  const answer = answerToDomainError(new RouteNotFoundError(), (request as ApiRequest).requestId);
  response.status(answer.statusCode).json(answer.body);
}
