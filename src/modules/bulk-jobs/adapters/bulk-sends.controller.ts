import { Body, Controller, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import type { Answer } from '../../../infra/http/answer';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { ClientSignal } from '../../../infra/http/edge/client-signal.decorator';
import { CurrentClaim, Idempotent } from '../../../infra/http/idempotency/idempotent.decorator';
import { NoQueryDto } from '../../../infra/http/validation/no-query.dto';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { FileUpload, type Upload, UploadedFile } from '../../../infra/http/uploads/file-upload.decorator';
import type { Caller } from '../../../kernel/caller';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { GroupNotFoundError } from '../../groups/domain/groups.errors';
import { QuotaExceededError } from '../../accounts/domain/accounts.errors';
import { answerWithBadRows, badRowsFile } from '../../recipient-files/adapters/bad-rows.dto';
import {
  ColumnNotFoundError,
  InvalidRowsError,
  NoValidRowsError,
  RECIPIENT_LIST_ERRORS,
  TooManyRowsError,
} from '../../recipient-files/domain/recipient-files.errors';
import { ParameterMismatchError, TEMPLATE_SEND_ERRORS } from '../../templates/domain/templates.errors';
import { BulkJobsService } from '../domain/bulk-jobs.service';
import { FileImportsService } from '../domain/file-imports.service';
import { GroupSendsService } from '../domain/group-sends.service';
import { ListSendsService } from '../domain/list-sends.service';
import { GroupEmptyError, JobNotFoundError, RecipientsExpiredError } from '../domain/bulk-jobs.errors';
import { BulkImportDto, BulkImportFormDto, CreatedJobDto, fileImportOf } from './bulk-sends.dto';
import { CreatedGroupJobDto, GroupSendDto, groupSendOf } from './group-sends.dto';
import { GROUP_SEND_EXAMPLES } from './group-send-examples';
import { LIST_LIMITS, LIST_SEND_EXAMPLES, ListSendDto, listSendOf } from './list-sends.dto';
import { FileCheckDto, RecipientCheckDto } from './recipient-checks.dto';
import { accepted, LOCATION, presentJob } from './created-job-answer';

/** Of `excludeGroupIds` and `notReachedBy`. */
const EXCLUSION_ERRORS = [GroupNotFoundError, JobNotFoundError, RecipientsExpiredError];

/** The endpoints that create bulk jobs from files and groups. */
@ApiTags('Sending')
@Controller()
export class BulkSendsController {
  constructor(
    private readonly fileImports: FileImportsService,
    private readonly groupSends: GroupSendsService,
    private readonly listSends: ListSendsService,
    readonly jobs: BulkJobsService,
  ) {}

  @Post('bulk-import-messages')
  @RequireScope('messaging:send')
  @Idempotent(BulkImportDto, presentJob(CreatedJobDto))
  @FileUpload(BulkImportFormDto)
  @ApiOperation({
    summary: 'Send a template to the recipients of a file',
    description:
      'The first column contains phone numbers, each further column the values of the next placeholder, unless ' +
      '`columns` names the columns. The file is read, validated and stored before the response: an accepted job has all its recipients; a refused or ' +
      'interrupted upload stores nothing. `excludeGroupIds` and `notReachedBy` leave people out.',
  })
  @ApiAcceptedResponse({
    type: CreatedJobDto,
    headers: LOCATION,
    description: 'The job is completely stored, and started, `Scheduled` or on hold.',
  })
  @ApiExtraModels(FileCheckDto)
  @ApiOkResponse(
    answerWithBadRows(
      FileCheckDto,
      'With `dryRun=true`: a preview of the import; with `badRows`: the invalid rows as a file.',
    ),
  )
  @ApiErrors(
    QuotaExceededError,
    ColumnNotFoundError,
    ParameterMismatchError,
    ...EXCLUSION_ERRORS,
    ...RECIPIENT_LIST_ERRORS,
    ...TEMPLATE_SEND_ERRORS,
  )
  async importBulkMessages(
    @CurrentCaller() caller: Caller,
    @CurrentClaim() claim: CreationClaim,
    @Body() body: BulkImportDto,
    @UploadedFile() upload: Upload,
    @ClientSignal() signal: AbortSignal,
    @Query() _noQuery: NoQueryDto,
  ): Promise<Answer> {
    const request = { ...caller, claim, signal, ...fileImportOf(body, upload) };
    if (body.badRows) {
      const badRows = await this.fileImports.badRows(request, body.columns === 'auto');
      return { statusCode: 200, body: badRowsFile(body.badRows, badRows, body.badRowsLanguage) };
    }
    if (body.dryRun === 'true') {
      return {
        statusCode: 200,
        body: FileCheckDto.of(await this.fileImports.checkFile(request, body.columns === 'auto')),
      };
    }
    return accepted(CreatedJobDto, await this.fileImports.importFile(request));
  }

  @Post('bulk-jobs')
  @RequireScope('messaging:send')
  @Idempotent(ListSendDto, presentJob(CreatedJobDto))
  @ApiOperation({
    summary: 'Send a template to a list of recipients',
    description:
      'Creates a job from the recipients in the body, like an import from a file: same checks, codes and counts; row n is the ' +
      'recipient with index n - 1. Each recipient may have header media, payloads, a flow token, cards and a reference of its own.',
  })
  @ApiBody({ type: ListSendDto, examples: LIST_SEND_EXAMPLES })
  @ApiAcceptedResponse({
    type: CreatedJobDto,
    headers: LOCATION,
    description: 'The job is completely stored, and started, `Scheduled` or on hold.',
  })
  @ApiOkResponse({ type: RecipientCheckDto, description: 'With `"dryRun": true`: a preview of the send.' })
  @JsonBody(LIST_LIMITS)
  @ApiErrors(
    QuotaExceededError,
    NoValidRowsError,
    InvalidRowsError,
    TooManyRowsError,
    ...EXCLUSION_ERRORS,
    ...TEMPLATE_SEND_ERRORS,
  )
  async sendTemplateToList(
    @CurrentCaller() caller: Caller,
    @CurrentClaim() claim: CreationClaim,
    @Body() body: ListSendDto,
    @ClientSignal() signal: AbortSignal,
    @Query() _noQuery: NoQueryDto,
  ): Promise<Answer> {
    const request = { ...caller, claim, signal, ...listSendOf(body) };
    if (body.dryRun) return { statusCode: 200, body: RecipientCheckDto.of(await this.listSends.check(request)) };
    return accepted(CreatedJobDto, await this.listSends.send(request));
  }

  @Post('send-template-to-group')
  @RequireScope('messaging:send')
  @Idempotent(GroupSendDto, presentJob(CreatedGroupJobDto))
  @ApiOperation({
    summary: 'Send a template to contact groups',
    description:
      'Sends to all current contacts of the group, or of several groups, each contact once. `values` takes the value of each placeholder ' +
      "from an attribute of the contact or its default; without `values` it is the contact's parameter n or else " +
      '`parameterDefaults["n"]`. A recipient without a value fails with `parameter_missing`. `excludeGroupIds` and `notReachedBy` ' +
      'leave contacts out, and opted-out contacts are skipped.',
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
    ParameterMismatchError,
    GroupEmptyError,
    ...EXCLUSION_ERRORS,
    TooManyRowsError,
    ...TEMPLATE_SEND_ERRORS,
  )
  async sendTemplateToGroup(
    @CurrentCaller() caller: Caller,
    @CurrentClaim() claim: CreationClaim,
    @Body() body: GroupSendDto,
    @ClientSignal() signal: AbortSignal,
    @Query() _noQuery: NoQueryDto,
  ): Promise<Answer> {
    const request = { ...caller, claim, signal, ...groupSendOf(body) };
    if (body.dryRun) return { statusCode: 200, body: RecipientCheckDto.of(await this.groupSends.checkGroup(request)) };
    const created = await this.groupSends.sendToGroup(request);
    return accepted(CreatedGroupJobDto, created);
  }
}
