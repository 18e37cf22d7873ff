import { csvText, type CsvRow } from '../../../infra/csv-text';
import type { ConversationView } from '../domain/conversations.service';
import type { ReadableMessage } from '../../messages/domain/message-texts';
import { ConversationDto, type ExportFormat } from './conversations.dto';
import { MessageDto } from '../../messages/adapters/messages.dto';

/** The content type of each export format. */
export const EXPORT_CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** The export as a stream of text chunks. */
export function exportChunks(
  format: ExportFormat,
  conversation: ConversationView,
  parts: AsyncIterable<ReadableMessage[]>,
): AsyncGenerator<string> {
  return format === 'csv' ? asCsv(parts) : asJson(conversation, parts);
}

/** Streams one JSON object. */
async function* asJson(
  conversation: ConversationView,
  parts: AsyncIterable<ReadableMessage[]>,
): AsyncGenerator<string> {
  let piece = `{"conversation":${JSON.stringify(ConversationDto.from(conversation, false))},"messages":[`;
  let separator = '';
  for await (const part of parts) {
    for (const message of part) {
      piece += separator + JSON.stringify(MessageDto.from(message, false));
      separator = ',\n';
    }
    yield piece;
    piece = '';
  }
  yield ']}\n';
}

/** The first chunk includes the header row. */
async function* asCsv(parts: AsyncIterable<ReadableMessage[]>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const part of parts) {
    yield csvText([...(isFirst ? [COLUMNS] : []), ...part.map(rowOf)], { bom: isFirst });
    isFirst = false;
  }
}

const COLUMNS = [
  'createdAt',
  'direction',
  'type',
  'status',
  'text',
  'templateName',
  'languageCode',
  'parameters',
  'fileName',
  'errorCode',
  'errorMessage',
  'sentAt',
  'deliveredAt',
  'readAt',
  'contactPhone',
  'reference',
  'messageId',
  'platformMessageId',
] as const;

function rowOf({ message, text }: ReadableMessage): CsvRow {
  const time = (at: Date | null): string | null => at?.toISOString() ?? null;
  const cells: Record<(typeof COLUMNS)[number], string | null> = {
    createdAt: time(message.createdAt),
    direction: message.direction,
    type: message.type,
    status: message.status,
    text,
    templateName: message.templateName,
    languageCode: message.languageCode,
    parameters: message.parameters && JSON.stringify(message.parameters),
    fileName: message.content?.media?.fileName ?? null,
    errorCode: message.problem?.code ?? null,
    errorMessage: message.problem?.message ?? null,
    sentAt: time(message.sentAt),
    deliveredAt: time(message.deliveredAt),
    readAt: time(message.readAt),
    contactPhone: message.contactPhone,
    reference: message.reference,
    messageId: message.id,
    platformMessageId: message.platformMessageId,
  };
  return COLUMNS.map((column) => cells[column]);
}
