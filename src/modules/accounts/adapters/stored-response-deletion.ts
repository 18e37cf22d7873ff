import { Injectable } from '@nestjs/common';
import { IdempotencyKeys } from '../../../infra/http/idempotency/idempotency-keys';
import { AccountDeletion, type AccountPart } from '../domain/account-deletion';

/** Deletes the stored responses of a deleted account. */
@Injectable()
export class StoredResponseDeletion implements AccountPart {
  constructor(
    private readonly keys: IdempotencyKeys,
    deletion: AccountDeletion,
  ) {
    deletion.add(this);
  }

  deleteSome(accountId: string, limit: number): Promise<number> {
    return this.keys.deleteOf(accountId, limit);
  }
}
