import { type DynamicModule, Module } from '@nestjs/common';
import type { Settings } from '../../../config/settings';
import { RetentionSchedule } from './adapters/retention-schedule';
import { ChatHistoryModule } from './chat-history.module';

/** Clears the history away whose time is over, in the processes that work in the background. */
@Module({})
export class RetentionModule {
  /** Registered once, by the root. */
  static register({ role }: Pick<Settings, 'role'>): DynamicModule {
    return {
      module: RetentionModule,
      imports: [ChatHistoryModule],
      providers: role === 'api' ? [] : [RetentionSchedule],
    };
  }
}
