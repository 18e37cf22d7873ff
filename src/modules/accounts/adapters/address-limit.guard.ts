import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { accessOf } from '../../../infra/http/access/access.decorators';
import { ConsoleSessions } from '../domain/console-sessions';
import { KeyAuthentication } from '../domain/key-authentication';
import type { AuthenticatedRequest } from './authenticated-request';
import { clientAddress, clientKey } from '../../../infra/http/access/client-address';
import { FailedAttempts } from '../../../infra/http/limits/failed-attempts';
import { ConsoleCookie } from './console-cookie';
import { presentedKey } from './presented-key';

/**
 * The first guard: rejects an address with too many recent invalid keys or sessions (429), before any lookup. Keys and sessions
 * that were valid in the last ten minutes pass, so that other clients behind the same address are not locked out.
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
    if (key !== null && !this.authentication.wasRecentlyValid(key)) refuse('key');
    if (token !== null && !this.sessions.wasRecentlyOpen(token)) refuse('session');
    return true;
  }
}
