import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { ConsoleNeedsTlsError, CrossSiteRequestError } from '../../../infra/http/errors/http.errors';
import { OwnOrigin } from '../../../infra/http/access/own-origin';

/** Browsers accept a cookie of this name only over HTTPS, for this host alone and for all its paths. */
const HTTPS_NAME = '__Host-console';
/** For access from this machine without HTTPS. */
const LOCAL_NAME = 'console';
const SAFE_METHODS = ['GET', 'HEAD'];

/** The session cookie of the console, and checks against cross-site requests. */
@Injectable()
export class ConsoleCookie {
  constructor(private readonly origin: OwnOrigin) {}

  /**
   * The session token of a request; null if the request has a key or no cookie, or no `Sec-Fetch-Site` header. Throws
   * CrossSiteRequestError.
   */
  tokenIn(request: Request): string | null {
    const { headers } = request;
    if (headers['x-api-key'] !== undefined || headers.authorization !== undefined) return null;
    if (headers.cookie === undefined || headers['sec-fetch-site'] === undefined) return null;
    const token = this.cookieOf(request);
    if (token !== null) this.requireOwnPage(request);
    return token;
  }

  /** Throws CrossSiteRequestError or ConsoleNeedsTlsError unless the request may sign in to the console. */
  requireSignIn(request: Request): void {
    if (!this.origin.isEncrypted(request) && !this.origin.isThisMachine(request)) throw new ConsoleNeedsTlsError();
    this.requireOwnPage(request);
  }

  set(request: Request, response: Response, token: string): void {
    response.cookie(...this.attributes(request, token));
  }

  /** Deletes the cookie in the browser. */
  clear(request: Request, response: Response): void {
    const [name, value, options] = this.attributes(request, '');
    response.cookie(name, value, { ...options, maxAge: 0 });
  }

  private attributes(request: Request, value: string): [string, string, CookieOptions] {
    const secure = this.origin.isEncrypted(request);
    const name = secure ? HTTPS_NAME : LOCAL_NAME;
    return [name, value, { httpOnly: true, secure, sameSite: 'strict', path: '/' }];
  }

  private requireOwnPage(request: Request): void {
    const { 'sec-fetch-site': site, origin } = request.headers;
    if (site === undefined) throw new CrossSiteRequestError('the browser does not state its origin');
    if (site !== 'same-origin') throw new CrossSiteRequestError('it comes from another site');
    if (SAFE_METHODS.includes(request.method) || this.origin.isNamedBy(request)) return;
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
    const plain = this.origin.isThisMachine(request) ? cookies.get(LOCAL_NAME) : undefined;
    return cookies.get(HTTPS_NAME) ?? plain ?? null;
  }
}
