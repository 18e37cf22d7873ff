import { Body, Controller, Delete, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import type { Answer } from '../../../infra/http/answer';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { CurrentClaim, Idempotent, presentAs201 } from '../../../infra/http/idempotency/idempotent.decorator';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { NoQueryDto } from '../../../infra/http/validation/no-query.dto';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import type { CreationClaim } from '../../../kernel/creation-claim';
import type { Caller } from '../../../kernel/caller';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { PlatformUnavailableError } from '../../../kernel/platform.errors';
import { AccountWithoutSenderError, SenderNotFoundError } from '../../accounts/domain/accounts.errors';
import { TemplateAuthoring } from '../domain/template-authoring';
import {
  InvalidTemplateStateError,
  TemplateCallLimitError,
  TemplateCreationLimitError,
  TemplateEditLimitError,
  TemplateNameTakenError,
  TemplateOutcomeUnknownError,
  TemplateRefusedError,
} from '../domain/authoring.errors';
import { TemplateNotFoundError } from '../domain/templates.errors';
import { TemplatesService } from '../domain/templates.service';
import {
  CREATE_TEMPLATE_EXAMPLES,
  CreateTemplateDto,
  EDIT_TEMPLATE_EXAMPLES,
  EditTemplateDto,
  TemplateCheckDto,
} from './template-authoring.dto';
import { TEMPLATE_ID } from './template-id';
import { TemplateDto } from './templates.dto';

/** Creates, edits and deletes message templates. */
@ApiTags('Templates')
@Controller('templates')
export class TemplateAuthoringController {
  constructor(
    private readonly authoring: TemplateAuthoring,
    readonly templates: TemplatesService,
  ) {}

  /** Creates a template and submits it for review. */
  @Post()
  @RequireScope('templates:manage')
  @ApiOperation({
    summary: 'Create a message template',
    description:
      'Validates the template against all known rules of the platform, with one error per field, and submits it for review. The response has the status set by the platform, usually `Pending`, which later changes to `Approved` or `Rejected`.',
  })
  @ApiBody({ type: CreateTemplateDto, examples: CREATE_TEMPLATE_EXAMPLES })
  @ApiCreatedResponse({ description: 'The template was accepted by the platform.', type: TemplateDto })
  @ApiOkResponse({ description: 'With `"dryRun": true`: the problems found.', type: TemplateCheckDto })
  @JsonBody()
  @ApiErrors(
    TemplateNameTakenError,
    TemplateRefusedError,
    AccountWithoutSenderError,
    SenderNotFoundError,
    TemplateCreationLimitError,
    PlatformUnavailableError,
    TemplateOutcomeUnknownError,
  )
  @Idempotent(CreateTemplateDto, ({ templates }: TemplateAuthoringController, { accountId, resourceId }) =>
    presentAs201(templates.get(accountId, resourceId).then((template) => TemplateDto.from(template))),
  )
  async createTemplate(
    @CurrentCaller() caller: Caller,
    @CurrentClaim() claim: CreationClaim,
    @Body() { dryRun, senderId, ...draft }: CreateTemplateDto,
    @Query() _noQuery: NoQueryDto,
  ): Promise<Answer> {
    const { accountId } = caller;
    const sender = senderId ?? undefined;
    if (dryRun) return { statusCode: 200, body: { problems: await this.authoring.check(accountId, draft, sender) } };
    const template = await this.authoring.create(caller, draft, claim, sender);
    return { statusCode: 201, body: TemplateDto.from(template) };
  }

  /** Edits a template and submits it again. */
  @Patch(':templateId')
  @ApiParam(TEMPLATE_ID)
  @RequireScope('templates:manage')
  @ApiOperation({
    summary: 'Edit a message template',
    description:
      'Only an `Approved`, `Rejected` or `Paused` template can be edited. If any part of the contents is given, all ' +
      'are replaced, except that a call permission request stays until `callPermissionRequest` is `false`. The platform ' +
      'reviews new contents and a new category again: jobs with the template pause until it is `Approved`.',
  })
  @ApiBody({ type: EditTemplateDto, examples: EDIT_TEMPLATE_EXAMPLES })
  @ApiOkResponse({ description: 'The template after the change.', type: TemplateDto })
  @JsonBody()
  @ApiErrors(
    TemplateNotFoundError,
    InvalidTemplateStateError,
    TemplateRefusedError,
    AccountWithoutSenderError,
    TemplateEditLimitError,
    TemplateCallLimitError,
    PlatformUnavailableError,
    TemplateOutcomeUnknownError,
  )
  async updateTemplate(
    @CurrentCaller() caller: Caller,
    @Param('templateId', new ResourceIdPipe(TemplateNotFoundError)) templateId: string,
    @Body() edit: EditTemplateDto,
  ): Promise<TemplateDto> {
    return TemplateDto.from(await this.authoring.edit(caller, templateId, edit));
  }

  /** Unpauses a template. */
  @Post(':templateId/unpause')
  @ApiParam(TEMPLATE_ID)
  @HttpCode(200)
  @RequireScope('templates:manage')
  @ApiOperation({
    summary: 'Unpause a message template',
    description:
      'Resumes a template that the platform paused while pacing its first messages; such a pause does not end on its ' +
      'own. Jobs waiting for the template resume. A pause for low quality ends automatically after 3 or 6 hours.',
  })
  @ApiOkResponse({ description: 'The template, `Approved` again.', type: TemplateDto })
  @ApiErrors(
    TemplateNotFoundError,
    InvalidTemplateStateError,
    TemplateRefusedError,
    AccountWithoutSenderError,
    TemplateCallLimitError,
    PlatformUnavailableError,
    TemplateOutcomeUnknownError,
  )
  async unpauseTemplate(
    @CurrentCaller() caller: Caller,
    @Param('templateId', new ResourceIdPipe(TemplateNotFoundError)) templateId: string,
  ): Promise<TemplateDto> {
    return TemplateDto.from(await this.authoring.unpause(caller, templateId));
  }

  /** Deletes one language of a template. */
  @Delete(':templateId')
  @ApiParam(TEMPLATE_ID)
  @HttpCode(204)
  @RequireScope('templates:manage')
  @ApiOperation({
    summary: 'Delete a message template',
    description:
      'Deletes this language of the template on the platform and keeps the others. Jobs that use it pause. The ' +
      'platform blocks the name of an approved template for 30 days.',
  })
  @ApiNoContentResponse({ description: 'The template is deleted.' })
  @ApiErrors(
    TemplateNotFoundError,
    InvalidTemplateStateError,
    TemplateRefusedError,
    AccountWithoutSenderError,
    TemplateCallLimitError,
    PlatformUnavailableError,
    TemplateOutcomeUnknownError,
  )
  async deleteTemplate(
    @CurrentCaller() caller: Caller,
    @Param('templateId', new ResourceIdPipe(TemplateNotFoundError)) templateId: string,
  ): Promise<void> {
    await this.authoring.remove(caller, templateId);
  }
}
