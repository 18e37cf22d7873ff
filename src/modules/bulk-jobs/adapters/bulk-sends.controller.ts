import { Body, Controller, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access.decorators';
import type { Answer } from '../../../infra/http/answer';
import { ApiErrors } from '../../../infra/http/api-errors.decorator';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import { ClientSignal } from '../../../infra/http/client-signal.decorator';
import { CurrentClaim, Idempotent } from '../../../infra/http/idempotency/idempotent.decorator';
import { NoQueryDto } from '../../../infra/http/no-query.dto';
import { JsonBody } from '../../../infra/http/request-body';
import { FileUpload, type Upload, UploadedFile } from '../../../infra/http/uploads/file-upload.decorator';
import type { Caller } from '../../../kernel/caller';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { GroupNotFoundError } from '../../groups/domain/groups.errors';
import { QuotaExceededError } from '../../accounts/domain/accounts.errors';
import { RECIPIENT_LIST_ERRORS, TooManyRowsError } from '../../recipient-files/domain/recipient-files.errors';
import { ParameterMismatchError, TEMPLATE_SEND_ERRORS } from '../../templates/domain/templates.errors';
import { BulkJobsService } from '../domain/bulk-jobs.service';
import { FileImportsService } from '../domain/file-imports.service';
import { GroupSendsService } from '../domain/group-sends.service';
import { GroupEmptyError } from '../domain/bulk-jobs.errors';
import {
  BulkImportDto,
  BulkImportFormDto,
  CreatedGroupJobDto,
  CreatedJobDto,
  fileImportOf,
  GroupSendDto,
  groupSendOf,
} from './bulk-sends.dto';
import { GROUP_SEND_EXAMPLES } from './group-send-examples';
import { FileCheckDto, RecipientCheckDto } from './recipient-checks.dto';
import { accepted, LOCATION, presentJob } from './created-job-answer';

/** The endpoints that create bulk jobs from files and groups. */
@ApiTags('Sending')
@Controller()
export class BulkSendsController {
  constructor(
    private readonly fileImports: FileImportsService,
    private readonly groupSends: GroupSendsService,
    readonly jobs: BulkJobsService,
  ) {}

  @Post('bulk-import-messages')
  @RequireScope('messaging:send')
  @Idempotent(BulkImportDto, presentJob(CreatedJobDto))
  @FileUpload(BulkImportFormDto)
  @ApiOperation({
    summary: 'Send a template to the recipients of a file',
    description:
      'The first column contains phone numbers, each further column the values of the next placeholder. The file is ' +
      'read, validated and stored before the response: an accepted job has all its recipients; a refused or ' +
      'interrupted upload stores nothing.',
  })
  @ApiAcceptedResponse({
    type: CreatedJobDto,
    headers: LOCATION,
    description: 'The job is completely stored, and started, `Scheduled` or on hold.',
  })
  @ApiOkResponse({ type: FileCheckDto, description: 'With `dryRun=true`: a preview of the import.' })
  @ApiErrors(QuotaExceededError, ...RECIPIENT_LIST_ERRORS, ...TEMPLATE_SEND_ERRORS)
  async importBulkMessages(
    @CurrentCaller() { accountId, keyId, plan }: Caller,
    @CurrentClaim() claim: CreationClaim,
    @Body() body: BulkImportDto,
    @UploadedFile() upload: Upload,
    @ClientSignal() signal: AbortSignal,
    @Query() _noQuery: NoQueryDto,
  ): Promise<Answer> {
    const request = { claim, accountId, keyId, plan, signal, ...fileImportOf(body, upload) };
    if (body.dryRun === 'true') {
      return { statusCode: 200, body: FileCheckDto.of(await this.fileImports.checkFile(request)) };
    }
    return accepted(CreatedJobDto, await this.fileImports.importFile(request));
  }

  @Post('send-template-to-group')
  @RequireScope('messaging:send')
  @Idempotent(GroupSendDto, presentJob(CreatedGroupJobDto))
  @ApiOperation({
    summary: 'Send a template to a contact group',
    description:
      "Sends to all current contacts of the group. The value of placeholder n is the contact's parameter n or else " +
      '`parameterDefaults["n"]`; without either the recipient fails with `parameter_missing`. Opted-out contacts are ' +
      'skipped.',
  })
  @ApiBody({ type: GroupSendDto, examples: GROUP_SEND_EXAMPLES })
  @ApiAcceptedResponse({
    type: CreatedGroupJobDto,
    headers: LOCATION,
    description: 'The job is completely stored, and started, `Scheduled` or on hold.',
  })
  @ApiOkResponse({ type: RecipientCheckDto, description: 'With `"dryRun": true`: a preview of the send.' })
  @JsonBody()
  @ApiErrors(
    QuotaExceededError,
    GroupNotFoundError,
    ParameterMismatchError,
    GroupEmptyError,
    TooManyRowsError,
    ...TEMPLATE_SEND_ERRORS,
  )
  async sendTemplateToGroup(
    @CurrentCaller() { accountId, keyId, plan }: Caller,
    @CurrentClaim() claim: CreationClaim,
    @Body() body: GroupSendDto,
    @ClientSignal() signal: AbortSignal,
    @Query() _noQuery: NoQueryDto,
  ): Promise<Answer> {
    const request = { claim, accountId, keyId, plan, signal, ...groupSendOf(body) };
    if (body.dryRun) return { statusCode: 200, body: RecipientCheckDto.of(await this.groupSends.checkGroup(request)) };
    const created = await this.groupSends.sendToGroup(request);
    return accepted(CreatedGroupJobDto, created);
  }
}
