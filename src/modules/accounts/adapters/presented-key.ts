import { type KeyProof, proofOf } from '../domain/api-key';
import type { AuthenticatedRequest } from './authenticated-request';

/** Prefix and hash of the key in the `X-API-Key` header, the only place where keys are accepted; null if absent. Hashed once per request. */
export function presentedKey(request: AuthenticatedRequest): KeyProof | null {
  const given = request.headers['x-api-key'];
  if (typeof given !== 'string' || given === '') return null;
  return (request.keyProof ??= proofOf(given));
}
