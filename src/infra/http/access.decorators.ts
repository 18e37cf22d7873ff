import { applyDecorators, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { Scope } from '../../kernel/caller';
import { ApiFaults } from './api-faults.decorator';

/** What a route asks of its caller; with `others` any one of them does in place of `scope`. */
export type RouteAccess =
  { kind: 'public' } | { kind: 'key' } | { kind: 'scope'; scope: Scope; others: readonly Scope[] };

/** Name of the API key scheme in the OpenAPI document. */
export const API_KEY_SCHEME = 'api-key';

const ACCESS = 'route-access';

/** The route needs a valid key that carries `scope`, or one of `others`; the OpenAPI document says so. */
export function RequireScope(scope: Scope, ...others: Scope[]): MethodDecorator & ClassDecorator {
  return applyDecorators(
    declareAccess({ kind: 'scope', scope, others }),
    ApiSecurity(API_KEY_SCHEME),
    ApiExtension('x-required-scope', scope),
    ...(others.length > 0 ? [ApiExtension('x-other-scopes', others)] : []),
    ApiFaults(
      'unauthorized',
      'missing_scope',
      'account_suspended',
      'rate_limited',
      'internal_error',
      'service_unavailable',
    ),
  );
}

/** The route needs a valid key, whatever its scopes. */
export function RequireKey(): MethodDecorator & ClassDecorator {
  return applyDecorators(
    declareAccess({ kind: 'key' }),
    ApiSecurity(API_KEY_SCHEME),
    ApiFaults('unauthorized', 'account_suspended', 'rate_limited', 'internal_error', 'service_unavailable'),
  );
}

/** The route needs no key. */
export function Public(): MethodDecorator & ClassDecorator {
  return declareAccess({ kind: 'public' });
}

/** What the route of this request asks for; the declaration of the method goes before that of its class. */
export function accessOf(
  reflector: Reflector,
  context: Pick<ExecutionContext, 'getHandler' | 'getClass'>,
): RouteAccess | undefined {
  return reflector.getAllAndOverride<RouteAccess | undefined>(ACCESS, [context.getHandler(), context.getClass()]);
}

function declareAccess(access: RouteAccess): MethodDecorator & ClassDecorator {
  const refuseSecond = (target: object, key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    if (!Reflect.hasOwnMetadata(ACCESS, (descriptor?.value as object | undefined) ?? target)) return;
    const name = key === undefined ? (target as { name: string }).name : String(key);
    throw new Error(`${name} declares its access twice. Keep one of @RequireScope, @RequireKey and @Public.`);
  };
  return applyDecorators(refuseSecond, SetMetadata(ACCESS, access));
}
