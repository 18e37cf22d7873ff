import { prepared } from '../../../infra/database/prepared-statement';
import { OUTCOME_TYPES, EVENT_COLUMNS, WRITE_EVENTS } from './message-events.sql';

/** The platform's id contains the phone number, so an erased message gets none. */
const platformId = (given: string) =>
  `CASE WHEN messages.conversation_id IS NOT NULL THEN COALESCE(${given}, messages.platform_message_id) END`;

/**
 * Saves outbound messages, updates their conversations and writes their events in one statement: bulk sends record
 * thousands of messages a second, and another round trip would cost as much as the write. Conversations are written in
 * id order, so that concurrent writers do not deadlock. An erased message has no person, so a late outcome creates no
 * conversation.
 */
export const SAVE = prepared(`
WITH saved AS (
INSERT INTO messages (id, account_id, conversation_id, direction, type, contact_phone, contact_user_id, template_name, language_code,
  revision_id, parameters, content, reference, job_id, row_number, status, problem, problem_message, platform_code,
  platform_message_id, created_at, sent_at, failed_at, acceptance, sender_id)
SELECT id, account, conversation, 'Outbound', type, phone, user_id, template, language, revision, parameters, content,
  reference, job, row_number, status, problem, problem_message, platform_code, platform_id, created,
  CASE WHEN status = 'Sent' THEN $19::timestamptz END, CASE WHEN status = 'Failed' THEN $19::timestamptz END, acceptance, sender
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::jsonb[], $9::jsonb[],
  $10::text[], $11::uuid[], $12::int[], $13::text[], $14::text[], $15::text[], $16::int[], $17::text[],
  $18::timestamptz[], $20::text[], $21::text[], $22::text[], $23::uuid[])
  AS m (id, account, conversation, phone, template, language, revision, parameters, content, reference, job, row_number,
    status, problem, problem_message, platform_code, platform_id, created, type, user_id, acceptance, sender)
ON CONFLICT (id) DO UPDATE SET status = EXCLUDED.status, problem = EXCLUDED.problem,
  problem_message = EXCLUDED.problem_message, platform_code = EXCLUDED.platform_code,
  platform_message_id = ${platformId('EXCLUDED.platform_message_id')},
  sent_at = COALESCE(messages.sent_at, EXCLUDED.sent_at), failed_at = EXCLUDED.failed_at,
  acceptance = COALESCE(EXCLUDED.acceptance, messages.acceptance)
WHERE messages.status NOT IN ('Delivered', 'Read', 'Undelivered')
RETURNING ${EVENT_COLUMNS('messages')}, ${OUTCOME_TYPES('messages.status')} AS event_types),
seen AS (
INSERT INTO conversations AS c (id, account_id, contact_phone, contact_user_id, last_message_id, last_message_at,
  last_direction)
SELECT DISTINCT ON (conversation_id) conversation_id, account_id, contact_phone, contact_user_id, id, created_at, 'Outbound'
FROM saved WHERE contact_phone IS NOT NULL OR contact_user_id IS NOT NULL
ORDER BY conversation_id, created_at DESC, id DESC
ON CONFLICT (id) DO UPDATE SET last_message_id = EXCLUDED.last_message_id, last_message_at = EXCLUDED.last_message_at,
  last_direction = EXCLUDED.last_direction
WHERE (c.last_message_at, c.last_message_id) < (EXCLUDED.last_message_at, EXCLUDED.last_message_id)),
${WRITE_EVENTS}`);

/** Sets the outcomes of stored messages and writes their events. */
export const SET_OUTCOMES = prepared(`
WITH saved AS (
UPDATE messages SET status = o.status, problem = o.problem, problem_message = o.problem_message,
  platform_code = o.platform_code, platform_message_id = ${platformId('o.platform_id')},
  sent_at = CASE WHEN o.status = 'Sent' THEN $7::timestamptz ELSE messages.sent_at END,
  failed_at = CASE WHEN o.status = 'Failed' THEN $7::timestamptz END, acceptance = COALESCE(o.acceptance, messages.acceptance)
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $8::text[])
  AS o (id, status, problem, problem_message, platform_code, platform_id, acceptance)
WHERE messages.id = o.id AND messages.status NOT IN ('Delivered', 'Read', 'Undelivered')
RETURNING ${EVENT_COLUMNS('messages')}, ${OUTCOME_TYPES('messages.status')} AS event_types),
${WRITE_EVENTS}`);
