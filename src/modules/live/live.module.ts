import { Module } from '@nestjs/common';
import { BulkJobsModule } from '../bulk-jobs/bulk-jobs.module';
import { ChatHistoryModule } from '../chat-history/chat-history.module';
import { LiveUpdates } from './adapters/live-updates';
import { LiveController } from './adapters/live.controller';

/** What happens now: streams of events for those who watch jobs and conversations. */
@Module({
  imports: [BulkJobsModule, ChatHistoryModule],
  controllers: [LiveController],
  providers: [LiveUpdates],
})
export class LiveModule {}
