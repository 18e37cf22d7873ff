import type { Direction, KeptMessage, MessageGist } from '../domain/kept-message';
import type { MessageStatus } from '../domain/message';
import type { MessageContent, MessageType } from '../domain/message-content';

/** A message as MESSAGE_COLUMNS reads it. */
export interface KeptMessageRow {
  id: string;
  account_id: string;
  conversation_id: string;
  direction: Direction;
  type: MessageType;
  contact_phone: string | null;
  contact_user_id: string | null;
  template_name: string | null;
  language_code: string | null;
  revision_id: string | null;
  parameters: string[] | null;
  content: KeptMessage['headerMedia'] | MessageContent;
  status: MessageStatus;
  problem: string | null;
  problem_message: string | null;
  platform_code: number | null;
  platform_message_id: string | null;
  reference: string | null;
  job_id: string | null;
  row_number: number | null;
  created_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
  /** See Place. */
  at: string;
}

/** A time with all its digits: a Date has no microseconds, and a list that goes on by it must meet every row once. */
export const placeTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** What of a message is read. */
export const MESSAGE_COLUMNS = `id, account_id, conversation_id, direction, type, contact_phone, contact_user_id,
  template_name, language_code, revision_id, parameters, content, status, problem, problem_message, platform_code,
  platform_message_id, reference, job_id, row_number, created_at, sent_at, delivered_at, read_at, failed_at,
  ${placeTime('created_at')} AS at`;

/** A message as GIST_COLUMNS reads it. */
export type MessageGistRow = Pick<KeptMessageRow, 'id' | 'type' | 'revision_id' | 'parameters' | 'content'>;

/** What of a message a preview needs. */
export const GIST_COLUMNS = 'id, type, revision_id, parameters, content';

/** What the message of a row says. */
export function gistOf(row: MessageGistRow): MessageGist {
  return {
    id: row.id,
    type: row.type,
    revisionId: row.revision_id,
    parameters: row.parameters,
    content: contentOf(row),
  };
}

/** The message that a row tells. */
export function keptMessageOf(row: KeptMessageRow): KeptMessage {
  return {
    id: row.id,
    accountId: row.account_id,
    conversationId: row.conversation_id,
    direction: row.direction,
    type: row.type,
    contactPhone: row.contact_phone,
    userId: row.contact_user_id,
    templateName: row.template_name,
    languageCode: row.language_code,
    revisionId: row.revision_id,
    parameters: row.parameters,
    headerMedia: row.type === 'Template' ? (row.content as KeptMessage['headerMedia']) : null,
    content: contentOf(row),
    status: row.status,
    problem:
      row.problem === null
        ? null
        : { code: row.problem, message: row.problem_message ?? '', platformCode: row.platform_code },
    platformMessageId: row.platform_message_id,
    reference: row.reference,
    jobId: row.job_id,
    rowNumber: row.row_number,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    deliveredAt: row.delivered_at,
    readAt: row.read_at,
    failedAt: row.failed_at,
  };
}

/** One column holds both: a template has a medium in its header, everything else is content. */
function contentOf({ type, content }: MessageGistRow): MessageContent | null {
  return type === 'Template' ? null : (content as MessageContent | null);
}
