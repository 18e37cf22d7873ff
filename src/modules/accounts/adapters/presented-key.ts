import { type KeyProof, proofOf } from '../domain/api-key';
import type { AuthenticatedRequest } from './authenticated-request';

/** What proves the key in the `X-API-Key` header, the only place where it is accepted; null if it is absent. Hashed once a request. */
export function presentedKey(request: AuthenticatedRequest): KeyProof | null {
  const given = request.headers['x-api-key'];
  if (typeof given !== 'string' || given === '') return null;
  return (request.keyProof ??= proofOf(given));
}
