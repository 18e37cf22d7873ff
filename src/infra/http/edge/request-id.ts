import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const GIVEN_ID = /^[A-Za-z0-9_-]{1,64}$/;
const current = new AsyncLocalStorage<string>();

/** Id of the current request; undefined outside a request. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}

/** The id of a request: `X-Request-Id` if valid, otherwise a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && GIVEN_ID.test(given) ? given : randomUUID();
}

/** Runs `serve` so that `currentRequestId` returns this id in everything it starts. */
export function inRequest(id: string, serve: () => void): void {
  current.run(id, serve);
}
