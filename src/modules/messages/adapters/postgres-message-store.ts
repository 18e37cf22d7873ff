import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import {
  type FreeFormMessage,
  isReply,
  type MessageOutcome,
  type OutboundMessage,
  personOf,
  type TemplateMessage,
} from '../domain/message';
import { MessageStore } from '../domain/message-store.port';
import { LOCK_REPLIED, SET_ANSWERED } from './answered-conversations.sql';
import { EXTRAS, PROBLEM } from './message-columns.sql';
import { SAVE, SET_OUTCOMES } from './message-writes.sql';
import { conversationId } from '../domain/conversation-id';

const COLUMNS = `id, account_id AS "accountId", sender_id AS "senderId", type, contact_phone AS "contactPhone", contact_user_id AS "contactUserId",
  template_name AS "templateName", language_code AS "languageCode", revision_id AS "revisionId",
  COALESCE(parameters, '[]') AS parameters, COALESCE(content, '{}') AS content, ${EXTRAS}, reference, job_id AS "jobId",
  row_number AS "rowNumber", status, ${PROBLEM}, platform_message_id AS "platformMessageId", created_at AS "createdAt"`;

/** A message as COLUMNS reads it, with the fields of both kinds. */
type MessageRow = Omit<TemplateMessage, 'type'> & Omit<FreeFormMessage, 'type'> & { type: OutboundMessage['type'] };

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
      column((m) => m.contactUserId),
      column((m) => m.acceptance ?? null),
      column((m) => m.senderId),
    ]);
    const replied = messages.filter(isReply).map((m) => conversationId(m.accountId, personOf(m)));
    if (replied.length > 0) await this.database.execute(SET_ANSWERED, [replied]);
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
    const failures = outcomes.filter(({ status, wasFailed }) => status === 'Failed' || wasFailed);
    await setAnswered(
      this.database,
      failures.map(({ id }) => id),
    );
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

/** Updates the conversations of those of these messages that are replies, after their failure or its correction. */
export async function setAnswered(database: Database, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0) return;
  const replied = await database.rows<{ id: string }>(LOCK_REPLIED, [messageIds]);
  if (replied.length > 0) await database.execute(SET_ANSWERED, [replied.map(({ id }) => id)]);
}

/** The fields of the message's type. */
function toMessage(row: MessageRow): OutboundMessage {
  const { type, content, templateName, languageCode, revisionId, parameters, extras, ...sent } = row;
  if (type !== 'Template') return { ...sent, type, content };
  return { ...sent, type, templateName, languageCode, revisionId, parameters, extras };
}
