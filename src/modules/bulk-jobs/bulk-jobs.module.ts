import { Module } from '@nestjs/common';
import { GroupsModule } from '../groups/groups.module';
import { RecipientFilesModule } from '../recipient-files/recipient-files.module';
import { TemplatesModule } from '../templates/templates.module';
import { AccountJobsController } from './adapters/account-jobs.controller';
import { BulkJobsController } from './adapters/bulk-jobs.controller';
import { BulkSendsController } from './adapters/bulk-sends.controller';
import { AccountJobs } from './adapters/account-jobs';
import { JobReportsController } from './adapters/job-reports.controller';
import { JobRetriesController } from './adapters/job-retries.controller';
import { IntakeSweep } from './adapters/intake-sweep';
import { RecipientKeyBackfill } from './adapters/recipient-key-backfill';
import { RecipientRetention } from './adapters/recipient-retention';
import { PostgresBulkJobStore } from './adapters/postgres-bulk-job-store';
import { PostgresJobErasureStore } from './adapters/postgres-job-erasure-store';
import { PostgresJobFailureStore } from './adapters/postgres-job-failure-store';
import { PostgresJobIntakeStore } from './adapters/postgres-job-intake-store';
import { PostgresTimeZones } from './adapters/postgres-time-zones';
import { BulkJobStore } from './domain/bulk-job-store.port';
import { BulkJobsService } from './domain/bulk-jobs.service';
import { FileImportsService } from './domain/file-imports.service';
import { ListSendsService } from './domain/list-sends.service';
import { GroupSendsService } from './domain/group-sends.service';
import { ReachedPeople } from './domain/reached-people';
import { OptedOutRecipients } from './domain/opted-out-recipients';
import { JobErasure } from './domain/job-erasure';
import { LeftOutPeople } from './domain/left-out-people';
import { JobErasureStore } from './domain/job-erasure-store.port';
import { JobFailureStore } from './domain/job-failures';
import { JobIntakes } from './domain/job-intakes';
import { JobIntakeStore } from './domain/job-intake-store.port';
import { RecipientChecks } from './domain/recipient-checks';
import { SendForecasts } from './domain/send-forecasts';
import { JobReportsService } from './domain/job-reports.service';
import { JobRetriesService } from './domain/job-retries.service';
import { TimeZones } from './domain/time-zones.port';

/** Sends to the recipients of files and groups: creation, progress and control of jobs. */
@Module({
  imports: [GroupsModule, RecipientFilesModule, TemplatesModule],
  controllers: [
    BulkSendsController,
    BulkJobsController,
    AccountJobsController,
    JobReportsController,
    JobRetriesController,
  ],
  providers: [
    BulkJobsService,
    FileImportsService,
    GroupSendsService,
    ReachedPeople,
    LeftOutPeople,
    OptedOutRecipients,
    ListSendsService,
    JobReportsService,
    JobRetriesService,
    JobIntakes,
    RecipientChecks,
    SendForecasts,
    AccountJobs,
    JobErasure,
    IntakeSweep,
    RecipientRetention,
    RecipientKeyBackfill,
    { provide: BulkJobStore, useClass: PostgresBulkJobStore },
    { provide: JobErasureStore, useClass: PostgresJobErasureStore },
    { provide: JobFailureStore, useClass: PostgresJobFailureStore },
    { provide: JobIntakeStore, useClass: PostgresJobIntakeStore },
    { provide: TimeZones, useClass: PostgresTimeZones },
  ],
  exports: [BulkJobsService, JobErasure],
})
export class BulkJobsModule {}
