import { Body, Controller, Get, HttpCode, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { NoQueryDto } from '../../../infra/http/validation/no-query.dto';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { SenderNotFoundError } from '../../accounts/domain/accounts.errors';
import { sampleFileOf } from '../domain/sample-file';
import { TemplateAuthoring } from '../domain/template-authoring';
import { extrasOf } from '../domain/template-extras';
import { TemplatesService } from '../domain/templates.service';
import { TemplateNotFoundError } from '../domain/templates.errors';
import { SAMPLE_FILE_TYPES, sampleFileBytes } from './sample-file-bytes';
import {
  DraftPreviewDto,
  PREVIEW_DRAFT_EXAMPLES,
  PREVIEW_EXAMPLES,
  PreviewDraftDto,
  PreviewTemplateDto,
  SampleFileQueryDto,
  TemplatePreviewDto,
} from './template-authoring.dto';
import { TEMPLATE_ID } from './template-id';

const BINARY = { schema: { type: 'string', format: 'binary' } } as const;

/** Previews and sample files of templates. */
@ApiTags('Templates')
@Controller('templates')
export class TemplateSamplesController {
  constructor(
    private readonly templates: TemplatesService,
    private readonly authoring: TemplateAuthoring,
  ) {}

  /** Previews a template that is not saved; submits and sends nothing. */
  @Post('preview')
  @HttpCode(200)
  @RequireScope('templates:read')
  @ApiOperation({
    summary: 'Preview a template that is not saved',
    description:
      'Renders `draft`, a template as in `POST /templates`, with these values, and lists all problems: those of the ' +
      'draft, as its dry run returns them, and those of a send once it is approved. Nothing is stored or sent.',
  })
  @ApiOkResponse({ description: 'The draft, filled in as far as possible.', type: DraftPreviewDto })
  @ApiBody({ type: PreviewDraftDto, examples: PREVIEW_DRAFT_EXAMPLES })
  @JsonBody()
  @ApiErrors(SenderNotFoundError)
  async previewTemplateDraft(
    @CurrentCaller() { accountId }: Caller,
    @Body() { draft: requested, templateParameters, ...extras }: PreviewDraftDto,
    @Query() _noQuery: NoQueryDto,
  ): Promise<DraftPreviewDto> {
    const { senderId, ...draft } = requested;
    const given = { values: templateParameters.map(({ text }) => text), extras: extrasOf(extras) };
    return DraftPreviewDto.from(await this.authoring.preview(accountId, draft, given, senderId ?? undefined));
  }

  /** Previews a template; sends nothing. */
  @Post(':templateId/preview')
  @ApiParam(TEMPLATE_ID)
  @HttpCode(200)
  @RequireScope('templates:read')
  @ApiOperation({
    summary: 'Preview a message template',
    description:
      'Renders the template with these values, whatever its status, and lists all reasons why a send would be ' +
      'refused: wrong number of values, invalid values, missing media, not approved. Nothing is sent.',
  })
  @ApiOkResponse({ description: 'The template, filled in as far as possible.', type: TemplatePreviewDto })
  @ApiBody({ type: PreviewTemplateDto, examples: PREVIEW_EXAMPLES })
  @JsonBody()
  @ApiErrors(TemplateNotFoundError)
  async previewTemplate(
    @CurrentCaller() caller: Caller,
    @Param('templateId', new ResourceIdPipe(TemplateNotFoundError)) templateId: string,
    @Body() body: PreviewTemplateDto,
  ): Promise<TemplatePreviewDto> {
    const values = body.templateParameters.map(({ text }) => text);
    return TemplatePreviewDto.from(await this.templates.preview(caller.accountId, templateId, values, extrasOf(body)));
  }

  /** Generates a sample file. */
  @Get(':templateId/sample-file')
  @ApiParam(TEMPLATE_ID)
  @RequireScope('templates:read')
  @ApiOperation({
    summary: 'Download a sample file',
    description:
      'Returns a file for `POST /bulk-import-messages` with this template: a header row with `phone` and a name for ' +
      'each value, and one valid example row to replace with your recipients.',
  })
  @ApiOkResponse({
    description: 'The file, as an attachment.',
    content: {
      [SAMPLE_FILE_TYPES.csv]: { ...BINARY, example: 'phone,value 1 (body {{1}})\r\n4915112345678,Example 1\r\n' },
      [SAMPLE_FILE_TYPES.xlsx]: { ...BINARY, example: 'the bytes of the file' },
    },
  })
  @ApiErrors(ValidationFailedError, TemplateNotFoundError)
  async getTemplateSampleFile(
    @CurrentCaller() caller: Caller,
    @Param('templateId', new ResourceIdPipe(TemplateNotFoundError)) templateId: string,
    @Query() { format }: SampleFileQueryDto,
  ): Promise<StreamableFile> {
    const sample = sampleFileOf(await this.templates.get(caller.accountId, templateId));
    return new StreamableFile(await sampleFileBytes(sample, format), {
      type: SAMPLE_FILE_TYPES[format],
      disposition: `attachment; filename="${sample.name}.${format}"`,
    });
  }
}
