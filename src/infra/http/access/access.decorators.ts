import { applyDecorators, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import {
  AccountSuspendedError,
  MissingScopeError,
  RateLimitedError,
  UnauthorizedError,
} from '../../../kernel/access.errors';
import type { Scope } from '../../../kernel/caller';
import { ServiceUnavailableError } from '../../../kernel/request.errors';
import { ApiErrors } from '../errors/api-errors.decorator';
import { InternalError } from '../errors/http.errors';

/** What a route requires: nothing, a valid key if the request has one, a key, or a key with `scope` or one of `others`. */
export type RouteAccess =
  | { kind: 'public' }
  | { kind: 'optional' }
  | { kind: 'key' }
  | { kind: 'scope'; scope: Scope; others: readonly Scope[] };

/** Name of the API key scheme in the OpenAPI document. */
export const API_KEY_SCHEME = 'api-key';

const ACCESS = 'route-access';

/** The errors of every route that needs a key. */
const KEYED_ERRORS = [
  UnauthorizedError,
  AccountSuspendedError,
  RateLimitedError,
  InternalError,
  ServiceUnavailableError,
];

/** Requires a valid key with `scope` or one of `others`, and documents it. */
export function RequireScope(scope: Scope, ...others: Scope[]): MethodDecorator & ClassDecorator {
  return applyDecorators(
    declareAccess({ kind: 'scope', scope, others }),
    ApiSecurity(API_KEY_SCHEME),
    ApiExtension('x-required-scope', scope),
    ...(others.length > 0 ? [ApiExtension('x-other-scopes', others)] : []),
    ApiErrors(MissingScopeError, ...KEYED_ERRORS),
  );
}

/** Requires a valid key with any scopes. */
export function RequireKey(): MethodDecorator & ClassDecorator {
  return applyDecorators(declareAccess({ kind: 'key' }), ApiSecurity(API_KEY_SCHEME), ApiErrors(...KEYED_ERRORS));
}

/** Requires no key, but rejects an invalid one; the caller is set if the request has a key or a session. */
export function OptionalKey(): MethodDecorator & ClassDecorator {
  return declareAccess({ kind: 'optional' });
}

/** Requires no key. */
export function Public(): MethodDecorator & ClassDecorator {
  return declareAccess({ kind: 'public' });
}

/** The declared access of the current route; the declaration of the method overrides that of its class. */
export function accessOf(
  reflector: Reflector,
  context: Pick<ExecutionContext, 'getHandler' | 'getClass'>,
): RouteAccess | undefined {
  return reflector.getAllAndOverride<RouteAccess | undefined>(ACCESS, [context.getHandler(), context.getClass()]);
}

function declareAccess(access: RouteAccess): MethodDecorator & ClassDecorator {
  const rejectSecond = (target: object, key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    if (!Reflect.hasOwnMetadata(ACCESS, (descriptor?.value as object | undefined) ?? target)) return;
    const name = key === undefined ? (target as { name: string }).name : String(key);
    throw new Error(`${name} declares its access twice. Keep one of @RequireScope, @RequireKey and @Public.`);
  };
  return applyDecorators(rejectSecond, SetMetadata(ACCESS, access));
}
