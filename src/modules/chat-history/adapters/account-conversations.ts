import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { JsonFiles, linesById } from '../../../infra/database/json-lines';
import { AccountArchive } from '../../accounts/domain/account-archive';
import { AccountDeletion, type AccountPart } from '../../accounts/domain/account-deletion';

const DELETE_CONVERSATIONS = `
DELETE FROM conversations WHERE id = ANY(ARRAY(SELECT id FROM conversations WHERE account_id = $1 LIMIT $2))`;

const CONVERSATION = `c.id, c.contact_phone AS "contactPhone", c.contact_user_id AS "userId", c.profile_name AS "profileName",
  c.last_message_at AS "lastMessageAt", c.unread_count AS "unreadCount", c.window_expires_at AS "windowExpiresAt"`;
const FILES = {
  'conversations.jsonl': linesById({ columns: CONVERSATION, table: 'conversations', alias: 'c' }),
};

/** The conversations of an account, in its archive and when it is deleted. */
@Injectable()
export class AccountConversations implements AccountPart {
  constructor(
    private readonly database: Database,
    deletion: AccountDeletion,
    archive: AccountArchive,
  ) {
    deletion.add(this);
    archive.add(new JsonFiles(database, FILES));
  }

  async deleteSome(accountId: string, limit: number): Promise<number> {
    return (await this.database.execute(DELETE_CONVERSATIONS, [accountId, limit])).affected;
  }
}
