import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { DomainError } from '../../../kernel/domain-error';
import { dueTimes, type Sender } from '../../accounts/domain/sender';
import { PerSenderSchedule } from '../../accounts/domain/per-sender-schedule';
import { SendersService } from '../../accounts/domain/senders.service';
import { TemplateSync } from '../domain/template-sync';
import { SyncInProgressError } from '../domain/templates.errors';

const SYNC_INTERVAL_MS = 15 * 60_000;
/** While the platform's reports arrive, which include changes of templates. */
const REPORTED_INTERVAL_MS = 60 * 60_000;
/** How long a start waits for the first sync, so that a new service can send as soon as it is ready. */
const START_WAIT_MS = 3_000;

/**
 * Syncs every account's templates at the first start and every 15 minutes, every hour while the platform reports on the sender, or daily
 * while it is idle; several processes share the work.
 */
@Injectable()
export class TemplateSyncSchedule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('TemplateSync');
  private readonly schedule: PerSenderSchedule;

  constructor(
    private readonly senders: SendersService,
    private readonly templateSync: TemplateSync,
    clock: Clock,
  ) {
    this.schedule = new PerSenderSchedule(senders, clock, {
      name: 'template_sync',
      recordedAs: 'templatesSyncedAt',
      due: () => dueTimes(clock.now(), SYNC_INTERVAL_MS, REPORTED_INTERVAL_MS),
      run: (sender) => this.sync(sender),
      failed: (error) => this.logger.warn(`Templates could not be synced, retrying: ${error.message}`),
    });
  }

  onApplicationBootstrap(): Promise<void> {
    return this.schedule.start(START_WAIT_MS);
  }

  onApplicationShutdown(): Promise<void> {
    return this.schedule.stop();
  }

  private async sync(sender: Sender): Promise<boolean> {
    try {
      const { added, updated, removed, failed } = await this.templateSync.sync(sender.accountId);
      const [error] = failed;
      const counts = `${added} added, ${updated} updated, ${removed} removed, ${failed.length} failed`;
      // A refused token has its own warning.
      if (error && this.senders.problemOf(sender)) return true;
      if (error) this.logger.warn(`Templates of account ${sender.accountId}: ${counts}, first: ${error.reason}`);
      else this.logger.log(`Templates of account ${sender.accountId}: ${counts}`);
      return true;
    } catch (error) {
      if (error instanceof SyncInProgressError) return false;
      if (!(error instanceof DomainError)) throw error;
      // A refused token has its own warning.
      if (!this.senders.problemOf(sender)) {
        this.logger.warn(`Templates of account ${sender.accountId} were not synced: ${error.message}`);
      }
      return true;
    }
  }
}
