import { Body, Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { RequireScope } from '../../../infra/http/access.decorators';
import { ApiFaults } from '../../../infra/http/api-faults.decorator';
import type { ApiRequest } from '../../../infra/http/api-request';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import { ClientSignal } from '../../../infra/http/client-signal.decorator';
import { ApiIdempotencyKey, IdempotencyKey } from '../../../infra/http/idempotency/idempotency-key.decorator';
import { IdempotencyKeys } from '../../../infra/http/idempotency/idempotency-keys';
import { applyAnswer } from '../../../infra/http/idempotency/kept-answer';
import { jsonFingerprint } from '../../../infra/http/idempotency/request-fingerprint';
import { ResourceIdPipe } from '../../../infra/http/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import { BulkJobsService } from '../domain/bulk-jobs.service';
import { JobRetriesService } from '../domain/job-retries.service';
import { accepted, keepIn, LOCATION } from './created-job-answer';
import { CreatedRetryDto, RetryJobDto } from './job-retries.dto';

/** Tries recipients of a finished job again, in a new one. */
@ApiTags('Bulk jobs')
@Controller('bulk-jobs')
export class JobRetriesController {
  constructor(
    private readonly retries: JobRetriesService,
    private readonly jobs: BulkJobsService,
    private readonly idempotencyKeys: IdempotencyKeys,
  ) {}

  @Post(':jobId/retry')
  @HttpCode(202)
  @RequireScope('jobs:manage')
  @ApiIdempotencyKey()
  @ApiParam({
    name: 'jobId',
    description: 'The id of a job of your account.',
    format: 'uuid',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a13',
  })
  @ApiOperation({
    summary: 'Try recipients of a bulk job again',
    description:
      'Makes a new job with the same values for those who failed or whose outcome stayed unknown; the old job never changes. Who has opted out, or could not be sent to from the start, is left out, and so is whom the platform has accepted and not delivered to. The template must still be approved and is sent as it is now. Once the recipients of the old job are not kept any more (`recipientsExpiredAt`), it cannot be tried again. Each call makes a job: send an `Idempotency-Key` where a request may be repeated.',
  })
  @ApiBody({ type: RetryJobDto })
  @ApiAcceptedResponse({
    type: CreatedRetryDto,
    headers: LOCATION,
    description: 'The new job is stored whole, and runs.',
  })
  @ApiFaults(
    'malformed_json',
    'validation_failed',
    'job_not_found',
    'template_not_found',
    'template_language_not_found',
    'invalid_job_state',
    'recipients_expired',
    'body_too_large',
    'unsupported_media_type',
    'nothing_to_retry',
    'template_not_approved',
    'template_not_supported',
    'parameter_mismatch',
    'media_mismatch',
    'sender_missing',
  )
  async retry(
    @CurrentCaller() caller: Caller,
    @Param('jobId', new ResourceIdPipe('job')) jobId: string,
    @IdempotencyKey() key: string | undefined,
    @Body() body: RetryJobDto,
    @ClientSignal() signal: AbortSignal,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const wanted = { scope: body.scope ?? 'failed', errorCodes: body.errorCodes ?? [] };
    const { accountId } = caller;
    const outcome = await this.idempotencyKeys.run(
      { caller, endpoint: `POST /bulk-jobs/${jobId}/retry`, key, fingerprint: () => jsonFingerprint(wanted) },
      (claim) =>
        keepIn(claim, CreatedRetryDto, (created) =>
          this.retries.retry({ jobId: claim.resourceId, accountId, retryOf: jobId, ...wanted, signal }, created),
        ),
      async (newJobId) => {
        const job = await this.jobs.find(accountId, newJobId);
        return job && accepted(CreatedRetryDto, { job, warnings: [] });
      },
    );
    return applyAnswer(request, response, outcome);
  }
}
