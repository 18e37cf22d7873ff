import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { accessOf } from '../../../infra/http/access/access.decorators';
import { scopesInclude } from '../../../kernel/caller';
import { AccountSuspendedError, MissingScopeError, UnauthorizedError } from '../../../kernel/access.errors';
import type { AuthenticatedRequest } from './authenticated-request';

/** The last guard: rejects suspended accounts and keys without the route's scope (403). Routes without a declared scope are closed. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const access = accessOf(this.reflector, context);
    if (access?.kind === 'public') return true;
    const { caller, accountStatus } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (access?.kind === 'optional' && !caller) return true;
    if (!access || !caller) throw new UnauthorizedError();
    if (accountStatus === 'Suspended') throw new AccountSuspendedError();
    if (access.kind === 'scope' && ![access.scope, ...access.others].some((one) => scopesInclude(caller.scopes, one))) {
      throw new MissingScopeError(access.scope);
    }
    return true;
  }
}
