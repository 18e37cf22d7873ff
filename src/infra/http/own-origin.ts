import type { IncomingMessage } from 'node:http';
import { isWithinRanges } from './client-address';

/** The parts of a request that say where it was addressed to. */
type Addressed = Pick<IncomingMessage, 'headers' | 'socket'>;

/**
 * The origin under which browsers reach this service. `Host` says it; `X-Forwarded-Host` and `X-Forwarded-Proto` count only from
 * trusted proxies.
 */
export class OwnOrigin {
  constructor(private readonly trustedProxies: readonly string[]) {}

  /** Host and port, in lower case; empty if the request names none. */
  hostOf(request: Addressed): string {
    return (this.forwarded(request, 'x-forwarded-host') ?? request.headers.host ?? '').toLowerCase();
  }

  /**
   * Whether the browser's connection is encrypted. Without a trusted proxy that says it, the scheme of `Origin` does, which browsers
   * set and pages cannot.
   */
  isEncrypted(request: Addressed): boolean {
    const scheme = this.forwarded(request, 'x-forwarded-proto')?.toLowerCase();
    return scheme === undefined ? /^https:/i.test(request.headers.origin ?? '') : scheme === 'https';
  }

  /** Whether `Origin` names this service; a request without it does not. The scheme is compared where a trusted proxy says it. */
  isNamedBy(request: Addressed): boolean {
    const { origin } = request.headers;
    if (origin === undefined || !URL.canParse(origin)) return false;
    const { host, protocol } = new URL(origin);
    const scheme = this.forwarded(request, 'x-forwarded-proto')?.toLowerCase();
    if (scheme !== undefined && protocol !== `${scheme}:`) return false;
    const own = this.hostOf(request);
    return own !== '' && URL.canParse(`${protocol}//${own}`) && host === new URL(`${protocol}//${own}`).host;
  }

  /** Whether browsers take the host for this machine itself, so that its unencrypted connections are safe. */
  isThisMachine(request: Addressed): boolean {
    const own = this.hostOf(request);
    if (!URL.canParse(`http://${own}`)) return false;
    return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(`http://${own}`).hostname);
  }

  /** What the nearest trusted proxy says; it writes the last value. */
  private forwarded({ headers, socket }: Addressed, name: string): string | undefined {
    const given = headers[name];
    if (given === undefined || this.trustedProxies.length === 0) return undefined;
    if (!isWithinRanges(socket.remoteAddress, this.trustedProxies)) return undefined;
    return String(given).split(',').at(-1)?.trim();
  }
}
