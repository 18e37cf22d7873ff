import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { ApiSliceOf } from '../../../infra/http/lists/api-lists.decorators';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import { SendersService } from '../../accounts/domain/senders.service';
import type { Caller } from '../../../kernel/caller';
import type { Slice } from '../../../kernel/page';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { PhoneFilters } from '../../groups/domain/phone-filters';
import { MessageSearch } from '../domain/message-search';
import { MessageNotFoundError } from '../domain/messages.errors';
import { MessageDetailDto, MessageDto, MessagesQueryDto } from './messages.dto';

/** Messages over HTTP, of all conversations of the account. */
@ApiTags('Chat history')
@Controller('messages')
export class MessagesController {
  constructor(
    private readonly search: MessageSearch,
    private readonly phones: PhoneFilters,
    private readonly senders: SendersService,
  ) {}

  @Get()
  @RequireScope('messaging:read')
  @ApiOperation({
    summary: 'Find messages',
    description:
      'Lists messages of the account, newest first; filters combine with AND. `to`, `jobId` and `reference` use an ' +
      'index. With other filters one call scans a few thousand messages and may return fewer items than `limit`; only ' +
      'a `nextCursor` of null marks the end.',
  })
  @ApiSliceOf(MessageDto)
  @ApiErrors(ValidationFailedError)
  async listMessages(@CurrentCaller() caller: Caller, @Query() query: MessagesQueryDto): Promise<Slice<MessageDto>> {
    const { accountId } = caller;
    const to = await this.phones.read(accountId, 'to', query.to);
    const { items, nextCursor } = await this.search.find(accountId, { ...MessagesQueryDto.queryOf(query), to }, query);
    const showsSender = await this.senders.hasSeveral(accountId);
    return { items: items.map((message) => MessageDto.from(message, showsSender)), nextCursor };
  }

  @Get(':messageId')
  @ApiParam({
    name: 'messageId',
    description: 'Id of a message of your account.',
    format: 'uuid',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
  })
  @RequireScope('messaging:read')
  @ApiOperation({
    summary: 'Read a message',
    description: 'Returns one message of either direction with its statuses, until it expires or is erased.',
  })
  @ApiOkResponse({ description: 'The message.', type: MessageDetailDto })
  @ApiErrors(MessageNotFoundError)
  async getMessage(
    @CurrentCaller() caller: Caller,
    @Param('messageId', new ResourceIdPipe(MessageNotFoundError)) messageId: string,
  ): Promise<MessageDetailDto> {
    const message = await this.search.get(caller.accountId, messageId);
    return MessageDetailDto.from(message, await this.senders.hasSeveral(caller.accountId));
  }
}
