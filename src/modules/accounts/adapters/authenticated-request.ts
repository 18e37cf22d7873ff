import type { ApiRequest } from '../../../infra/http/api-request';
import type { AccountStatus } from '../domain/account';

/** A request as the guards after the key see it. */
export interface AuthenticatedRequest extends ApiRequest {
  accountStatus?: AccountStatus;
}
