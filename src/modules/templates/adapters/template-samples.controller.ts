import { Body, Controller, Get, HttpCode, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { sampleFileOf } from '../domain/sample-file';
import { extrasOf } from '../domain/template-extras';
import { TemplatesService } from '../domain/templates.service';
import { TemplateNotFoundError } from '../domain/templates.errors';
import { SAMPLE_FILE_TYPES, sampleFileBytes } from './sample-file-bytes';
import { PREVIEW_EXAMPLES, PreviewTemplateDto, SampleFileQueryDto, TemplatePreviewDto } from './template-authoring.dto';
import { TEMPLATE_ID } from './template-id';

const BINARY = { schema: { type: 'string', format: 'binary' } } as const;

/** Previews and sample files of templates. */
@ApiTags('Templates')
@Controller('templates/:templateId')
export class TemplateSamplesController {
  constructor(private readonly templates: TemplatesService) {}

  /** Previews a template; sends nothing. */
  @Post('preview')
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
  @Get('sample-file')
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
