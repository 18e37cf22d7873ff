import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const GIVEN_ID = /^[A-Za-z0-9_-]{1,64}$/;
const current = new AsyncLocalStorage<string>();

/** Id of the current request; undefined outside a request. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}

/** The id of a request: `X-Request-Id` if that is valid, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && GIVEN_ID.test(given) ? given : randomUUID();
}

/** Runs what serves a request: everything that it starts belongs to this id. */
export function inRequest(id: string, serve: () => void): void {
  current.run(id, serve);
}
