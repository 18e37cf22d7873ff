import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { ApiRequest } from './api-request';

const GIVEN_ID = /^[A-Za-z0-9_-]{1,64}$/;
const current = new AsyncLocalStorage<string>();

/** Id of the request that is being answered; undefined outside of one. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}

/** Gives every request its id, the client's `X-Request-Id` where it is well formed, and says it in the answer. */
export function requestIds(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && GIVEN_ID.test(given) ? given : randomUUID();
  (request as ApiRequest).requestId = id;
  response.setHeader('X-Request-Id', id);
  current.run(id, next);
}
