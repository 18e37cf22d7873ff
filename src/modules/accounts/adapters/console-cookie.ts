import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { ConsoleNeedsTlsError, CrossSiteRequestError } from '../../../infra/http/http.errors';
import { OwnOrigin } from '../../../infra/http/own-origin';

/** Browsers accept a cookie of this name only over HTTPS, for this host alone and for all its paths. */
const ENCRYPTED_NAME = '__Host-console';
/** On this machine itself, without HTTPS. */
const PLAIN_NAME = 'console';
const READS = ['GET', 'HEAD'];

/** The cookie of the console's sessions, and the rules under which browsers may use it. */
@Injectable()
export class ConsoleCookie {
  constructor(private readonly origin: OwnOrigin) {}

  /**
   * The token of the session that a request uses; null if it uses none: it has a key or no cookie, or it does not come from a
   * browser that says which site sent it. Throws CrossSiteRequestError.
   */
  tokenIn(request: Request): string | null {
    const { headers } = request;
    if (headers['x-api-key'] !== undefined || headers.authorization !== undefined) return null;
    if (headers.cookie === undefined || headers['sec-fetch-site'] === undefined) return null;
    const token = this.cookieOf(request);
    if (token !== null) this.requireOwnPage(request);
    return token;
  }

  /** Throws CrossSiteRequestError or ConsoleNeedsTlsError unless a page of the console may sign in with this request. */
  requireSignIn(request: Request): void {
    if (!this.origin.isEncrypted(request) && !this.origin.isThisMachine(request)) throw new ConsoleNeedsTlsError();
    this.requireOwnPage(request);
  }

  set(request: Request, response: Response, token: string): void {
    response.cookie(...this.attributes(request, token));
  }

  /** Makes the browser forget the cookie. */
  clear(request: Request, response: Response): void {
    const [name, value, options] = this.attributes(request, '');
    response.cookie(name, value, { ...options, maxAge: 0 });
  }

  private attributes(request: Request, value: string): [string, string, CookieOptions] {
    const secure = this.origin.isEncrypted(request);
    const name = secure ? ENCRYPTED_NAME : PLAIN_NAME;
    return [name, value, { httpOnly: true, secure, sameSite: 'strict', path: '/' }];
  }

  private requireOwnPage(request: Request): void {
    const { 'sec-fetch-site': site, origin } = request.headers;
    if (site === undefined) throw new CrossSiteRequestError('the browser does not state its origin');
    if (site !== 'same-origin') throw new CrossSiteRequestError('it comes from another site');
    if (READS.includes(request.method) || this.origin.isNamedBy(request)) return;
    throw new CrossSiteRequestError(
      origin === undefined
        ? 'it has no Origin'
        : 'its Origin is not the address of the service. If there is a proxy, let it forward Host, or list it in ' +
            'TRUSTED_PROXIES',
    );
  }

  private cookieOf(request: Request): string | null {
    const cookies = new Map<string, string>();
    for (const part of request.headers.cookie!.split(';')) {
      const at = part.indexOf('=');
      if (at > 0) cookies.set(part.slice(0, at).trim(), part.slice(at + 1).trim());
    }
    const plain = this.origin.isThisMachine(request) ? cookies.get(PLAIN_NAME) : undefined;
    return cookies.get(ENCRYPTED_NAME) ?? plain ?? null;
  }
}
