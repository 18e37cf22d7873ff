import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { AccountDeletion, type AccountPart } from '../../accounts/domain/account-deletion';

const DELETE_CONVERSATIONS = `
DELETE FROM conversations WHERE id = ANY(ARRAY(SELECT id FROM conversations WHERE account_id = $1 LIMIT $2))`;

/** Deletes the conversations of a deleted account. */
@Injectable()
export class ConversationDeletion implements AccountPart {
  constructor(
    private readonly database: Database,
    deletion: AccountDeletion,
  ) {
    deletion.add(this);
  }

  async deleteSome(accountId: string, limit: number): Promise<number> {
    return (await this.database.execute(DELETE_CONVERSATIONS, [accountId, limit])).affected;
  }
}
