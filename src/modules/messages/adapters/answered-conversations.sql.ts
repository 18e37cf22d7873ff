import { prepared } from '../../../infra/database/prepared-statement';

/** Replies from the account: free-form messages but reactions, and templates that were sent as a reply. */
const IS_REPLY = `m.direction = 'Outbound' AND CASE m.type WHEN 'Template' THEN m.content->'isReply' IS NOT NULL
  WHEN 'Reaction' THEN false ELSE true END`;

/** What the person wrote, without platform notices and reactions. */
const IS_WRITTEN = `m.direction = 'Inbound' AND m.type NOT IN ('System', 'Reaction')`;

/**
 * Locks the conversations of those of the messages $1 that are replies. A separate statement, so that SET_ANSWERED includes messages that
 * are recorded while it waits.
 */
export const LOCK_REPLIED = prepared(`
SELECT id FROM conversations WHERE id = ANY(ARRAY(
  SELECT m.conversation_id FROM messages m WHERE m.id = ANY($1::uuid[]) AND ${IS_REPLY}))
ORDER BY id FOR UPDATE`);

/** Records whether the latest message in each of the locked conversations $1 is a reply; failed replies do not count. */
export const SET_ANSWERED = prepared(`
UPDATE conversations c SET answered_inbound_id = CASE WHEN latest.direction = 'Outbound' THEN c.last_inbound_id END
FROM unnest($1::uuid[]) AS n (id) LEFT JOIN LATERAL (
  SELECT m.direction FROM messages m WHERE m.conversation_id = n.id
    AND (${IS_WRITTEN} OR ${IS_REPLY} AND m.status NOT IN ('Failed', 'Undelivered', 'Cancelled'))
  ORDER BY m.created_at DESC, m.id DESC LIMIT 1) latest ON true
WHERE c.id = n.id
  AND c.answered_inbound_id IS DISTINCT FROM CASE WHEN latest.direction = 'Outbound' THEN c.last_inbound_id END`);
