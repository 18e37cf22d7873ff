import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access.decorators';
import { ApiFaults } from '../../../infra/http/api-faults.decorator';
import { ApiPageOf } from '../../../infra/http/api-lists.decorators';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import { type PageAnswer, pageAnswer } from '../../../infra/http/page.dto';
import { ResourceIdPipe } from '../../../infra/http/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import { TemplateSync } from '../domain/template-sync.service';
import { TemplatesService } from '../domain/templates.service';
import { TEMPLATE_ID } from './template-id';
import { SyncResultDto, TemplateDto, TemplateQueryDto } from './templates.dto';

/** The account's message templates. */
@ApiTags('Templates')
@Controller('templates')
export class TemplatesController {
  constructor(
    private readonly templates: TemplatesService,
    private readonly templateSync: TemplateSync,
  ) {}

  /** Endpoint 1 of the specification. */
  @Get()
  @RequireScope('templates:read')
  @ApiOperation({
    summary: 'List the message templates',
    description:
      'The templates of your account as the last sync found them, newest first. Only an `Approved` one can be sent; `parameterCount` tells how many values a send takes.',
  })
  @ApiPageOf(TemplateDto)
  @ApiFaults('validation_failed')
  async list(@CurrentCaller() caller: Caller, @Query() query: TemplateQueryDto): Promise<PageAnswer<TemplateDto>> {
    const { page, pageSize, ...filter } = query;
    const templates = await this.templates.list(caller.accountId, filter, { page, pageSize });
    return pageAnswer({ ...templates, items: templates.items.map((template) => TemplateDto.from(template)) });
  }

  /** Takes the platform's present list over. */
  @Post('sync')
  @HttpCode(200)
  @RequireScope('templates:manage')
  @ApiOperation({
    summary: 'Sync the templates with the platform',
    description:
      "Takes the platform's present list over and follows its paging to the end. A template that has vanished there becomes `Deleted`, unless a page could not be read. It also runs by itself every 15 minutes.",
  })
  @ApiOkResponse({ description: 'What the sync did.', type: SyncResultDto })
  @ApiFaults('sync_in_progress', 'sender_missing')
  async sync(@CurrentCaller() caller: Caller): Promise<SyncResultDto> {
    return SyncResultDto.from(await this.templateSync.sync(caller.accountId));
  }

  /** One template by its id. */
  @Get(':templateId')
  @ApiParam(TEMPLATE_ID)
  @RequireScope('templates:read')
  @ApiOperation({ summary: 'Read a message template', description: 'One template of your account, in one language.' })
  @ApiOkResponse({ description: 'The template.', type: TemplateDto })
  @ApiFaults('template_not_found')
  async get(
    @CurrentCaller() caller: Caller,
    @Param('templateId', new ResourceIdPipe('template')) templateId: string,
  ): Promise<TemplateDto> {
    return TemplateDto.from(await this.templates.get(caller.accountId, templateId));
  }
}
