import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { PlatformNumber } from '../domain/platform-number.port';
import type { Sender } from '../domain/sender';
import { SenderRounds } from '../domain/sender-rounds';
import { SendersService } from '../domain/senders.service';

const REFRESH_EVERY_MS = 15 * 60_000;
/** A start waits this long for the first answers, so that a new service does not begin beyond its limits. */
const FIRST_REFRESH_MS = 1_000;

/**
 * Asks the platform at every start, every 15 minutes and when it says that they changed what pace and messaging tier the
 * senders have.
 */
@Injectable()
export class SenderLimitsSchedule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('SenderLimits');
  private readonly rounds: SenderRounds;

  constructor(
    private readonly senders: SendersService,
    private readonly number: PlatformNumber,
    clock: Clock,
  ) {
    this.rounds = new SenderRounds(senders, clock, {
      everyMs: REFRESH_EVERY_MS,
      doneAt: () => null,
      visit: (sender) => this.refresh(sender),
      failed: (error) => this.logger.warn(`The senders could not be read, next try in a minute: ${error.message}`),
    });
    senders.onLimitsChanged((senderIds) => this.rounds.visitSoon(senderIds));
  }

  onApplicationBootstrap(): Promise<void> {
    return this.rounds.start(FIRST_REFRESH_MS);
  }

  onApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  private async refresh(sender: Sender): Promise<void> {
    try {
      if (!(await this.senders.noteLimits(sender.id, await this.number.limitsOf(sender)))) return;
      const now = await this.senders.byId(sender.id);
      const limits = `${now?.messagesPerSecond} messages a second, messaging tier ${now?.messagingTier}`;
      this.logger.log(`The platform says something new of sender ${sender.id}, which now has: ${limits}`);
    } catch (error) {
      this.logger.warn(`The limits of sender ${sender.id} were not refreshed: ${(error as Error).message}`);
    }
  }
}
