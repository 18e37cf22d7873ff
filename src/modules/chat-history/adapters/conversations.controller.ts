import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { RequireScope } from '../../../infra/http/access.decorators';
import { ApiFaults } from '../../../infra/http/api-faults.decorator';
import { ApiSliceOf } from '../../../infra/http/api-lists.decorators';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import { ResourceIdPipe } from '../../../infra/http/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import type { Slice } from '../../../kernel/page';
import { ConversationErasure } from '../domain/conversation-erasure.service';
import { ConversationsService } from '../domain/conversations.service';
import { ReadMarks } from '../domain/read-marks.service';
import { EXPORT_CONTENT_TYPES, exported } from './conversation-export';
import { CONVERSATION_EXPORT_ANSWER } from './conversation-export.schema';
import {
  ConversationDto,
  ConversationExportQueryDto,
  ConversationMessagesQueryDto,
  ConversationsQueryDto,
  MarkReadDto,
  ReadMarkDto,
} from './conversations.dto';
import { MessageDto } from './messages.dto';

const ConversationId = () => Param('conversationId', new ResourceIdPipe('conversation'));

const CONVERSATION_ID = {
  name: 'conversationId',
  description: 'The id of a conversation of your account.',
  format: 'uuid',
  example: '5f0c2c9e-3b1d-8c54-9a7e-0d6f4b2a1c33',
};

/** Conversations over HTTP: what was said with whom. */
@ApiTags('Chat history')
@Controller('conversations')
export class ConversationsController {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly readMarks: ReadMarks,
    private readonly erasure: ConversationErasure,
  ) {}

  @Get()
  @RequireScope('messaging:read')
  @ApiOperation({
    summary: 'List conversations',
    description:
      'One for each person whom the account wrote to or who wrote to it, latest message first. A search looks through some thousand conversations a call, so a stretch may hold fewer items than asked for: only a `nextCursor` of null means the end.',
  })
  @ApiSliceOf(ConversationDto)
  @ApiFaults('validation_failed')
  async list(@CurrentCaller() caller: Caller, @Query() query: ConversationsQueryDto): Promise<Slice<ConversationDto>> {
    const { items, nextCursor } = await this.conversations.list(caller.accountId, query);
    return { items: items.map((view) => ConversationDto.from(view)), nextCursor };
  }

  @Get(':conversationId')
  @ApiParam(CONVERSATION_ID)
  @RequireScope('messaging:read')
  @ApiOperation({ summary: 'Read a conversation', description: 'One conversation as the list shows it.' })
  @ApiOkResponse({ description: 'The conversation.', type: ConversationDto })
  @ApiFaults('conversation_not_found')
  async get(@CurrentCaller() caller: Caller, @ConversationId() conversationId: string): Promise<ConversationDto> {
    return ConversationDto.from(await this.conversations.get(caller.accountId, conversationId));
  }

  @Get(':conversationId/messages')
  @ApiParam(CONVERSATION_ID)
  @RequireScope('messaging:read')
  @ApiOperation({
    summary: 'List the messages of a conversation',
    description:
      'Both directions, newest first. `before` and `after` bound what is listed, each by a message or a time that is itself left out; `cursor` goes on within that. To see what is new, ask with `after` and the newest message that you have.',
  })
  @ApiSliceOf(MessageDto)
  @ApiFaults('validation_failed', 'conversation_not_found')
  async messages(
    @CurrentCaller() caller: Caller,
    @ConversationId() conversationId: string,
    @Query() query: ConversationMessagesQueryDto,
  ): Promise<Slice<MessageDto>> {
    const wanted = ConversationMessagesQueryDto.queryOf(query);
    const { items, nextCursor } = await this.conversations.messages(caller.accountId, conversationId, wanted, query);
    return { items: items.map((message) => MessageDto.from(message)), nextCursor };
  }

  @Get(':conversationId/export')
  @ApiParam(CONVERSATION_ID)
  @RequireScope('messaging:read')
  @ApiOperation({
    summary: 'Export a conversation',
    description:
      'All its messages, oldest first, as a file that is sent while it is read. A connection that is cut before the end means that the file is not whole.',
  })
  @ApiOkResponse(CONVERSATION_EXPORT_ANSWER)
  @ApiFaults('validation_failed', 'conversation_not_found')
  async export(
    @CurrentCaller() caller: Caller,
    @ConversationId() conversationId: string,
    @Query() { format }: ConversationExportQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    const conversation = await this.conversations.get(caller.accountId, conversationId);
    const pieces = exported(format, conversation, this.conversations.allMessages(caller.accountId, conversationId));
    // Until there is something to send, a fault can still be told by its status.
    const first = await pieces.next();
    response.set({
      'Content-Type': EXPORT_CONTENT_TYPES[format],
      'Content-Disposition': `attachment; filename="conversation-${conversationId}.${format}"`,
    });
    try {
      await pipeline(Readable.from(resumed(first, pieces), { highWaterMark: 1 }), response);
    } catch (error) {
      // The client went away: nobody is left to be told.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    }
  }

  @Post(':conversationId/read')
  @ApiParam(CONVERSATION_ID)
  @HttpCode(200)
  @RequireScope('messaging:manage')
  @ApiOperation({
    summary: 'Mark a conversation as read',
    description:
      'Everything that has arrived, or everything up to the message that was seen last; what arrives meanwhile stays unread. The person sees it too, for messages of the last 30 days, unless the platform is away: that changes nothing here.',
  })
  @ApiOkResponse({ description: 'What is unread now.', type: ReadMarkDto })
  @ApiFaults(
    'validation_failed',
    'malformed_json',
    'conversation_not_found',
    'message_not_found',
    'body_too_large',
    'unsupported_media_type',
  )
  async markRead(
    @CurrentCaller() caller: Caller,
    @ConversationId() conversationId: string,
    @Body() { messageId }: MarkReadDto,
  ): Promise<ReadMarkDto> {
    return ReadMarkDto.from(await this.readMarks.mark(caller.accountId, conversationId, messageId?.toLowerCase()));
  }

  @Delete(':conversationId')
  @ApiParam(CONVERSATION_ID)
  @HttpCode(204)
  @RequireScope('messaging:manage')
  @ApiOperation({
    summary: 'Erase a conversation',
    description:
      'Contents, values, numbers, names and files of all its messages, for ever; a message that still waits to be sent is not sent. What became of how many messages stays, for the figures of their jobs. A call that was interrupted is repeated: it goes on where it was. The next message to or from the person begins a new conversation.',
  })
  @ApiNoContentResponse({ description: 'Erased.' })
  @ApiFaults('conversation_not_found')
  async erase(@CurrentCaller() caller: Caller, @ConversationId() conversationId: string): Promise<void> {
    await this.erasure.erase(caller.accountId, conversationId);
  }
}

async function* resumed(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    if (!first.done) yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
