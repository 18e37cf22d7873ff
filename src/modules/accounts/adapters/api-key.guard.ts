import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { accessOf } from '../../../infra/http/access/access.decorators';
import { KEY_IN_AUTHORIZATION, UnauthorizedError } from '../../../kernel/access.errors';
import type { KeyProof } from '../domain/api-key';
import { ConsoleSessions, type SessionEnd } from '../domain/console-sessions';
import { type Authenticated, KeyAuthentication } from '../domain/key-authentication';
import type { AuthenticatedRequest } from './authenticated-request';
import { clientAddress, clientKey, isAllowed } from '../../../infra/http/access/client-address';
import { FailedAttempts } from '../../../infra/http/limits/failed-attempts';
import { ConsoleCookie } from './console-cookie';
import { presentedKey } from './presented-key';

/** The cookie's session has ended; `sessionEnd` is for the console only and not part of the API document. */
class ConsoleSessionEndedError extends UnauthorizedError {
  override readonly extra: { sessionEnd: SessionEnd };

  constructor(sessionEnd: SessionEnd) {
    super('The console session has ended. Sign in again.');
    this.extra = { sessionEnd };
  }
}

type ClientAddress = ReturnType<typeof clientAddress>;

/**
 * The first guard: sets the caller of the request, or rejects it (401) without a valid key or console session. Before any lookup it
 * rejects an address with too many recent invalid ones (429). Keys and sessions that were valid in the last ten minutes are not rejected
 * for their address, so that other clients behind it do not lock them out.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authentication: KeyAuthentication,
    private readonly failures: FailedAttempts,
    private readonly sessions: ConsoleSessions,
    private readonly cookie: ConsoleCookie,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = accessOf(this.reflector, context);
    if (access?.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const key = presentedKey(request);
    if (access?.kind === 'optional' && key === null && this.cookie.tokenIn(request) === null) return true;
    const address = clientAddress(request);
    const holder =
      key === null ? await this.authenticateSession(request, address) : await this.authenticateKey(key, address);
    request.caller = { ...holder.caller, address: address?.toString() };
    request.accountStatus = holder.accountStatus;
    request.isStillAllowed = async () => hasSameRights(holder, await this.currentHolder(request, key, holder));
    return true;
  }

  /** The current holder of the key or session of an accepted request; null if it is no longer valid. */
  private currentHolder(
    request: AuthenticatedRequest,
    key: KeyProof | null,
    { caller }: Authenticated,
  ): Promise<Authenticated | null> {
    const allows = (ranges: readonly string[]) => isAllowed(clientAddress(request), ranges);
    if (key !== null) return this.authentication.holderOfBatched(key.prefix, caller.keyId, allows);
    return this.sessions.holderOf(this.cookie.tokenIn(request)!, allows);
  }

  private async authenticateKey(key: KeyProof, address: ClientAddress): Promise<Authenticated> {
    if (!this.authentication.wasRecentlyValid(key)) this.failures.refuseIfTooMany('key', clientKey(address));
    const authenticated = await this.authentication.authenticate(key, (ranges) => isAllowed(address, ranges));
    if (authenticated) return authenticated;
    this.failures.count('key', clientKey(address));
    throw new UnauthorizedError();
  }

  private async authenticateSession(request: AuthenticatedRequest, address: ClientAddress): Promise<Authenticated> {
    const token = this.cookie.tokenIn(request);
    if (token === null) {
      throw new UnauthorizedError(request.headers.authorization === undefined ? undefined : KEY_IN_AUTHORIZATION);
    }
    if (!this.sessions.wasRecentlyOpen(token)) this.failures.refuseIfTooMany('session', clientKey(address));
    const allows = (ranges: readonly string[]) => isAllowed(address, ranges);
    const session = await this.sessions.resume(token, allows);
    if (!session) {
      this.failures.count('session', clientKey(address));
      throw new ConsoleSessionEndedError(await this.sessions.endOf(token, allows));
    }
    request.consoleSessionId = session.sessionId;
    return session;
  }
}

function hasSameRights(before: Authenticated, now: Authenticated | null): boolean {
  if (now?.accountStatus !== before.accountStatus) return false;
  return before.caller.scopes.every((scope) => now.caller.scopes.includes(scope));
}
