import type { ApiRequest } from '../../../infra/http/api-request';
import type { AccountStatus } from '../domain/account';

/** A request after the API key guard. */
export interface AuthenticatedRequest extends ApiRequest {
  accountStatus?: AccountStatus;
}
