import { Body, Controller, Delete, HttpCode, Param, Patch, Post } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access.decorators';
import { ApiFaults } from '../../../infra/http/api-faults.decorator';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import { ResourceIdPipe } from '../../../infra/http/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import { TemplateAuthoring } from '../domain/template-authoring.service';
import {
  CREATE_TEMPLATE_EXAMPLES,
  CreateTemplateDto,
  EDIT_TEMPLATE_EXAMPLES,
  EditTemplateDto,
} from './template-authoring.dto';
import { TEMPLATE_ID } from './template-id';
import { TemplateDto } from './templates.dto';

/** Writing the account's message templates. */
@ApiTags('Templates')
@Controller('templates')
export class TemplateAuthoringController {
  constructor(private readonly authoring: TemplateAuthoring) {}

  /** Creates and submits. */
  @Post()
  @RequireScope('templates:manage')
  @ApiOperation({
    summary: 'Create a message template',
    description:
      'Checks the template by all rules of the platform that are known, with one error for each field, and submits it for review. The answer has the status that the platform gave it, mostly `Pending`; it becomes `Approved` or `Rejected` by itself.',
  })
  @ApiBody({ type: CreateTemplateDto, examples: CREATE_TEMPLATE_EXAMPLES })
  @ApiCreatedResponse({ description: 'The platform took it.', type: TemplateDto })
  @ApiFaults('validation_failed', 'malformed_json', 'body_too_large', 'unsupported_media_type')
  @ApiFaults('template_name_taken', 'template_refused', 'sender_missing')
  @ApiFaults('template_creation_limit', 'platform_unavailable', 'template_outcome_unknown')
  async create(@CurrentCaller() caller: Caller, @Body() draft: CreateTemplateDto): Promise<TemplateDto> {
    return TemplateDto.from(await this.authoring.create(caller.accountId, draft));
  }

  /** Changes and submits again. */
  @Patch(':templateId')
  @ApiParam(TEMPLATE_ID)
  @RequireScope('templates:manage')
  @ApiOperation({
    summary: 'Edit a message template',
    description:
      'Only an `Approved`, `Rejected` or `Paused` template can be edited. Any of `header`, `body`, `footer`, `buttons` and the authentication fields replaces the whole contents. New contents and a new category go through review again: jobs with the template pause until it is `Approved`.',
  })
  @ApiBody({ type: EditTemplateDto, examples: EDIT_TEMPLATE_EXAMPLES })
  @ApiOkResponse({ description: 'The template as it stands now.', type: TemplateDto })
  @ApiFaults('validation_failed', 'malformed_json', 'body_too_large', 'unsupported_media_type')
  @ApiFaults('template_not_found', 'invalid_template_state', 'template_refused', 'sender_missing')
  @ApiFaults('template_edit_limit', 'template_call_limit', 'platform_unavailable', 'template_outcome_unknown')
  async edit(
    @CurrentCaller() caller: Caller,
    @Param('templateId', new ResourceIdPipe('template')) templateId: string,
    @Body() edit: EditTemplateDto,
  ): Promise<TemplateDto> {
    return TemplateDto.from(await this.authoring.edit(caller.accountId, templateId, edit));
  }

  /** Deletes one language. */
  @Delete(':templateId')
  @ApiParam(TEMPLATE_ID)
  @HttpCode(204)
  @RequireScope('templates:manage')
  @ApiOperation({
    summary: 'Delete a message template',
    description:
      'Deletes this one language of the template on the platform; the others of its name stay. Jobs that use it pause. The platform keeps the name of a template that was approved for 30 days.',
  })
  @ApiNoContentResponse({ description: 'It is gone.' })
  @ApiFaults('template_not_found', 'invalid_template_state', 'template_refused', 'sender_missing')
  @ApiFaults('template_call_limit', 'platform_unavailable', 'template_outcome_unknown')
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('templateId', new ResourceIdPipe('template')) templateId: string,
  ): Promise<void> {
    await this.authoring.remove(caller.accountId, templateId);
  }
}
