import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import type { Answer } from '../../../infra/http/answer';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { CurrentClaim, Idempotent, presentAs201 } from '../../../infra/http/idempotency/idempotent.decorator';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { QuickReplyLimitError, QuickReplyNameTakenError, QuickReplyNotFoundError } from '../domain/chat-history.errors';
import { QuickRepliesService } from '../domain/quick-replies.service';
import { MAX_QUICK_REPLIES } from '../domain/quick-reply';
import { ChangeQuickReplyDto, CreateQuickReplyDto, QuickRepliesDto, QuickReplyDto } from './quick-replies.dto';

const QuickReplyId = () => Param('quickReplyId', new ResourceIdPipe(QuickReplyNotFoundError));

const QUICK_REPLY_ID = {
  name: 'quickReplyId',
  description: 'Id of a quick reply of your account.',
  format: 'uuid',
  example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
};

/** Quick replies over HTTP. */
@ApiTags('Chat history')
@Controller('quick-replies')
export class QuickRepliesController {
  constructor(readonly quickReplies: QuickRepliesService) {}

  @Get()
  @RequireScope('messaging:read')
  @ApiOperation({
    summary: 'List quick replies',
    description: `Lists the texts that people of the account insert into replies, by name; at most ${MAX_QUICK_REPLIES}.`,
  })
  @ApiOkResponse({ description: 'All quick replies.', type: QuickRepliesDto })
  async listQuickReplies(@CurrentCaller() caller: Caller): Promise<QuickRepliesDto> {
    return { items: (await this.quickReplies.list(caller.accountId)).map((one) => QuickReplyDto.from(one)) };
  }

  @Post()
  @RequireScope('messaging:manage')
  @ApiOperation({ summary: 'Create a quick reply', description: 'Creates a quick reply with a unique name.' })
  @ApiCreatedResponse({ description: 'The quick reply.', type: QuickReplyDto })
  @JsonBody()
  @ApiErrors(QuickReplyNameTakenError, QuickReplyLimitError)
  @Idempotent(CreateQuickReplyDto, ({ quickReplies }: QuickRepliesController, { accountId, resourceId }) =>
    presentAs201(quickReplies.get(accountId, resourceId).then((one) => QuickReplyDto.from(one))),
  )
  async createQuickReply(
    @CurrentCaller() { accountId }: Caller,
    @CurrentClaim() claim: CreationClaim,
    @Body() { name, text }: CreateQuickReplyDto,
  ): Promise<Answer> {
    const created = await this.quickReplies.create(accountId, { name, text }, claim);
    return { statusCode: 201, body: QuickReplyDto.from(created) };
  }

  @Patch(':quickReplyId')
  @ApiParam(QUICK_REPLY_ID)
  @RequireScope('messaging:manage')
  @ApiOperation({
    summary: 'Change a quick reply',
    description: 'Changes the name, the text or both; absent fields keep their values.',
  })
  @ApiOkResponse({ description: 'The updated quick reply.', type: QuickReplyDto })
  @JsonBody()
  @ApiErrors(QuickReplyNotFoundError, QuickReplyNameTakenError)
  async updateQuickReply(
    @CurrentCaller() caller: Caller,
    @QuickReplyId() quickReplyId: string,
    @Body() { name, text }: ChangeQuickReplyDto,
  ): Promise<QuickReplyDto> {
    return QuickReplyDto.from(await this.quickReplies.change(caller.accountId, quickReplyId, { name, text }));
  }

  @Delete(':quickReplyId')
  @ApiParam(QUICK_REPLY_ID)
  @HttpCode(204)
  @RequireScope('messaging:manage')
  @ApiOperation({
    summary: 'Delete a quick reply',
    description: 'Deletes the quick reply; sent replies are unaffected.',
  })
  @ApiNoContentResponse({ description: 'Deleted.' })
  @ApiErrors(QuickReplyNotFoundError)
  async deleteQuickReply(@CurrentCaller() caller: Caller, @QuickReplyId() quickReplyId: string): Promise<void> {
    await this.quickReplies.remove(caller.accountId, quickReplyId);
  }
}
