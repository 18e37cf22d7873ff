import type { ApiResponseOptions } from '@nestjs/swagger';
import { getSchemaPath } from '@nestjs/swagger';
import { ConversationDto } from './conversations.dto';
import { MessageDto } from '../../messages/adapters/messages.dto';

/** The export response in both formats, for the OpenAPI document. */
export const CONVERSATION_EXPORT_RESPONSE: ApiResponseOptions = {
  description:
    'The file. CSV has one row per message, UTF-8 with a byte order mark, every cell quoted; text that a spreadsheet ' +
    'would evaluate as a formula is prefixed with an apostrophe.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['conversation', 'messages'],
        properties: {
          conversation: { $ref: getSchemaPath(ConversationDto) },
          messages: { type: 'array', items: { $ref: getSchemaPath(MessageDto) } },
        },
      },
    },
    'text/csv': {
      schema: { type: 'string' },
      example:
        '"createdAt","direction","type","status","text"\r\n"2026-01-15T09:30:00.000Z","Inbound","Text","Received","Hello"\r\n',
    },
  },
};
