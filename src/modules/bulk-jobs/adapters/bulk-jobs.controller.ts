import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { ApiPageOrSliceOf, ApiSliceOf } from '../../../infra/http/lists/api-lists.decorators';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import type { PageAnswer } from '../../../infra/http/lists/page.dto';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import type { Slice } from '../../../kernel/page';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { SenderDeletedError } from '../../accounts/domain/accounts.errors';
import { PhoneFilters } from '../../groups/domain/phone-filters';
import { TemplateNotApprovedError, TemplateOfOtherSenderError } from '../../templates/domain/templates.errors';
import { BulkJobsService } from '../domain/bulk-jobs.service';
import { OptedOutRecipients } from '../domain/opted-out-recipients';
import { InvalidJobStateError, JobNotFoundError } from '../domain/bulk-jobs.errors';
import { JOB_ID } from './job-id.dto';
import { listedJobs } from './listed-jobs';
import { ChangeJobDto, jobChangeOf } from './job-timing.dto';
import { BulkJobDetailDto } from './bulk-job-detail.dto';
import { BulkJobDto, BulkJobStatusDto } from './bulk-jobs.dto';
import { JobRecipientDto } from './job-recipients.dto';
import { BulkJobsQueryDto, RecipientsQueryDto } from './bulk-jobs.query.dto';

const JobId = () => Param('jobId', new ResourceIdPipe(JobNotFoundError));

/** Bulk jobs over HTTP: progress, recipients and control. */
@ApiTags('Bulk jobs')
@Controller('bulk-jobs')
export class BulkJobsController {
  constructor(
    private readonly jobs: BulkJobsService,
    private readonly phones: PhoneFilters,
    private readonly optedOut: OptedOutRecipients,
  ) {}

  @Get()
  @RequireScope('jobs:read')
  @ApiOperation({
    summary: 'List bulk jobs',
    description: 'Lists the jobs of the account, newest first. `totalCount` is exact up to 10,000.',
  })
  @ApiPageOrSliceOf(BulkJobDto)
  @ApiErrors(ValidationFailedError)
  async listBulkJobs(
    @CurrentCaller() caller: Caller,
    @Query() query: BulkJobsQueryDto,
  ): Promise<PageAnswer<BulkJobDto> | Slice<BulkJobDto>> {
    return listedJobs(this.jobs, caller.accountId, query);
  }

  @Get(':jobId')
  @ApiParam(JOB_ID)
  @RequireScope('jobs:read')
  @ApiOperation({ summary: 'Read a bulk job', description: 'Returns one job in full.' })
  @ApiQuery({
    name: 'counts',
    required: false,
    description: '`true`: also `optedOut`.',
    schema: { type: 'string', enum: ['true', 'false'], examples: ['true'] },
  })
  @ApiOkResponse({ description: 'The job.', type: BulkJobDetailDto })
  @ApiErrors(JobNotFoundError)
  async getBulkJob(
    @CurrentCaller() caller: Caller,
    @JobId() jobId: string,
    @Query('counts') counts?: string,
  ): Promise<BulkJobDetailDto> {
    const detail = await this.jobs.detail(caller.accountId, jobId);
    const optedOut = counts === 'true' ? await this.optedOut.countOf(detail.job) : null;
    return { ...BulkJobDetailDto.from(detail), ...(optedOut !== null && { optedOut }) };
  }

  @Get(':jobId/status')
  @ApiParam(JOB_ID)
  @RequireScope('jobs:read')
  @ApiOperation({
    summary: 'Read the progress of a bulk job',
    description: 'Returns state, counts and progress of one job.',
  })
  @ApiOkResponse({ description: 'The progress of the job.', type: BulkJobStatusDto })
  @ApiErrors(JobNotFoundError)
  async getBulkJobStatus(@CurrentCaller() caller: Caller, @JobId() jobId: string): Promise<BulkJobStatusDto> {
    return BulkJobStatusDto.of(await this.jobs.progress(caller.accountId, jobId));
  }

  @Get(':jobId/recipients')
  @ApiParam(JOB_ID)
  @RequireScope('jobs:read')
  @ApiOperation({
    summary: 'List the recipients of a bulk job',
    description:
      'Lists recipients in the order of the file or group, optionally by status or error code. A page of a rare ' +
      'status may have fewer items than `limit`; only a `nextCursor` of null marks the end. The list is empty once ' +
      'the recipients have expired (`recipientsExpiredAt` of the job).',
  })
  @ApiSliceOf(JobRecipientDto)
  @ApiErrors(ValidationFailedError, JobNotFoundError)
  async listBulkJobRecipients(
    @CurrentCaller() caller: Caller,
    @JobId() jobId: string,
    @Query() { cursor, limit, status, errorCode, phone, userId }: RecipientsQueryDto,
  ): Promise<Slice<JobRecipientDto>> {
    const slice = { afterPosition: Number(cursor ?? 0), limit };
    const filter = {
      ...{ status, errorCode, userId },
      phone: await this.phones.read(caller.accountId, 'phone', phone),
    };
    const { items, nextCursor } = await this.jobs.recipients(caller.accountId, jobId, filter, slice);
    return { items: items.map((recipient) => JobRecipientDto.from(recipient)), nextCursor };
  }

  @Patch(':jobId')
  @ApiParam(JOB_ID)
  @RequireScope('jobs:manage')
  @ApiOperation({
    summary: 'Change a bulk job',
    description:
      'Changes the name of a job in any state, and the schedule and send window of a `Scheduled` or `Paused` job; pause a running job first. Absent ' +
      'fields keep their values; null removes them. For a job that has not sent yet, `validForSeconds` starts over. ' +
      'The change takes effect within a second.',
  })
  @ApiBody({
    type: ChangeJobDto,
    examples: {
      later: { summary: 'At another time', value: { scheduledAt: '2026-03-02T08:00:00Z' } },
      window: {
        summary: 'In working hours',
        value: { sendWindow: { from: '09:00', until: '17:00', timeZone: 'Europe/Berlin', days: [1, 2, 3, 4, 5] } },
      },
      name: { summary: 'Another name', value: { name: 'Spring sale, Berlin' } },
      atOnce: { summary: 'Immediately, at any hour', value: { scheduledAt: null, sendWindow: null } },
    },
  })
  @ApiOkResponse({ description: 'The updated job.', type: BulkJobDetailDto })
  @JsonBody()
  @ApiErrors(JobNotFoundError, InvalidJobStateError)
  async changeBulkJob(
    @CurrentCaller() caller: Caller,
    @JobId() jobId: string,
    @Body() body: ChangeJobDto,
  ): Promise<BulkJobDetailDto> {
    return BulkJobDetailDto.from(await this.jobs.edit(caller, jobId, jobChangeOf(body)));
  }

  @Post(':jobId/pause')
  @ApiParam(JOB_ID)
  @HttpCode(200)
  @RequireScope('jobs:manage')
  @ApiOperation({
    summary: 'Pause a bulk job',
    description: 'Sends nothing until the job is resumed, even if it is scheduled.',
  })
  @ApiOkResponse({ description: 'The updated job.', type: BulkJobDetailDto })
  @ApiErrors(JobNotFoundError, InvalidJobStateError)
  async pauseBulkJob(@CurrentCaller() caller: Caller, @JobId() jobId: string): Promise<BulkJobDetailDto> {
    return BulkJobDetailDto.from(await this.jobs.pause(caller, jobId));
  }

  @Post(':jobId/resume')
  @ApiParam(JOB_ID)
  @HttpCode(200)
  @RequireScope('jobs:manage')
  @ApiOperation({
    summary: 'Resume a bulk job',
    description:
      'Continues a job paused by a client or by the service, and starts one on hold; before its `scheduledAt` it ' +
      'becomes `Scheduled`. Refused while the template cannot be sent. A job that the service paused for that reason ' +
      'resumes automatically once the template is `Approved` again.',
  })
  @ApiOkResponse({ description: 'The updated job.', type: BulkJobDetailDto })
  @ApiErrors(
    JobNotFoundError,
    InvalidJobStateError,
    SenderDeletedError,
    TemplateNotApprovedError,
    TemplateOfOtherSenderError,
  )
  async resumeBulkJob(@CurrentCaller() caller: Caller, @JobId() jobId: string): Promise<BulkJobDetailDto> {
    return BulkJobDetailDto.from(await this.jobs.resume(caller, jobId));
  }

  @Post(':jobId/cancel')
  @ApiParam(JOB_ID)
  @HttpCode(200)
  @RequireScope('jobs:manage')
  @ApiOperation({
    summary: 'Cancel a bulk job',
    description: 'Stops sending. Messages in flight still get their outcome.',
  })
  @ApiOkResponse({ description: 'The updated job.', type: BulkJobDetailDto })
  @ApiErrors(JobNotFoundError, InvalidJobStateError)
  async cancelBulkJob(@CurrentCaller() caller: Caller, @JobId() jobId: string): Promise<BulkJobDetailDto> {
    return BulkJobDetailDto.from(await this.jobs.cancel(caller, jobId));
  }
}
