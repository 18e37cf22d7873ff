import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { accessOf } from '../../../infra/http/access.decorators';
import { ConsoleSessions } from '../domain/console-sessions.service';
import { KeyAuthentication } from '../domain/key-authentication.service';
import type { AuthenticatedRequest } from './authenticated-request';
import { clientAddress, clientKey } from '../../../infra/http/client-address';
import { FailedAttempts } from '../../../infra/http/limits/failed-attempts';
import { ConsoleCookie } from './console-cookie';
import { presentedKey } from './presented-key';

/**
 * The first guard: answers 429 to an address from which too many invalid keys or sessions came recently, before any lookup.
 * Those that were valid in the last minutes pass, so that other clients behind the same address are not locked out.
 */
@Injectable()
export class AddressLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly failures: FailedAttempts,
    private readonly authentication: KeyAuthentication,
    private readonly sessions: ConsoleSessions,
    private readonly cookie: ConsoleCookie,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    if (accessOf(this.reflector, context)?.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const key = presentedKey(request);
    const token = this.cookie.tokenIn(request);
    const refuse = (what: 'key' | 'session') => this.failures.refuseIfTooMany(what, clientKey(clientAddress(request)));
    if (key !== null && !this.authentication.wasValid(key)) refuse('key');
    if (token !== null && !this.sessions.wasOpen(token)) refuse('session');
    return true;
  }
}
