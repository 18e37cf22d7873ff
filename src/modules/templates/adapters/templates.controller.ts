import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { ApiPageOf } from '../../../infra/http/lists/api-lists.decorators';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { type PageAnswer, pageAnswer } from '../../../infra/http/lists/page.dto';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import { PlatformRejectedError } from '../../../kernel/platform.errors';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { AccountWithoutSenderError, SenderNotFoundError } from '../../accounts/domain/accounts.errors';
import { SendersService } from '../../accounts/domain/senders.service';
import { sampleValuesOf } from '../domain/sample-file';
import type { Template } from '../domain/template';
import { TemplateSync } from '../domain/template-sync';
import { TemplatesService } from '../domain/templates.service';
import { SyncInProgressError, TemplateNotFoundError } from '../domain/templates.errors';
import { TEMPLATE_ID } from './template-id';
import { SyncResultDto, TemplateDto, TemplateQueryDto } from './templates.dto';

/** The account's message templates. */
@ApiTags('Templates')
@Controller('templates')
export class TemplatesController {
  constructor(
    private readonly templates: TemplatesService,
    private readonly templateSync: TemplateSync,
    private readonly senders: SendersService,
  ) {}

  /** Endpoint 1 of the specification. */
  @Get()
  @RequireScope('templates:read')
  @ApiOperation({
    summary: 'List the message templates',
    description:
      'Lists the templates of your account as of the last sync, newest first. Only `Approved` templates can be sent; ' +
      '`parameterCount` is the number of values a send needs. `senderId` lists those that this sender can send: the templates of its ' +
      'business account.',
  })
  @ApiPageOf(TemplateDto)
  @ApiErrors(ValidationFailedError, SenderNotFoundError)
  async listTemplates(
    @CurrentCaller() caller: Caller,
    @Query() query: TemplateQueryDto,
  ): Promise<PageAnswer<TemplateDto>> {
    const { page, pageSize, sendable, senderId, ...others } = query;
    const ids = await this.businessAccountsOf(caller);
    const sender = senderId === undefined ? null : await this.senders.ofAccount(caller.accountId, senderId);
    const businessAccountIds = sender ? [sender.businessAccountId] : ids;
    const filter = {
      ...others,
      ...(ids.length > 0 && { businessAccountIds }),
      ...(sendable && { sendable: sendable === 'true' }),
    };
    const templates = await this.templates.list(caller.accountId, filter, { page, pageSize });
    return pageAnswer({ ...templates, items: templates.items.map((template) => shown(template, ids)) });
  }

  /** Syncs the templates with the platform's list. */
  @Post('sync')
  @HttpCode(200)
  @RequireScope('templates:manage')
  @ApiOperation({
    summary: 'Sync the templates with the platform',
    description:
      "Updates the templates from the platform's complete list. A template that no longer exists there becomes " +
      '`Deleted`, unless a page could not be read. If the platform refuses the access token, the response is 422 ' +
      '`platform_credentials_invalid`. The service also syncs every 15 minutes, every hour while the ' +
      'platform reports on the number.',
  })
  @ApiOkResponse({ description: 'The result of the sync.', type: SyncResultDto })
  @ApiErrors(SyncInProgressError, AccountWithoutSenderError, PlatformRejectedError)
  async syncTemplates(@CurrentCaller() caller: Caller): Promise<SyncResultDto> {
    return SyncResultDto.from(await this.templateSync.sync(caller.accountId));
  }

  /** One template by its id. */
  @Get(':templateId')
  @ApiParam(TEMPLATE_ID)
  @RequireScope('templates:read')
  @ApiOperation({ summary: 'Read a message template', description: 'Returns one template, in one language.' })
  @ApiQuery({
    name: 'values',
    required: false,
    description: '`true`: also `values`.',
    schema: { type: 'string', enum: ['true', 'false'], examples: ['true'] },
  })
  @ApiOkResponse({ description: 'The template.', type: TemplateDto })
  @ApiErrors(TemplateNotFoundError)
  async getTemplate(
    @CurrentCaller() caller: Caller,
    @Param('templateId', new ResourceIdPipe(TemplateNotFoundError)) templateId: string,
    @Query('values') values?: string,
  ): Promise<TemplateDto> {
    const template = await this.templates.get(caller.accountId, templateId);
    const answer = shown(template, await this.businessAccountsOf(caller));
    return values === 'true' ? { ...answer, values: sampleValuesOf(template) } : answer;
  }

  private async businessAccountsOf({ accountId }: Caller): Promise<string[]> {
    const senders = await this.senders.allOf(accountId);
    return [...new Set(senders.map(({ businessAccountId }) => businessAccountId))];
  }
}

/** With its business account if the caller has several. */
function shown(template: Template, businessAccountIds: readonly string[]): TemplateDto {
  const { businessAccountId } = template;
  return { ...TemplateDto.from(template), ...(businessAccountIds.length > 1 && { businessAccountId }) };
}
