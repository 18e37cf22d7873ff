import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { JobNotFoundError } from '../../bulk-jobs/domain/bulk-jobs.errors';
import { OverviewTooLongError } from '../domain/overview.errors';
import { OverviewService } from '../domain/overview.service';
import { JOB_ID } from '../../bulk-jobs/adapters/job-id.dto';
import { JobPaceDto, OverviewDto, OverviewQueryDto } from './overview.dto';

/** Figures for dashboards over HTTP. */
@ApiTags('Live')
@Controller()
export class OverviewController {
  constructor(private readonly overviews: OverviewService) {}

  @Get('overview')
  @RequireScope('jobs:read', 'messaging:read')
  @ApiOperation({
    summary: 'Read the overview of the account',
    description:
      'Counts all messages, from jobs and single sends, by hour or day, at the time of each event: a message ' +
      'delivered an hour after it was sent counts as delivered in the later hour. Counts lag by a second or two and ' +
      "are kept as long as the account's history.",
  })
  @ApiOkResponse({ description: 'The counts.', type: OverviewDto })
  @ApiErrors(ValidationFailedError, OverviewTooLongError)
  async getOverview(
    @CurrentCaller() { accountId }: Caller,
    @Query() { from, until, bucket }: OverviewQueryDto,
  ): Promise<OverviewDto> {
    const range = { from: from ? new Date(from) : undefined, until: until ? new Date(until) : undefined };
    return OverviewDto.from(await this.overviews.of(accountId, range, bucket));
  }

  @Get('bulk-jobs/:jobId/pace')
  @ApiParam(JOB_ID)
  @RequireScope('jobs:read')
  @ApiOperation({
    summary: 'Read the pace of a bulk job',
    description:
      'Returns how many messages the job sent and failed in each step, during and after the run. The service samples ' +
      'once a second; long jobs have longer steps. The list is empty once the recipients have expired ' +
      '(`recipientsExpiredAt` of the job).',
  })
  @ApiOkResponse({ description: 'The steps.', type: JobPaceDto })
  @ApiErrors(JobNotFoundError)
  async getBulkJobPace(
    @CurrentCaller() { accountId }: Caller,
    @Param('jobId', new ResourceIdPipe(JobNotFoundError)) jobId: string,
  ): Promise<JobPaceDto> {
    return JobPaceDto.from(await this.overviews.paceOf(accountId, jobId));
  }
}
