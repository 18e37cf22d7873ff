import { METHODS } from 'node:http';
import type { Request } from 'express';
import type { DomainError } from '../../kernel/domain-error';
import { MethodNotAllowedError, RouteNotFoundError } from './http.errors';

/** A route as Express 5 keeps it; its own types say nothing of the stack. */
interface Layer {
  match(path: string): boolean;
  route?: { methods: Readonly<Record<string, boolean>> };
}

/** The error of a request that no endpoint serves: 405 where the path has endpoints with other methods, else 404. */
export function unservedRoute(request: Request): DomainError {
  const { stack } = request.app.router as unknown as { stack: readonly Layer[] };
  const methods = stack
    // A route for all methods is the one that answers for unknown paths.
    .filter(({ route }) => route !== undefined && !METHODS.every((method) => route.methods[method.toLowerCase()]))
    .filter((layer) => matches(layer, request.baseUrl + request.path))
    .flatMap(({ route }) => Object.keys(route!.methods).map((method) => method.toUpperCase()));
  if (methods.length === 0) return new RouteNotFoundError();
  return new MethodNotAllowedError([...new Set(methods)].sort());
}

function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    // A path that cannot be decoded.
    return false;
  }
}
