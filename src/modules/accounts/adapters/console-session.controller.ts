import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { OptionalKey, Public } from '../../../infra/http/access/access.decorators';
import { clientAddress, clientKey, isAllowed } from '../../../infra/http/access/client-address';
import { FailedAttempts } from '../../../infra/http/limits/failed-attempts';
import { InProcessBuckets } from '../../../infra/http/limits/in-process-buckets';
import { secondsToNext } from '../../../infra/http/limits/token-bucket';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { AccountSuspendedError, RateLimitedError, UnauthorizedError } from '../../../kernel/access.errors';
import type { Caller } from '../../../kernel/caller';
import { Clock } from '../../../kernel/clock';
import { AccountsService } from '../domain/accounts.service';
import { ApiKeysService } from '../domain/api-keys.service';
import { proofOf } from '../domain/api-key';
import { ConsoleSessions } from '../domain/console-sessions';
import { KeyAuthentication } from '../domain/key-authentication';
import type { AuthenticatedRequest } from './authenticated-request';
import { ConsoleCookie } from './console-cookie';
import { ConsoleSessionDto, SignInDto } from './console-session.dto';

/** Rate of sign-ins with one key, each of which is stored and audited. */
const SIGN_IN_RATE = { capacity: 60, fillMs: 60_000 };
const SIGN_IN_BODY = { maxBytes: 8_192, maxValues: 10 };

/** Sign-in to the console in the browser. Not part of the API: without its prefix, and excluded from the OpenAPI document. */
@ApiExcludeController()
@Controller('console/session')
export class ConsoleSessionController {
  private readonly signIns: InProcessBuckets;

  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly cookie: ConsoleCookie,
    private readonly authentication: KeyAuthentication,
    private readonly failures: FailedAttempts,
    private readonly accounts: AccountsService,
    private readonly keys: ApiKeysService,
    private readonly clock: Clock,
  ) {
    this.signIns = new InProcessBuckets(clock);
  }

  @Post()
  @HttpCode(200)
  @Public()
  @JsonBody(SIGN_IN_BODY)
  async signIn(
    @Body() { apiKey }: SignInDto,
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ConsoleSessionDto> {
    this.cookie.requireSignIn(request);
    const proof = proofOf(apiKey);
    const address = clientAddress(request);
    const client = clientKey(address);
    if (!this.authentication.wasRecentlyValid(proof)) this.failures.refuseIfTooMany('key', client);
    const authenticated = await this.authentication.authenticate(proof, (ranges) => isAllowed(address, ranges));
    if (!authenticated) {
      this.failures.count('key', client);
      throw new UnauthorizedError('This key is unknown, expired or revoked, or may not be used from this address.');
    }
    const caller = { ...authenticated.caller, address: address?.toString() };
    request.caller = caller;
    if (authenticated.accountStatus === 'Suspended') throw new AccountSuspendedError();
    this.limitSignIns(caller.keyId);
    const token = await this.sessions.open(caller, proof);
    const session = await this.sessionOf(caller);
    this.cookie.set(request, response, token);
    return session;
  }

  /** 204 to a browser without a session: the console asks whether it has one. 401 states why a session has ended. */
  @Get()
  @OptionalKey()
  async getSession(
    @Req() { caller, consoleSessionId }: AuthenticatedRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ConsoleSessionDto | undefined> {
    if (!caller) {
      response.status(204);
      return undefined;
    }
    if (consoleSessionId === undefined) throw new UnauthorizedError('Not signed in to the console.');
    return this.sessionOf(caller);
  }

  /** Ends the session; does nothing without one. */
  @Delete()
  @HttpCode(204)
  @Public()
  async signOut(@Req() request: AuthenticatedRequest, @Res({ passthrough: true }) response: Response): Promise<void> {
    const token = this.cookie.tokenIn(request);
    if (token !== null) await this.end(token, clientAddress(request));
    this.cookie.clear(request, response);
  }

  /** The route is public, so failed attempts must be counted here. */
  private async end(token: string, address: ReturnType<typeof clientAddress>): Promise<void> {
    const client = clientKey(address);
    if (!this.sessions.wasRecentlyOpen(token)) this.failures.refuseIfTooMany('session', client);
    if (!(await this.sessions.end(token, address?.toString()))) this.failures.count('session', client);
  }

  private async sessionOf(caller: Caller): Promise<ConsoleSessionDto> {
    const [account, key] = await Promise.all([this.accounts.get(caller.accountId), this.keys.own(caller)]);
    return ConsoleSessionDto.from(account, key, this.clock.now());
  }

  private limitSignIns(keyId: string): void {
    const { allowed, tokens } = this.signIns.take(keyId, SIGN_IN_RATE);
    if (allowed) return;
    const seconds = secondsToNext(tokens, SIGN_IN_RATE);
    throw new RateLimitedError(`Too many sign-ins with this key. Try again in ${seconds} s.`, seconds);
  }
}
