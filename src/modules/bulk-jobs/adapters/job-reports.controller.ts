import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { ClientSignal } from '../../../infra/http/edge/client-signal.decorator';
import { ExportsBusyError, FileExports } from '../../../infra/http/edge/file-exports';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import { sendFile } from '../../../infra/http/edge/streamed-file';
import type { Caller } from '../../../kernel/caller';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { JobNotFoundError, RecipientsExpiredError } from '../domain/bulk-jobs.errors';
import { JobReportsService } from '../domain/job-reports.service';
import { JOB_ID } from './job-id.dto';
import { reportFile } from './job-report-file';
import { JobFailuresDto, JobReportQueryDto, REPORT_ANSWER } from './job-reports.dto';

const JobId = () => Param('jobId', new ResourceIdPipe(JobNotFoundError));

/** The outcomes of a job's recipients. */
@ApiTags('Bulk jobs')
@Controller('bulk-jobs/:jobId')
export class JobReportsController {
  constructor(
    private readonly reports: JobReportsService,
    private readonly exports: FileExports,
  ) {}

  @Get('failures')
  @ApiParam(JOB_ID)
  @RequireScope('jobs:read')
  @ApiOperation({
    summary: 'List failure reasons of a bulk job',
    description:
      'Counts failed and undelivered recipients by reason. The counts add up to `failed` and `undelivered` of the ' +
      'job, which change while it runs. The list is empty once the recipients have expired (`recipientsExpiredAt` of ' +
      'the job).',
  })
  @ApiOkResponse({ description: 'The reasons.', type: JobFailuresDto })
  @ApiErrors(JobNotFoundError)
  async listBulkJobFailures(@CurrentCaller() { accountId }: Caller, @JobId() jobId: string): Promise<JobFailuresDto> {
    return JobFailuresDto.from(await this.reports.failures(accountId, jobId));
  }

  @Get('report')
  @ApiParam(JOB_ID)
  @RequireScope('jobs:read')
  @ApiOperation({
    summary: 'Download the report of a bulk job',
    description:
      'Streams one row per recipient, in the order of the file or group. While the job runs, each row shows its state ' +
      'at the time it is read. Rows of erased people are blank. One process streams two reports and exports per account ' +
      'at a time; further ones wait, and are refused after 30 s. If the connection breaks, the file is incomplete.',
  })
  @ApiOkResponse(REPORT_ANSWER)
  @ApiErrors(ValidationFailedError, JobNotFoundError, RecipientsExpiredError, ExportsBusyError)
  async downloadBulkJobReport(
    @CurrentCaller() { accountId }: Caller,
    @JobId() jobId: string,
    @Query() { status, errorCode, ...form }: JobReportQueryDto,
    @Res() response: Response,
    @ClientSignal() signal: AbortSignal,
  ): Promise<void> {
    const report = await this.reports.report(accountId, jobId, { status, errorCode });
    const parts = await this.exports.start(accountId, report.recipients, signal);
    await sendFile(response, reportFile(jobId, form, report, parts));
  }
}
