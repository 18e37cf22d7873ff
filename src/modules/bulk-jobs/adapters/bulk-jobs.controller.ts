import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access.decorators';
import { ApiFaults } from '../../../infra/http/api-faults.decorator';
import { ApiPageOf, ApiSliceOf } from '../../../infra/http/api-lists.decorators';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import { type PageAnswer, pageAnswer } from '../../../infra/http/page.dto';
import { ResourceIdPipe } from '../../../infra/http/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import type { Slice } from '../../../kernel/page';
import { BulkJobsService } from '../domain/bulk-jobs.service';
import {
  BulkJobDetailDto,
  BulkJobDto,
  BulkJobsQueryDto,
  BulkJobStatusDto,
  JobRecipientDto,
  RecipientsQueryDto,
} from './bulk-jobs.dto';

const JobId = () => Param('jobId', new ResourceIdPipe('job'));

const JOB_ID = {
  name: 'jobId',
  description: 'The id of a job of your account.',
  format: 'uuid',
  example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
};

/** Bulk jobs over HTTP: how they stand, whom they reach, and their control. */
@ApiTags('Bulk jobs')
@Controller('bulk-jobs')
export class BulkJobsController {
  constructor(private readonly jobs: BulkJobsService) {}

  @Get()
  @RequireScope('jobs:read')
  @ApiOperation({ summary: 'List bulk jobs', description: 'The job history of the account, newest first.' })
  @ApiPageOf(BulkJobDto)
  @ApiFaults('validation_failed')
  async list(@CurrentCaller() caller: Caller, @Query() query: BulkJobsQueryDto): Promise<PageAnswer<BulkJobDto>> {
    const page = await this.jobs.list(caller.accountId, BulkJobsQueryDto.filterOf(query), query);
    return pageAnswer({ ...page, items: page.items.map((job) => BulkJobDto.of(job)) });
  }

  @Get(':jobId')
  @ApiParam(JOB_ID)
  @RequireScope('jobs:read')
  @ApiOperation({ summary: 'Read a bulk job', description: 'Everything about one job.' })
  @ApiOkResponse({ description: 'The job.', type: BulkJobDetailDto })
  @ApiFaults('job_not_found')
  async detail(@CurrentCaller() caller: Caller, @JobId() jobId: string): Promise<BulkJobDetailDto> {
    return BulkJobDetailDto.from(await this.jobs.detail(caller.accountId, jobId));
  }

  @Get(':jobId/status')
  @ApiParam(JOB_ID)
  @RequireScope('jobs:read')
  @ApiOperation({ summary: 'Read the progress of a bulk job', description: 'State, counts and progress of one job.' })
  @ApiOkResponse({ description: 'How far the job is.', type: BulkJobStatusDto })
  @ApiFaults('job_not_found')
  async status(@CurrentCaller() caller: Caller, @JobId() jobId: string): Promise<BulkJobStatusDto> {
    return BulkJobStatusDto.of(await this.jobs.get(caller.accountId, jobId));
  }

  @Get(':jobId/recipients')
  @ApiParam(JOB_ID)
  @RequireScope('jobs:read')
  @ApiOperation({
    summary: 'List the recipients of a bulk job',
    description:
      'In the order of the file or group, by status or error code. A page of a rare status may hold fewer items than asked for: only a `nextCursor` of null means the end. There are none once they are not kept any more, see `recipientsExpiredAt` of the job.',
  })
  @ApiSliceOf(JobRecipientDto)
  @ApiFaults('validation_failed', 'job_not_found')
  async recipients(
    @CurrentCaller() caller: Caller,
    @JobId() jobId: string,
    @Query() { cursor, limit, status, errorCode }: RecipientsQueryDto,
  ): Promise<Slice<JobRecipientDto>> {
    const slice = { afterPosition: Number(cursor ?? 0), limit };
    const { items, nextCursor } = await this.jobs.recipients(caller.accountId, jobId, { status, errorCode }, slice);
    return { items: items.map((recipient) => JobRecipientDto.from(recipient)), nextCursor };
  }

  @Post(':jobId/pause')
  @ApiParam(JOB_ID)
  @HttpCode(200)
  @RequireScope('jobs:manage')
  @ApiOperation({ summary: 'Pause a bulk job', description: 'Nothing more leaves until it is resumed.' })
  @ApiOkResponse({ description: 'The job as it is now.', type: BulkJobDetailDto })
  @ApiFaults('job_not_found', 'invalid_job_state')
  async pause(@CurrentCaller() caller: Caller, @JobId() jobId: string): Promise<BulkJobDetailDto> {
    return BulkJobDetailDto.from(await this.jobs.pause(caller.accountId, jobId));
  }

  @Post(':jobId/resume')
  @ApiParam(JOB_ID)
  @HttpCode(200)
  @RequireScope('jobs:manage')
  @ApiOperation({
    summary: 'Resume a bulk job',
    description:
      'Goes on where it was paused, by whomever. A job whose template cannot be sent now is refused: it goes on by itself once the template is `Approved` again, if the service paused it for that.',
  })
  @ApiOkResponse({ description: 'The job as it is now.', type: BulkJobDetailDto })
  @ApiFaults('job_not_found', 'invalid_job_state', 'template_not_approved')
  async resume(@CurrentCaller() caller: Caller, @JobId() jobId: string): Promise<BulkJobDetailDto> {
    return BulkJobDetailDto.from(await this.jobs.resume(caller.accountId, jobId));
  }

  @Post(':jobId/cancel')
  @ApiParam(JOB_ID)
  @HttpCode(200)
  @RequireScope('jobs:manage')
  @ApiOperation({
    summary: 'Cancel a bulk job',
    description: 'What has not left never will. Messages that are on their way still get their outcome.',
  })
  @ApiOkResponse({ description: 'The job as it is now.', type: BulkJobDetailDto })
  @ApiFaults('job_not_found', 'invalid_job_state')
  async cancel(@CurrentCaller() caller: Caller, @JobId() jobId: string): Promise<BulkJobDetailDto> {
    return BulkJobDetailDto.from(await this.jobs.cancel(caller.accountId, jobId));
  }
}
