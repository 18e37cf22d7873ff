import type { Agent } from 'undici';
import { isPrivateLiteral } from '../public-addresses';
import type { MediaHosts } from './media-hosts';
import { USER_AGENT } from '../user-agent';
import { parsedUrl } from '../../kernel/parsed-url';

/** A file of the platform; `url` is from a response of the platform. */
export interface DownloadRequest {
  url: string;
  accessToken: string;
  /** Aborts the download. */
  signal: AbortSignal;
}

/**
 * The start of a download. `content`: the bytes follow in `chunks`, which throws if the download is interrupted and must be read or
 * returned; `refused`: a status other than 200, including redirects; `failed`: no response, or a forbidden address.
 */
export type CloudApiDownload =
  | { kind: 'content'; chunks: AsyncIterable<Uint8Array> }
  | { kind: 'refused'; status: number }
  | { kind: 'failed'; reason: string };

/** Where downloads may come from. */
export interface DownloadSources {
  /** Origin of the platform's API. */
  origin: string;
  hosts: MediaHosts;
  /** Connects to the host of the API. */
  own: Agent;
  /** Connects to the other hosts, at public addresses only. */
  others: Agent;
  /** Maximum wait for the next bytes. */
  idleMs: number;
}

/**
 * Requests only `request.url`: does not follow redirects, which would pass the token to another server. Rejects addresses without TLS
 * if the platform uses TLS, and all hosts other than the platform's.
 */
export async function downloadFrom(
  { origin, hosts, own, others, idleMs }: DownloadSources,
  { url, accessToken, signal }: DownloadRequest,
): Promise<CloudApiDownload> {
  const address = parsedUrl(url);
  const allowed = origin.startsWith('https:') ? ['https:'] : ['https:', 'http:'];
  if (!address || !allowed.includes(address.protocol) || !mayServe(hosts, address.hostname)) {
    return { kind: 'failed', reason: 'the platform returned an address that is not allowed' };
  }
  const agent = hosts.isOwn(address.hostname) ? own : others;
  try {
    const { statusCode, body } = await agent.request({
      origin: address.origin,
      path: address.pathname + address.search,
      method: 'GET',
      headers: { authorization: `Bearer ${accessToken}`, 'user-agent': USER_AGENT },
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
      signal,
    });
    if (statusCode === 200) return { kind: 'content', chunks: body };
    body.on('error', () => undefined).destroy();
    return { kind: 'refused', status: statusCode };
  } catch (error) {
    const { code, message } = error as Error & { code?: unknown };
    return { kind: 'failed', reason: typeof code === 'string' ? code : message };
  }
}

/** Literal addresses are not resolved, so they are checked here. */
function mayServe(hosts: MediaHosts, host: string): boolean {
  return hosts.includes(host) && (hosts.isOwn(host) || !isPrivateLiteral(host));
}
