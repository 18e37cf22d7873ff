import type { IncomingMessage } from 'node:http';
import { isWithinRanges } from './client-address';
import { parsedUrl } from '../../../kernel/parsed-url';

/** The parts of a request that identify its target. */
type Targeted = Pick<IncomingMessage, 'headers' | 'socket'>;

/**
 * The origin at which browsers reach this service: from `Host`, or, from trusted proxies only, `X-Forwarded-Host` and
 * `X-Forwarded-Proto`.
 */
export class OwnOrigin {
  constructor(private readonly trustedProxies: readonly string[]) {}

  /** Host and port, in lower case; empty if the request has none. */
  hostOf(request: Targeted): string {
    return (this.forwarded(request, 'x-forwarded-host') ?? request.headers.host ?? '').toLowerCase();
  }

  /**
   * Whether the browser's connection is encrypted, according to a trusted proxy or else to the scheme of `Origin`, which browsers set
   * and pages cannot.
   */
  isEncrypted(request: Targeted): boolean {
    const scheme = this.forwarded(request, 'x-forwarded-proto')?.toLowerCase();
    return scheme === undefined ? /^https:/i.test(request.headers.origin ?? '') : scheme === 'https';
  }

  /** Whether `Origin` is present and names this service. Compares the scheme if a trusted proxy states it. */
  isNamedBy(request: Targeted): boolean {
    const { origin } = request.headers;
    const named = origin === undefined ? null : parsedUrl(origin);
    if (!named) return false;
    const scheme = this.forwarded(request, 'x-forwarded-proto')?.toLowerCase();
    if (scheme !== undefined && named.protocol !== `${scheme}:`) return false;
    const own = this.hostOf(request);
    return own !== '' && named.host === parsedUrl(`${named.protocol}//${own}`)?.host;
  }

  /** Whether browsers treat the host as this machine, so that unencrypted connections are safe. */
  isThisMachine(request: Targeted): boolean {
    const own = parsedUrl(`http://${this.hostOf(request)}`);
    return own !== null && /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(own.hostname);
  }

  /** The value from the nearest trusted proxy, which is the last one. */
  private forwarded({ headers, socket }: Targeted, name: string): string | undefined {
    const given = headers[name];
    if (given === undefined || this.trustedProxies.length === 0) return undefined;
    if (!isWithinRanges(socket.remoteAddress, this.trustedProxies)) return undefined;
    return String(given).split(',').at(-1)?.trim();
  }
}
