import type { ApiRequest } from '../../../infra/http/api-request';
import type { AccountStatus } from '../domain/account';
import type { KeyProof } from '../domain/api-key';

/** A request at the guards of accounts, and after them. */
export interface AuthenticatedRequest extends ApiRequest {
  accountStatus?: AccountStatus;
  keyProof?: KeyProof;
  /** The session of the console that the request uses instead of a key. */
  consoleSessionId?: string;
}
