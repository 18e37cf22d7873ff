import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { ApiPageOrSliceOf } from '../../../infra/http/lists/api-lists.decorators';
import type { PageAnswer } from '../../../infra/http/lists/page.dto';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import type { Slice } from '../../../kernel/page';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { ACCOUNT_ID } from '../../accounts/adapters/account-id.dto';
import { AccountNotFoundError } from '../../accounts/domain/accounts.errors';
import { AccountsService } from '../../accounts/domain/accounts.service';
import { JobNotFoundError } from '../domain/bulk-jobs.errors';
import { BulkJobsService } from '../domain/bulk-jobs.service';
import { BulkJobDetailDto } from './bulk-job-detail.dto';
import { BulkJobDto } from './bulk-jobs.dto';
import { BulkJobsQueryDto } from './bulk-jobs.query.dto';
import { JOB_ID } from './job-id.dto';
import { listedJobs } from './listed-jobs';

const AccountId = () => Param('accountId', new ResourceIdPipe(AccountNotFoundError));

/** The jobs of any account, for the operator of the service: progress and waits, without recipients. */
@ApiTags('Accounts')
@Controller('accounts/:accountId/bulk-jobs')
export class AccountJobsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly jobs: BulkJobsService,
  ) {}

  @Get()
  @ApiParam(ACCOUNT_ID)
  @RequireScope('accounts:manage')
  @ApiOperation({
    summary: 'List the bulk jobs of an account',
    description: 'Same as `GET /bulk-jobs`, for any account, newest first. Recipients are not exposed.',
  })
  @ApiPageOrSliceOf(BulkJobDto)
  @ApiErrors(ValidationFailedError, AccountNotFoundError)
  async listAccountBulkJobs(
    @AccountId() accountId: string,
    @Query() query: BulkJobsQueryDto,
  ): Promise<PageAnswer<BulkJobDto> | Slice<BulkJobDto>> {
    const { id } = await this.accounts.get(accountId);
    return listedJobs(this.jobs, id, query);
  }

  @Get(':jobId')
  @ApiParam(ACCOUNT_ID)
  @ApiParam({ ...JOB_ID, description: 'Id of a job of that account.' })
  @RequireScope('accounts:manage')
  @ApiOperation({
    summary: 'Read a bulk job of an account',
    description: 'Same as `GET /bulk-jobs/{jobId}`, for any account, including why the job waits or is paused.',
  })
  @ApiOkResponse({ description: 'The job.', type: BulkJobDetailDto })
  @ApiErrors(AccountNotFoundError, JobNotFoundError)
  async getAccountBulkJob(
    @AccountId() accountId: string,
    @Param('jobId', new ResourceIdPipe(JobNotFoundError)) jobId: string,
  ): Promise<BulkJobDetailDto> {
    const { id } = await this.accounts.get(accountId);
    return BulkJobDetailDto.from(await this.jobs.detail(id, jobId));
  }
}
