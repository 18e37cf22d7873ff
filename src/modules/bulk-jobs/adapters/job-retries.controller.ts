import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import type { Answer } from '../../../infra/http/answer';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { ClientSignal } from '../../../infra/http/edge/client-signal.decorator';
import { CurrentClaim, Idempotent } from '../../../infra/http/idempotency/idempotent.decorator';
import { NoQueryDto } from '../../../infra/http/validation/no-query.dto';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { QuotaExceededError, SenderDeletedError } from '../../accounts/domain/accounts.errors';
import { ParameterMismatchError, TEMPLATE_SEND_ERRORS } from '../../templates/domain/templates.errors';
import { BulkJobsService } from '../domain/bulk-jobs.service';
import { JobRetriesService } from '../domain/job-retries.service';
import {
  AlreadyRetriedError,
  InvalidJobStateError,
  JobNotFoundError,
  NothingToRetryError,
  RecipientsExpiredError,
} from '../domain/bulk-jobs.errors';
import { accepted, LOCATION, presentJob } from './created-job-answer';
import { JOB_ID } from './job-id.dto';
import { CreatedRetryDto, RETRY_EXAMPLES, RetryCheckDto, RetryJobDto } from './job-retries.dto';

/** Retries recipients of a finished job in a new job. */
@ApiTags('Bulk jobs')
@Controller('bulk-jobs')
export class JobRetriesController {
  constructor(
    private readonly retries: JobRetriesService,
    readonly jobs: BulkJobsService,
  ) {}

  @Post(':jobId/retry')
  @RequireScope('jobs:manage')
  @Idempotent(RetryJobDto, presentJob(CreatedRetryDto))
  @ApiParam(JOB_ID)
  @ApiOperation({
    summary: 'Retry recipients of a bulk job',
    description:
      'Creates a job with the same values for recipients that failed, were undelivered or have an unknown outcome; opted-out and invalid ' +
      'ones are left out. The job must have ended, or only wait for unknown outcomes. The template must still be approved; its current ' +
      'contents are sent. Each call creates a job: send an `Idempotency-Key` if the request may be repeated.',
  })
  @ApiBody({ type: RetryJobDto, examples: RETRY_EXAMPLES })
  @ApiAcceptedResponse({
    type: CreatedRetryDto,
    headers: LOCATION,
    description: 'The new job is completely stored and started.',
  })
  @ApiOkResponse({ type: RetryCheckDto, description: 'With `"dryRun": true`: the recipients the retry would reach.' })
  @JsonBody()
  @ApiErrors(
    JobNotFoundError,
    InvalidJobStateError,
    RecipientsExpiredError,
    NothingToRetryError,
    AlreadyRetriedError,
    ParameterMismatchError,
    QuotaExceededError,
    SenderDeletedError,
    ...TEMPLATE_SEND_ERRORS,
  )
  async retryBulkJob(
    @CurrentCaller() caller: Caller,
    @CurrentClaim() claim: CreationClaim,
    @Param('jobId', new ResourceIdPipe(JobNotFoundError)) retryOf: string,
    @Body() body: RetryJobDto,
    @ClientSignal() signal: AbortSignal,
    @Query() _noQuery: NoQueryDto,
  ): Promise<Answer> {
    const { scope, errorCodes, skipRetried, name, senderId, dryRun } = body;
    const wanted = { scope: scope ?? 'failed', errorCodes: errorCodes ?? [], skipRetried: skipRetried ?? false };
    const own = { name: name ?? null, senderId: senderId ?? undefined };
    const request = { ...caller, claim, retryOf, ...wanted, ...own, signal };
    if (dryRun) return { statusCode: 200, body: await this.retries.check(request) };
    return accepted(CreatedRetryDto, await this.retries.retry(request));
  }
}
