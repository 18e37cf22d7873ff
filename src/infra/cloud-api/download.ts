import type { Agent } from 'undici';

/** A file of the platform: `url` as the platform's own answer named it. */
export interface DownloadRequest {
  url: string;
  accessToken: string;
  /** Ends the download, whatever is still to come of it. */
  signal: AbortSignal;
}

/**
 * How a download began. `content`: its bytes follow in `chunks`, which throws when they break off and is to be read or
 * returned; `refused`: another status than 200, a redirect included; `failed`: no answer, or an address that is not asked.
 */
export type CloudApiDownload =
  | { kind: 'content'; chunks: AsyncIterable<Uint8Array> }
  | { kind: 'refused'; status: number }
  | { kind: 'failed'; reason: string };

/**
 * Asks `request.url` and no other address, since a redirect would carry the token to whoever it names; nor one without TLS
 * where the platform at `origin` has it. `idleMs` is the longest wait for the next bytes.
 */
export async function downloadFrom(
  agent: Agent,
  origin: string,
  idleMs: number,
  { url, accessToken, signal }: DownloadRequest,
): Promise<CloudApiDownload> {
  const address = URL.canParse(url) ? new URL(url) : null;
  const allowed = origin.startsWith('https:') ? ['https:'] : ['https:', 'http:'];
  if (!address || !allowed.includes(address.protocol)) {
    return { kind: 'failed', reason: 'the platform named an address that is not asked' };
  }
  try {
    const { statusCode, body } = await agent.request({
      origin: address.origin,
      path: address.pathname + address.search,
      method: 'GET',
      headers: { authorization: `Bearer ${accessToken}` },
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
