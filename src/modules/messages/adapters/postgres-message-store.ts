import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { prepared } from '../../../infra/database/prepared-statement';
import {
  type FreeFormMessage,
  type MessageOutcome,
  type OutboundMessage,
  personOf,
  type TemplateMessage,
} from '../domain/message';
import { MessageStore } from '../domain/message-store.port';
import { EXTRAS, PROBLEM } from './message-columns.sql';
import { OUTCOME_TYPES, TOLD, WRITE_EVENTS } from './message-events.sql';
import { conversationId } from '../domain/conversation-id';

/** The platform's id contains the phone number, so an erased message gets none. */
const platformId = (given: string) =>
  `CASE WHEN messages.conversation_id IS NOT NULL THEN COALESCE(${given}, messages.platform_message_id) END`;

/**
 * Saves outbound messages, updates their conversations and writes their events in the same statement: bulk sends record thousands of
 * messages a second, and a second round trip would cost as much as the writing. Conversations are written in the order of their ids, so that
 * concurrent writers wait and do not deadlock. An erased message has no person, so its late outcome creates no conversation.
 */
const SAVE = prepared(`
WITH saved AS (
INSERT INTO messages (id, account_id, conversation_id, direction, type, contact_phone, contact_user_id, template_name, language_code,
  revision_id, parameters, content, reference, job_id, row_number, status, problem, problem_message, platform_code,
  platform_message_id, created_at, sent_at, failed_at, acceptance)
SELECT id, account, conversation, 'Outbound', type, phone, user_id, template, language, revision, parameters, content,
  reference, job, row_number, status, problem, problem_message, platform_code, platform_id, created,
  CASE WHEN status = 'Sent' THEN $19::timestamptz END, CASE WHEN status = 'Failed' THEN $19::timestamptz END, acceptance
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::jsonb[], $9::jsonb[],
  $10::text[], $11::uuid[], $12::int[], $13::text[], $14::text[], $15::text[], $16::int[], $17::text[],
  $18::timestamptz[], $20::text[], $21::text[], $22::text[])
  AS m (id, account, conversation, phone, template, language, revision, parameters, content, reference, job, row_number,
    status, problem, problem_message, platform_code, platform_id, created, type, user_id, acceptance)
ON CONFLICT (id) DO UPDATE SET status = EXCLUDED.status, problem = EXCLUDED.problem,
  problem_message = EXCLUDED.problem_message, platform_code = EXCLUDED.platform_code,
  platform_message_id = ${platformId('EXCLUDED.platform_message_id')},
  sent_at = COALESCE(messages.sent_at, EXCLUDED.sent_at), failed_at = EXCLUDED.failed_at,
  acceptance = COALESCE(EXCLUDED.acceptance, messages.acceptance)
WHERE messages.status NOT IN ('Delivered', 'Read', 'Undelivered')
RETURNING ${TOLD('messages')}, ${OUTCOME_TYPES('messages.status')} AS event_types),
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

const SET_OUTCOMES = prepared(`
WITH saved AS (
UPDATE messages SET status = o.status, problem = o.problem, problem_message = o.problem_message,
  platform_code = o.platform_code, platform_message_id = ${platformId('o.platform_id')},
  sent_at = CASE WHEN o.status = 'Sent' THEN $7::timestamptz ELSE messages.sent_at END,
  failed_at = CASE WHEN o.status = 'Failed' THEN $7::timestamptz END, acceptance = COALESCE(o.acceptance, messages.acceptance)
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $8::text[])
  AS o (id, status, problem, problem_message, platform_code, platform_id, acceptance)
WHERE messages.id = o.id AND messages.status NOT IN ('Delivered', 'Read', 'Undelivered')
RETURNING ${TOLD('messages')}, ${OUTCOME_TYPES('messages.status')} AS event_types),
${WRITE_EVENTS}`);

const COLUMNS = `id, account_id AS "accountId", type, contact_phone AS "contactPhone", contact_user_id AS "contactUserId",
  template_name AS "templateName", language_code AS "languageCode", revision_id AS "revisionId",
  COALESCE(parameters, '[]') AS parameters, COALESCE(content, '{}') AS content, ${EXTRAS}, reference, job_id AS "jobId",
  row_number AS "rowNumber", status, ${PROBLEM}, platform_message_id AS "platformMessageId", created_at AS "createdAt"`;

/** A message as COLUMNS reads it, with the fields of both kinds. */
type MessageRow = Omit<TemplateMessage, 'type' | 'contactPhone'> &
  Omit<FreeFormMessage, 'type'> & { type: OutboundMessage['type'] };

/** Stores outbound messages in the partitioned table `messages`, written in sets. */
@Injectable()
export class PostgresMessageStore extends MessageStore {
  constructor(private readonly database: Database) {
    super();
  }

  async save(messages: readonly OutboundMessage[], at: Date): Promise<void> {
    const column = <T>(of: (message: OutboundMessage) => T): T[] => messages.map(of);
    await this.database.submit(SAVE, [
      column((m) => m.id),
      column((m) => m.accountId),
      column((m) => conversationId(m.accountId, personOf(m))),
      column((m) => m.contactPhone),
      column((m) => (m.type === 'Template' ? m.templateName : null)),
      column((m) => (m.type === 'Template' ? m.languageCode : null)),
      column((m) => (m.type === 'Template' ? m.revisionId : null)),
      column((m) => (m.type === 'Template' ? JSON.stringify(m.parameters) : null)),
      column(contentColumn),
      column((m) => m.reference),
      column((m) => m.jobId),
      column((m) => m.rowNumber),
      column((m) => m.status),
      column((m) => m.problem?.code ?? null),
      column((m) => m.problem?.message ?? null),
      column((m) => m.problem?.platformCode ?? null),
      column((m) => m.platformMessageId),
      column((m) => m.createdAt),
      at,
      column((m) => m.type),
      column((m) => (m.type === 'Template' ? null : m.contactUserId)),
      column((m) => m.acceptance ?? null),
    ]);
  }

  async setOutcomes(outcomes: readonly MessageOutcome[], at: Date): Promise<void> {
    await this.database.submit(SET_OUTCOMES, [
      outcomes.map((o) => o.id),
      outcomes.map((o) => o.status),
      outcomes.map((o) => o.problem?.code ?? null),
      outcomes.map((o) => o.problem?.message ?? null),
      outcomes.map((o) => o.problem?.platformCode ?? null),
      outcomes.map((o) => o.platformMessageId),
      at,
      outcomes.map((o) => o.acceptance ?? null),
    ]);
  }

  async find(ids: readonly string[]): Promise<OutboundMessage[]> {
    const rows = await this.database.rows<MessageRow>(
      `SELECT ${COLUMNS} FROM messages WHERE id = ANY($1::uuid[]) AND direction = 'Outbound' AND conversation_id IS NOT NULL`,
      [ids],
    );
    return rows.map(toMessage);
  }
}

function contentColumn(message: OutboundMessage): string | null {
  const content = message.type === 'Template' ? message.extras : message.content;
  return content && JSON.stringify(content);
}

/** The fields of the message's type. */
function toMessage(row: MessageRow): OutboundMessage {
  const { type, contactPhone, contactUserId, content, ...rest } = row;
  const { templateName, languageCode, revisionId, parameters, extras, ...sent } = rest;
  if (type !== 'Template') return { ...sent, type, contactPhone, contactUserId, content };
  const template = { templateName, languageCode, revisionId, parameters, extras };
  return { ...sent, type, contactPhone: contactPhone ?? '', ...template };
}
