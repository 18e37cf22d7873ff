import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { accessOf } from '../../../infra/http/access.decorators';
import { UnauthorizedError } from '../../../kernel/access.errors';
import { KeyAuthentication } from '../domain/key-authentication.service';
import type { AuthenticatedRequest } from './authenticated-request';
import { clientAddress, clientKey, isAllowed } from '../../../infra/http/client-address';
import { FailedAttempts } from '../../../infra/http/limits/failed-attempts';
import { presentedKey } from './presented-key';

/** The second guard: answers 401 without a valid key, otherwise sets the caller of the request. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authentication: KeyAuthentication,
    private readonly failures: FailedAttempts,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (accessOf(this.reflector, context)?.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const key = presentedKey(request);
    if (key === null) throw new UnauthorizedError();
    const address = clientAddress(request);
    const authenticated = await this.authentication.authenticate(key, (ranges) => isAllowed(address, ranges));
    if (!authenticated) {
      this.failures.count('key', clientKey(address));
      throw new UnauthorizedError();
    }
    request.caller = { ...authenticated.caller, address: address?.toString() };
    request.accountStatus = authenticated.accountStatus;
    return true;
  }
}
