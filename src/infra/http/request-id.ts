import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { ApiRequest } from './api-request';

const GIVEN_ID = /^[A-Za-z0-9_-]{1,64}$/;
const current = new AsyncLocalStorage<string>();

/** Id of the current request; undefined outside a request. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}

/** Sets the id of every request, from `X-Request-Id` if that is valid, and returns it in the response. */
export function requestIds(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && GIVEN_ID.test(given) ? given : randomUUID();
  (request as ApiRequest).requestId = id;
  response.setHeader('X-Request-Id', id);
  current.run(id, next);
}
