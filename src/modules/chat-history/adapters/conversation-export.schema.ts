import type { ApiResponseOptions } from '@nestjs/swagger';
import { getSchemaPath } from '@nestjs/swagger';
import { ConversationDto } from './conversations.dto';
import { MessageDto } from '../../messages/adapters/messages.dto';

/** The answer of an export in both formats, for the OpenAPI document. */
export const CONVERSATION_EXPORT_ANSWER: ApiResponseOptions = {
  description:
    'The file. In CSV: one row for each message, UTF-8 with a byte order mark, every cell quoted. A text that a spreadsheet program would run as a formula begins with an apostrophe.',
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
