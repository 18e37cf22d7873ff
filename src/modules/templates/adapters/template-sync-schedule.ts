import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { DomainError } from '../../../kernel/domain-error';
import type { Sender } from '../../accounts/domain/sender';
import { SenderRounds } from '../../accounts/domain/sender-rounds';
import { SendersService } from '../../accounts/domain/senders.service';
import { TemplateSync } from '../domain/template-sync.service';

const SYNC_EVERY_MS = 15 * 60_000;
/** A start waits this long for the first templates, so that a new service can send as soon as it is ready. */
const FIRST_SYNC_MS = 3_000;

/** Syncs every account's templates at the first start and every 15 minutes; several processes share the work. */
@Injectable()
export class TemplateSyncSchedule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('TemplateSync');
  private readonly rounds: SenderRounds;

  constructor(
    senders: SendersService,
    private readonly templateSync: TemplateSync,
    clock: Clock,
  ) {
    this.rounds = new SenderRounds(senders, clock, {
      everyMs: SYNC_EVERY_MS,
      doneAt: (sender) => sender.templatesSyncedAt,
      visit: (sender) => this.sync(sender),
      failed: (error) => this.logger.warn(`The senders could not be read, next try in a minute: ${error.message}`),
    });
  }

  onApplicationBootstrap(): Promise<void> {
    return this.rounds.start(FIRST_SYNC_MS);
  }

  onApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  private async sync(sender: Sender): Promise<void> {
    try {
      const { added, updated, removed, failed } = await this.templateSync.sync(sender.accountId);
      const [fault] = failed;
      const counts = `${added} added, ${updated} updated, ${removed} removed, ${failed.length} failed`;
      if (fault) this.logger.warn(`Templates of account ${sender.accountId}: ${counts}, first: ${fault.reason}`);
      else this.logger.log(`Templates of account ${sender.accountId}: ${counts}`);
    } catch (error) {
      // Another process syncs this account at the same time: as good as done.
      if (error instanceof DomainError && error.kind === 'conflict') return;
      this.logger.warn(`Templates of account ${sender.accountId} were not synced: ${(error as Error).message}`);
    }
  }
}
