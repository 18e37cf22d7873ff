import { Module } from '@nestjs/common';
import { GroupsModule } from '../groups/groups.module';
import { RecipientFilesModule } from '../recipient-files/recipient-files.module';
import { TemplatesModule } from '../templates/templates.module';
import { BulkJobsController } from './adapters/bulk-jobs.controller';
import { BulkSendsController } from './adapters/bulk-sends.controller';
import { JobRetriesController } from './adapters/job-retries.controller';
import { IntakeSweep } from './adapters/intake-sweep';
import { RecipientRetention } from './adapters/recipient-retention';
import { PostgresBulkJobStore } from './adapters/postgres-bulk-job-store';
import { PostgresJobErasureStore } from './adapters/postgres-job-erasure-store';
import { PostgresJobIntakeStore } from './adapters/postgres-job-intake-store';
import { BulkJobStore } from './domain/bulk-job-store.port';
import { BulkJobsService } from './domain/bulk-jobs.service';
import { FileImportsService } from './domain/file-imports.service';
import { GroupSendsService } from './domain/group-sends.service';
import { JobErasure } from './domain/job-erasure.service';
import { JobErasureStore } from './domain/job-erasure-store.port';
import { JobIntakes } from './domain/job-intake';
import { JobIntakeStore } from './domain/job-intake-store.port';
import { JobRetriesService } from './domain/job-retries.service';

/** Sends to the recipients of files and groups: creation, progress and control of jobs. */
@Module({
  imports: [GroupsModule, RecipientFilesModule, TemplatesModule],
  controllers: [BulkSendsController, BulkJobsController, JobRetriesController],
  providers: [
    BulkJobsService,
    FileImportsService,
    GroupSendsService,
    JobRetriesService,
    JobIntakes,
    JobErasure,
    IntakeSweep,
    RecipientRetention,
    { provide: BulkJobStore, useClass: PostgresBulkJobStore },
    { provide: JobErasureStore, useClass: PostgresJobErasureStore },
    { provide: JobIntakeStore, useClass: PostgresJobIntakeStore },
  ],
  exports: [JobErasure],
})
export class BulkJobsModule {}
