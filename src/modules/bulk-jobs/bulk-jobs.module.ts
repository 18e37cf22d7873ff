import { Module } from '@nestjs/common';
import { ChatHistoryModule } from '../chat-history/chat-history.module';
import { GroupsModule } from '../groups/groups.module';
import { RecipientFilesModule } from '../recipient-files/recipient-files.module';
import { TemplatesModule } from '../templates/templates.module';
import { BulkJobsController } from './adapters/bulk-jobs.controller';
import { BulkSendsController } from './adapters/bulk-sends.controller';
import { JobRetriesController } from './adapters/job-retries.controller';
import { IntakeSweep } from './adapters/intake-sweep';
import { RecipientRetention } from './adapters/recipient-retention';
import { JobErasureSubscription } from './adapters/job-erasure-subscription';
import { TypeOrmBulkJobStore } from './adapters/typeorm-bulk-job-store';
import { TypeOrmJobErasureStore } from './adapters/typeorm-job-erasure-store';
import { TypeOrmJobIntakeStore } from './adapters/typeorm-job-intake-store';
import { BulkJobStore } from './domain/bulk-job-store.port';
import { BulkJobsService } from './domain/bulk-jobs.service';
import { FileImportsService } from './domain/file-imports.service';
import { GroupSendsService } from './domain/group-sends.service';
import { JobErasure } from './domain/job-erasure.service';
import { JobErasureStore } from './domain/job-erasure-store.port';
import { JobIntakes } from './domain/job-intake';
import { JobIntakeStore } from './domain/job-intake-store.port';
import { JobRetriesService } from './domain/job-retries.service';
import { JobSources } from './domain/job-source';

/** Sends to the recipients of files and groups: how such jobs come to be, how they stand, and their control. */
@Module({
  imports: [ChatHistoryModule, GroupsModule, RecipientFilesModule, TemplatesModule],
  controllers: [BulkSendsController, BulkJobsController, JobRetriesController],
  providers: [
    BulkJobsService,
    FileImportsService,
    GroupSendsService,
    JobRetriesService,
    JobSources,
    JobIntakes,
    JobErasure,
    JobErasureSubscription,
    IntakeSweep,
    RecipientRetention,
    { provide: BulkJobStore, useClass: TypeOrmBulkJobStore },
    { provide: JobErasureStore, useClass: TypeOrmJobErasureStore },
    { provide: JobIntakeStore, useClass: TypeOrmJobIntakeStore },
  ],
})
export class BulkJobsModule {}
