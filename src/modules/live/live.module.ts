import { Module } from '@nestjs/common';
import { BulkJobsModule } from '../bulk-jobs/bulk-jobs.module';
import { ChatHistoryModule } from '../chat-history/chat-history.module';
import { LiveUpdates } from './adapters/live-updates';
import { LiveController } from './adapters/live.controller';
import { OverviewController } from './adapters/overview.controller';
import { OverviewService } from './domain/overview.service';

/** Event streams, the pace of jobs and the overview of an account. */
@Module({
  imports: [BulkJobsModule, ChatHistoryModule],
  controllers: [LiveController, OverviewController],
  providers: [LiveUpdates, OverviewService],
})
export class LiveModule {}
