import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { PlatformNumber } from '../domain/platform-number.port';
import type { Sender } from '../domain/sender';
import { PerSenderSchedule } from '../domain/per-sender-schedule';
import { SendersService } from '../domain/senders.service';

const REFRESH_EVERY_MS = 15 * 60_000;
/** A start waits this long for the first answers, so that the service does not send faster than its limits at first. */
const FIRST_REFRESH_MS = 1_000;

/**
 * Reads the senders' message rates, messaging tiers and quality from the platform: at the start, every 15 minutes, and when the
 * platform reports a change.
 */
@Injectable()
export class SenderLimitsSchedule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('SenderLimits');
  private readonly schedule: PerSenderSchedule;

  constructor(
    private readonly senders: SendersService,
    private readonly number: PlatformNumber,
    clock: Clock,
  ) {
    this.schedule = new PerSenderSchedule(senders, clock, {
      everyMs: REFRESH_EVERY_MS,
      doneAt: () => null,
      run: (sender) => this.refresh(sender),
      failed: (error) => this.logger.warn(`The senders could not be read, retrying: ${error.message}`),
    });
    senders.onLimitsChanged((senderIds) => this.schedule.runSoon(senderIds));
  }

  onApplicationBootstrap(): Promise<void> {
    return this.schedule.start(FIRST_REFRESH_MS);
  }

  onApplicationShutdown(): Promise<void> {
    return this.schedule.stop();
  }

  private async refresh(sender: Sender): Promise<void> {
    try {
      const state = await this.number.stateOf(sender);
      this.senders.noteQuality(sender.id, state.qualityRating);
      if (!(await this.senders.recordLimits(sender.id, state))) return;
      const now = await this.senders.byId(sender.id);
      const limits = `${now?.messagesPerSecond} messages a second, messaging tier ${now?.messagingTier}`;
      this.logger.log(`The platform reports new limits of sender ${sender.id}: ${limits}`);
    } catch (error) {
      this.logger.warn(`The limits of sender ${sender.id} were not refreshed: ${(error as Error).message}`);
    }
  }
}
