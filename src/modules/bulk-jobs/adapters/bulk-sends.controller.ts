import { Body, Controller, HttpCode, Post, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { RequireScope } from '../../../infra/http/access.decorators';
import { ApiFaults } from '../../../infra/http/api-faults.decorator';
import type { ApiRequest } from '../../../infra/http/api-request';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import { ClientSignal } from '../../../infra/http/client-signal.decorator';
import { ApiIdempotencyKey, IdempotencyKey } from '../../../infra/http/idempotency/idempotency-key.decorator';
import { IdempotencyKeys } from '../../../infra/http/idempotency/idempotency-keys';
import { applyAnswer, type KeptAnswer } from '../../../infra/http/idempotency/kept-answer';
import { jsonFingerprint } from '../../../infra/http/idempotency/request-fingerprint';
import { MultipartBody } from '../../../infra/http/request-body';
import { FileUploadInterceptor, type Upload, UploadedFile } from '../../../infra/http/uploads/file-upload.interceptor';
import type { Caller } from '../../../kernel/caller';
import { BulkJobsService } from '../domain/bulk-jobs.service';
import { type FileImport, FileImportsService } from '../domain/file-imports.service';
import { GroupSendsService } from '../domain/group-sends.service';
import {
  BulkImportDto,
  BulkImportFormDto,
  CreatedGroupJobDto,
  CreatedJobDto,
  FileCheckDto,
  GROUP_SEND_EXAMPLES,
  GroupSendDto,
  readDefaults,
  sendOf,
} from './bulk-sends.dto';
import { accepted, type CreatedShape, keepIn, LOCATION } from './created-job-answer';

const HEADER = { auto: 'auto', true: 'present', false: 'absent' } as const;

/** The endpoints that make bulk jobs. */
@ApiTags('Sending')
@Controller()
export class BulkSendsController {
  constructor(
    private readonly fileImports: FileImportsService,
    private readonly groupSends: GroupSendsService,
    private readonly jobs: BulkJobsService,
    private readonly idempotencyKeys: IdempotencyKeys,
  ) {}

  @Post('bulk-import-messages')
  @HttpCode(202)
  @RequireScope('messaging:send')
  @MultipartBody()
  @UseInterceptors(FileUploadInterceptor)
  @ApiIdempotencyKey()
  @ApiOperation({
    summary: 'Send a template to the recipients of a file',
    description:
      'First column: phone numbers. Each later column: the value of the next placeholder. The file is read, checked and stored before the answer: an accepted job is whole, a refused or interrupted upload leaves nothing.',
  })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: BulkImportFormDto })
  @ApiAcceptedResponse({ type: CreatedJobDto, headers: LOCATION, description: 'The job is stored whole, and runs.' })
  @ApiOkResponse({ type: FileCheckDto, description: 'With `dryRun=true`: what the file would become.' })
  @ApiFaults(
    'validation_failed',
    'file_required',
    'file_empty',
    'template_not_found',
    'template_language_not_found',
    'file_too_large',
    'too_many_rows',
    'unsupported_media_type',
    'unsupported_file_type',
    'template_not_approved',
    'template_not_supported',
    'media_mismatch',
    'file_unreadable',
    'no_valid_rows',
    'invalid_rows',
    'sender_missing',
  )
  async importFile(
    @CurrentCaller() caller: Caller,
    @IdempotencyKey() key: string | undefined,
    @Body() body: BulkImportDto,
    @UploadedFile() upload: Upload,
    @ClientSignal() signal: AbortSignal,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const importOf = (jobId: string): FileImport => ({
      jobId,
      accountId: caller.accountId,
      plan: caller.plan,
      ...sendOf(body),
      path: upload.path,
      fileName: upload.fileName,
      header: HEADER[body.hasHeader],
      onInvalidRows: body.onInvalidRows,
      onDuplicates: body.onDuplicates,
      signal,
    });
    const outcome = await this.idempotencyKeys.run(
      {
        caller,
        endpoint: 'POST /bulk-import-messages',
        key,
        fingerprint: () => jsonFingerprint({ fields: body, file: upload.sha256 }),
      },
      async (claim) => {
        if (body.dryRun === 'true') {
          const check: FileCheckDto = await this.fileImports.checkFile(importOf(claim.resourceId));
          return { statusCode: 200, body: check, keep: false };
        }
        return keepIn(claim, CreatedJobDto, (created) =>
          this.fileImports.importFile(importOf(claim.resourceId), created),
        );
      },
      (jobId) => this.presentState(caller, jobId, CreatedJobDto),
    );
    return applyAnswer(request, response, outcome);
  }

  @Post('send-template-to-group')
  @HttpCode(202)
  @RequireScope('messaging:send')
  @ApiIdempotencyKey()
  @ApiOperation({
    summary: 'Send a template to a contact group',
    description:
      'Sends to everybody who is in the group now. The value of placeholder n is the contact\'s own parameter n, else `parameterDefaults["n"]`, else that recipient fails with `parameter_missing`. Contacts that have opted out are skipped.',
  })
  @ApiBody({ type: GroupSendDto, examples: GROUP_SEND_EXAMPLES })
  @ApiAcceptedResponse({
    type: CreatedGroupJobDto,
    headers: LOCATION,
    description: 'The job is stored whole, and runs.',
  })
  @ApiFaults(
    'malformed_json',
    'validation_failed',
    'group_not_found',
    'template_not_found',
    'template_language_not_found',
    'body_too_large',
    'unsupported_media_type',
    'template_not_approved',
    'template_not_supported',
    'parameter_mismatch',
    'media_mismatch',
    'group_empty',
    'sender_missing',
  )
  async sendToGroup(
    @CurrentCaller() caller: Caller,
    @IdempotencyKey() key: string | undefined,
    @Body() body: GroupSendDto,
    @ClientSignal() signal: AbortSignal,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const parameterDefaults = readDefaults(body.parameterDefaults);
    const outcome = await this.idempotencyKeys.run(
      { caller, endpoint: 'POST /send-template-to-group', key, fingerprint: () => jsonFingerprint(body) },
      (claim) => {
        const send = {
          jobId: claim.resourceId,
          accountId: caller.accountId,
          ...sendOf(body),
          groupId: body.groupId.toLowerCase(),
          parameterDefaults,
          signal,
        };
        return keepIn(claim, CreatedGroupJobDto, (created) => this.groupSends.sendToGroup(send, created));
      },
      (jobId) => this.presentState(caller, jobId, CreatedGroupJobDto),
    );
    return applyAnswer(request, response, outcome);
  }

  private async presentState(caller: Caller, jobId: string, shape: CreatedShape): Promise<KeptAnswer | null> {
    const job = await this.jobs.find(caller.accountId, jobId);
    return job && accepted(shape, { job, warnings: [] });
  }
}
