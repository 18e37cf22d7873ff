import type { ApiRequest } from '../../../infra/http/api-request';
import type { AccountStatus } from '../domain/account';
import type { KeyProof } from '../domain/api-key';

/** A request with what the guards have set. */
export interface AuthenticatedRequest extends ApiRequest {
  accountStatus?: AccountStatus;
  keyProof?: KeyProof;
  /** The console session that the request uses instead of a key. */
  consoleSessionId?: string;
}
