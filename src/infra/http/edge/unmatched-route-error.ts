import { METHODS } from 'node:http';
import type { Request } from 'express';
import type { DomainError } from '../../../kernel/domain-error';
import { MethodNotAllowedError, RouteNotFoundError } from '../errors/http.errors';

/** A route in Express 5's router stack, which its types lack. */
interface Layer {
  match(path: string): boolean;
  route?: { methods: Readonly<Record<string, boolean>> };
}

/** The error of a request without an endpoint: 405 if the path supports other methods, otherwise 404. */
export function unmatchedRouteError(request: Request): DomainError {
  const { stack } = request.app.router as unknown as { stack: readonly Layer[] };
  const methods = stack
    // A route for all methods handles unknown paths.
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
    // The path cannot be decoded.
    return false;
  }
}
