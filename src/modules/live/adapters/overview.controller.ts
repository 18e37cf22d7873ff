import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access.decorators';
import { ApiErrors } from '../../../infra/http/api-errors.decorator';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import { ResourceIdPipe } from '../../../infra/http/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { JobNotFoundError } from '../../bulk-jobs/domain/bulk-jobs.errors';
import { OverviewTooLongError } from '../domain/overview.errors';
import { OverviewService } from '../domain/overview.service';
import { JOB_ID } from '../../bulk-jobs/adapters/job-id.dto';
import { JobPaceDto, OverviewDto, OverviewQueryDto } from './overview.dto';

/** What happened, in figures for dashboards. */
@ApiTags('Live')
@Controller()
export class OverviewController {
  constructor(private readonly overviews: OverviewService) {}

  @Get('overview')
  @RequireScope('jobs:read', 'messaging:read')
  @ApiOperation({
    summary: 'Read the overview of the account',
    description:
      'Counts of all messages, those of jobs and single ones, by hour or day, as they happened: what is delivered an hour after it was sent counts in that later hour. They are a second or two behind, and are kept as long as the history of the account.',
  })
  @ApiOkResponse({ description: 'The figures.', type: OverviewDto })
  @ApiErrors(ValidationFailedError, OverviewTooLongError)
  async getOverview(
    @CurrentCaller() { accountId }: Caller,
    @Query() { from, until, bucket }: OverviewQueryDto,
  ): Promise<OverviewDto> {
    const time = { from: from ? new Date(from) : undefined, until: until ? new Date(until) : undefined };
    return OverviewDto.from(await this.overviews.of(accountId, time, bucket));
  }

  @Get('bulk-jobs/:jobId/pace')
  @ApiParam(JOB_ID)
  @RequireScope('jobs:read')
  @ApiOperation({
    summary: 'Read how fast a bulk job was sent',
    description:
      'What the job sent and failed, step by step, while it runs and afterwards. The service counts once a second; a job that takes long has longer steps.',
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
