import { Readable } from 'node:stream';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { SendersService } from '../../accounts/domain/senders.service';
import type { Response } from 'express';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { ApiSliceOf } from '../../../infra/http/lists/api-lists.decorators';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { ClientSignal } from '../../../infra/http/edge/client-signal.decorator';
import { ExportsBusyError, FileExports } from '../../../infra/http/edge/file-exports';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import { NoQueryDto } from '../../../infra/http/validation/no-query.dto';
import { sendFile } from '../../../infra/http/edge/streamed-file';
import type { Caller } from '../../../kernel/caller';
import type { Slice } from '../../../kernel/page';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { ConversationMessages } from '../../messages/domain/conversation-messages';
import { ConversationMessageDto } from '../../messages/adapters/messages.dto';
import { MessageNotFoundError } from '../../messages/domain/messages.errors';
import { ConversationErasure } from '../domain/conversation-erasure';
import { ConversationsService } from '../domain/conversations.service';
import { ReadMarks } from '../domain/read-marks';
import { ConversationNotFoundError, NothingReceivedError } from '../domain/chat-history.errors';
import { EXPORT_CONTENT_TYPES, exportChunks } from './conversation-export';
import { CONVERSATION_EXPORT_RESPONSE } from './conversation-export.schema';
import {
  ChangeConversationDto,
  ConversationDto,
  ConversationExportQueryDto,
  ConversationMessagesQueryDto,
  ConversationsQueryDto,
  MarkReadDto,
  ReadMarkDto,
} from './conversations.dto';

const ConversationId = () => Param('conversationId', new ResourceIdPipe(ConversationNotFoundError));

const CONVERSATION_ID = {
  name: 'conversationId',
  description: 'Id of a conversation of your account.',
  format: 'uuid',
  example: '5f0c2c9e-3b1d-8c54-9a7e-0d6f4b2a1c33',
};

/** Conversations over HTTP. */
@ApiTags('Chat history')
@Controller('conversations')
export class ConversationsController {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly conversationMessages: ConversationMessages,
    private readonly readMarks: ReadMarks,
    private readonly erasure: ConversationErasure,
    private readonly exports: FileExports,
    private readonly senders: SendersService,
  ) {}

  @Get()
  @RequireScope('messaging:read')
  @ApiOperation({
    summary: 'List conversations',
    description:
      'Lists one conversation per person, by default latest message first. With `search`, one call scans a few thousand ' +
      'conversations and may return fewer items than `limit`; only a `nextCursor` of null marks the end.',
  })
  @ApiSliceOf(ConversationDto, {
    unreadConversations: {
      type: 'integer',
      example: 1,
      description:
        'How many open conversations of the account have unread messages; only with `unreadConversations=true`.',
    },
  })
  @ApiErrors(ValidationFailedError)
  async listConversations(
    @CurrentCaller() caller: Caller,
    @Query() { lastStatus, unreadConversations, ...query }: ConversationsQueryDto,
  ): Promise<Slice<ConversationDto> & { unreadConversations?: number }> {
    const { items, nextCursor } = await this.conversations.list(caller.accountId, {
      ...query,
      unread: query.unread === 'true',
      awaitingReply: query.awaitingReply === 'true',
    });
    const showsSender = await this.senders.hasSeveral(caller.accountId);
    const shown = { lastStatus, awaitingReply: query.awaitingReply };
    return {
      items: items.map((view) => ConversationDto.listed(view, showsSender, shown)),
      nextCursor,
      ...(unreadConversations === 'true' && {
        unreadConversations: await this.conversations.countUnread(caller.accountId),
      }),
    };
  }

  @Get(':conversationId')
  @ApiParam(CONVERSATION_ID)
  @RequireScope('messaging:read')
  @ApiOperation({ summary: 'Read a conversation', description: 'Returns one conversation, in the form of the list.' })
  @ApiOkResponse({ description: 'The conversation.', type: ConversationDto })
  @ApiQuery({
    name: 'optOut',
    required: false,
    description: '`true`: also `optedOutAt` and `wroteSinceOptOut` of a person who has opted out of all messages.',
    schema: { type: 'string', enum: ['true', 'false'], examples: ['true'] },
  })
  @ApiErrors(ConversationNotFoundError)
  async getConversation(
    @CurrentCaller() caller: Caller,
    @ConversationId() conversationId: string,
    @Query('optOut') optOut?: string,
  ): Promise<ConversationDto> {
    const view = await this.conversations.get(caller.accountId, conversationId);
    const conversation = ConversationDto.from(view, await this.senders.hasSeveral(caller.accountId));
    const found = optOut === 'true' ? await this.conversations.optOutOf(view.conversation) : null;
    if (found === null) return conversation;
    const { optedOutAt, wroteSince: wroteSinceOptOut } = found;
    return { ...conversation, optedOutAt: optedOutAt.toISOString(), wroteSinceOptOut };
  }

  @Patch(':conversationId')
  @ApiParam(CONVERSATION_ID)
  @RequireScope('messaging:manage')
  @ApiOperation({
    summary: 'Set the state of a conversation',
    description:
      'Marks a conversation as done, or opens it. The next message from the person opens it again, except one that is only an ' +
      'opt-out or opt-in keyword.',
  })
  @ApiOkResponse({ description: 'The conversation.', type: ConversationDto })
  @JsonBody()
  @ApiErrors(ConversationNotFoundError)
  async updateConversation(
    @CurrentCaller() caller: Caller,
    @ConversationId() conversationId: string,
    @Body() { state }: ChangeConversationDto,
  ): Promise<ConversationDto> {
    const conversation = await this.conversations.setState(caller.accountId, conversationId, state);
    return ConversationDto.from(conversation, await this.senders.hasSeveral(caller.accountId));
  }

  @Get(':conversationId/messages')
  @ApiParam(CONVERSATION_ID)
  @RequireScope('messaging:read')
  @ApiOperation({
    summary: 'List the messages of a conversation',
    description:
      'Lists messages in both directions, newest first. `before` and `after` take a message id or a time, itself ' +
      'excluded; `cursor` continues within these limits. To poll for new messages, set `after` to the newest message ' +
      'you have.',
  })
  @ApiSliceOf(ConversationMessageDto)
  @ApiErrors(ValidationFailedError, ConversationNotFoundError)
  async listConversationMessages(
    @CurrentCaller() caller: Caller,
    @ConversationId() conversationId: string,
    @Query() query: ConversationMessagesQueryDto,
  ): Promise<Slice<ConversationMessageDto>> {
    const wanted = ConversationMessagesQueryDto.queryOf(query);
    const { items, nextCursor } = await this.conversations.messagesOf(caller.accountId, conversationId, wanted, query);
    const showsSender = await this.senders.hasSeveral(caller.accountId);
    return { items: items.map((message) => ConversationMessageDto.from(message, showsSender)), nextCursor };
  }

  @Get(':conversationId/export')
  @ApiParam(CONVERSATION_ID)
  @RequireScope('messaging:read')
  @ApiOperation({
    summary: 'Export a conversation',
    description:
      'Streams all its messages as a file, oldest first. One process streams two reports and exports per account at a ' +
      'time; further ones wait, and are refused after 30 s. If the connection breaks, the file is incomplete.',
  })
  @ApiOkResponse(CONVERSATION_EXPORT_RESPONSE)
  @ApiErrors(ValidationFailedError, ConversationNotFoundError, ExportsBusyError)
  async exportConversation(
    @CurrentCaller() caller: Caller,
    @ConversationId() conversationId: string,
    @Query() { format }: ConversationExportQueryDto,
    @Res() response: Response,
    @ClientSignal() signal: AbortSignal,
  ): Promise<void> {
    const view = await this.conversations.get(caller.accountId, conversationId);
    const { id } = view.conversation;
    const pieces = exportChunks(format, view, this.conversationMessages.all(caller.accountId, id));
    await sendFile(response, {
      type: EXPORT_CONTENT_TYPES[format],
      name: `conversation-${id}.${format}`,
      content: Readable.from(await this.exports.start(caller.accountId, pieces, signal), { highWaterMark: 1 }),
    });
  }

  @Post(':conversationId/read')
  @ApiParam(CONVERSATION_ID)
  @HttpCode(200)
  @RequireScope('messaging:manage')
  @ApiOperation({
    summary: 'Mark a conversation as read',
    description:
      'Marks all messages as read, or those up to the last message seen; later ones stay unread. The platform shows ' +
      'read receipts to the person, for messages of the last 30 days; if it is unavailable, the conversation is still ' +
      'marked. `typing` shows the person a typing indicator.',
  })
  @ApiOkResponse({ description: 'The unread count.', type: ReadMarkDto })
  @JsonBody()
  @ApiErrors(ConversationNotFoundError, MessageNotFoundError)
  async markConversationRead(
    @CurrentCaller() caller: Caller,
    @ConversationId() conversationId: string,
    @Body() { messageId, typing }: MarkReadDto,
  ): Promise<ReadMarkDto> {
    const seen = { seenMessageId: messageId?.toLowerCase(), typing: typing ?? false };
    return ReadMarkDto.from(await this.readMarks.mark(caller.accountId, conversationId, seen));
  }

  @Post(':conversationId/unread')
  @ApiParam(CONVERSATION_ID)
  @HttpCode(200)
  @RequireScope('messaging:manage')
  @ApiOperation({
    summary: 'Mark a conversation as unread',
    description:
      "Marks the person's latest message as unread for your team; a conversation with unread messages stays as it is. The person " +
      'is not informed.',
  })
  @ApiOkResponse({ description: 'The conversation.', type: ConversationDto })
  @ApiErrors(ConversationNotFoundError, NothingReceivedError, ValidationFailedError)
  async markConversationUnread(
    @CurrentCaller() caller: Caller,
    @ConversationId() conversationId: string,
    @Query() _noQuery: NoQueryDto,
  ): Promise<ConversationDto> {
    const conversation = await this.conversations.markUnread(caller.accountId, conversationId);
    return ConversationDto.from(conversation, await this.senders.hasSeveral(caller.accountId));
  }

  @Delete(':conversationId')
  @ApiParam(CONVERSATION_ID)
  @HttpCode(204)
  @RequireScope('messaging:manage')
  @ApiOperation({
    summary: 'Erase a conversation',
    description:
      'Permanently erases contents, values, numbers, names and files of all its messages; waiting messages are not ' +
      'sent. Message counts and outcomes remain, for the counts of their jobs. An interrupted call can be repeated ' +
      'and continues where it stopped. The next message to or from the person starts a new conversation.',
  })
  @ApiNoContentResponse({ description: 'Erased.' })
  @ApiErrors(ConversationNotFoundError)
  async eraseConversation(@CurrentCaller() caller: Caller, @ConversationId() conversationId: string): Promise<void> {
    await this.erasure.eraseConversation(caller, conversationId);
  }
}
