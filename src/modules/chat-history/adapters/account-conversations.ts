import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { JsonFiles, linesById } from '../../../infra/database/json-lines';
import { AccountArchive } from '../../accounts/domain/account-archive';
import { AccountDeletion, type AccountPart } from '../../accounts/domain/account-deletion';

const DELETE_CONVERSATIONS = `
DELETE FROM conversations WHERE id = ANY(ARRAY(SELECT id FROM conversations WHERE account_id = $1 LIMIT $2))`;

const CONVERSATION = `c.id, c.sender_id AS "senderId", c.contact_phone AS "contactPhone", c.contact_user_id AS "userId", c.profile_name AS "profileName",
  c.last_message_at AS "lastMessageAt", c.unread_count AS "unreadCount", c.window_expires_at AS "windowExpiresAt", c.state`;
const QUICK_REPLY = `q.id, q.name, q.text, q.created_at AS "createdAt", q.updated_at AS "updatedAt"`;
const FILES = {
  'conversations.jsonl': linesById({ columns: CONVERSATION, table: 'conversations', alias: 'c' }),
  'quick-replies.jsonl': linesById({ columns: QUICK_REPLY, table: 'quick_replies', alias: 'q' }),
};

/** The conversations and quick replies of an account, in its archive and when it is deleted; quick replies are few, so its row takes them along. */
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
