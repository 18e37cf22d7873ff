import { buildIndex, dropIndex } from '../../../../infra/database/concurrent-indexes';
import type { Migration } from '../../../../infra/database/migrations';

/**
 * Lists the conversations whose person waits for a reply: once there is one that did not fail, answered_inbound_id is last_inbound_id.
 * A process of the version before changes only last_inbound_id when the person writes, so that they wait. Which earlier messages were
 * keywords, or templates sent as a reply, is not recorded: a keyword counts as a message, and every single template as a reply.
 */
export const UNANSWERED: Migration = {
  name: '0111-chat-history-unanswered',
  transaction: false,
  statements: [
    'ALTER TABLE conversations ADD COLUMN IF NOT EXISTS answered_inbound_id uuid',
    `
DO $$
DECLARE
  after uuid := '00000000-0000-0000-0000-000000000000';
  ids uuid[];
BEGIN
  LOOP
    ids := ARRAY(SELECT id FROM conversations WHERE id > after AND state IS NOT NULL ORDER BY id LIMIT 500);
    EXIT WHEN cardinality(ids) = 0;
    after := ids[cardinality(ids)];
    PERFORM 1 FROM conversations WHERE id = ANY(ids) ORDER BY id FOR UPDATE;
    UPDATE conversations c SET last_inbound_id = COALESCE(c.last_inbound_id, written.id),
      answered_inbound_id = CASE WHEN c.state = 'Keyword' OR latest.direction IS DISTINCT FROM 'Inbound'
        THEN COALESCE(c.last_inbound_id, written.id) END
    FROM unnest(ids) AS n (id)
    LEFT JOIN LATERAL (
      SELECT m.id FROM messages m
      WHERE m.conversation_id = n.id AND m.direction = 'Inbound' AND m.type NOT IN ('System', 'Reaction')
      ORDER BY m.created_at DESC, m.id DESC LIMIT 1) written ON true
    LEFT JOIN LATERAL (
      SELECT m.direction FROM messages m WHERE m.conversation_id = n.id AND m.type NOT IN ('System', 'Reaction')
        AND (m.direction = 'Inbound' OR m.job_id IS NULL AND m.status NOT IN ('Failed', 'Undelivered', 'Cancelled'))
      ORDER BY m.created_at DESC, m.id DESC LIMIT 1) latest ON true
    WHERE c.id = n.id;
    COMMIT;
  END LOOP;
END $$`,
    ...buildIndex(
      'conversations_unanswered',
      `conversations (account_id, last_message_at DESC, id DESC)
       WHERE state = 'Open' AND answered_inbound_id IS DISTINCT FROM last_inbound_id`,
    ),
    // Without it, the version before finds the conversations by state.
    dropIndex('conversations_awaiting_reply'),
  ],
};
