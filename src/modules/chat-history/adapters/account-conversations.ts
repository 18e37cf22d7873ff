import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { JsonFiles, linesById } from '../../../infra/database/json-lines';
import { RowDeletion } from '../../../infra/database/row-deletion';
import { AccountArchive } from '../../accounts/domain/account-archive';
import { AccountDeletion } from '../../accounts/domain/account-deletion';

const DELETE_CONVERSATIONS = `
DELETE FROM conversations WHERE id = ANY(ARRAY(SELECT id FROM conversations WHERE account_id = $1 LIMIT $2))`;

const CONVERSATION = `c.id, c.sender_id AS "senderId", c.contact_phone AS "contactPhone", c.contact_user_id AS "userId", c.profile_name AS "profileName",
  c.last_message_id AS "lastMessageId", c.last_message_at AS "lastMessageAt", c.last_direction AS "lastDirection", c.last_inbound_id AS "lastInboundId",
  c.answered_inbound_id AS "answeredInboundId", c.waiting_since AS "waitingSince",
  c.unread_count AS "unreadCount", c.window_expires_at AS "windowExpiresAt", c.state, (
  SELECT COALESCE(jsonb_agg(o.id), '[]') FROM joined_conversations o WHERE o.conversation_id = c.id) AS "earlierIds"`;
/** The sender from which replies are sent or, if the person has never written, that of the last message. */
const SENDER = 'COALESCE(c.sender_id, (SELECT m.sender_id FROM messages m WHERE m.id = c.last_message_id))';
const QUICK_REPLY = `q.id, q.name, q.text, q.created_at AS "createdAt", q.updated_at AS "updatedAt"`;
const FILES = {
  'conversations.jsonl': linesById({ columns: CONVERSATION, table: 'conversations', alias: 'c', sender: SENDER }),
  'quick-replies.jsonl': linesById({ columns: QUICK_REPLY, table: 'quick_replies', alias: 'q' }),
};

/** The conversations and quick replies of an account, in its archive and when it is deleted; quick replies are few, so its row takes them along. */
@Injectable()
export class AccountConversations {
  constructor(database: Database, deletion: AccountDeletion, archive: AccountArchive) {
    deletion.add(new RowDeletion(database, [DELETE_CONVERSATIONS]));
    archive.add(new JsonFiles(database, FILES));
  }
}
