import { Injectable } from '@nestjs/common';
import { IdempotencyKeys } from '../../../infra/http/idempotency/idempotency-keys';
import type { ErasedPerson, ErasurePart, ErasureStep } from '../../groups/domain/erasure';
import { conversationId } from '../../messages/domain/conversation-id';

/** Erases the number from the responses stored for idempotent requests; platform message ids contain it too. */
@Injectable()
export class StoredResponseErasure implements ErasurePart {
  readonly name = 'answers';

  constructor(private readonly keys: IdempotencyKeys) {}

  async erase({ accountId, phone, userId, requestedAt }: ErasedPerson): Promise<ErasureStep> {
    const people = [phone, userId].filter((one) => one !== null);
    const conversations = people.map((person) => conversationId(accountId, person));
    return { done: !(await this.keys.forget(accountId, [...people, ...conversations], requestedAt)) };
  }
}
