import type { IncomingHttpHeaders } from 'node:http';

/** The key in the `X-API-Key` header, the only place where it is accepted; null if it is absent. */
export function presentedKey(request: { headers: IncomingHttpHeaders }): string | null {
  const given = request.headers['x-api-key'];
  return typeof given === 'string' && given !== '' ? given : null;
}
