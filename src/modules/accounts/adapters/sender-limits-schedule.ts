import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { type Health, HealthChecks } from '../../../infra/health/health-checks';
import { Clock } from '../../../kernel/clock';
import { NumberRefusedError, NumberUnavailableError } from '../domain/platform-number.port';
import { dueTimes, type Sender } from '../domain/sender';
import { PerSenderSchedule } from '../domain/per-sender-schedule';
import { SenderLimitsService } from '../domain/sender-limits.service';
import { SendersService } from '../domain/senders.service';

const MINUTE_MS = 60_000;
const REFRESH_INTERVAL_MS = 15 * MINUTE_MS;
/** While the platform's reports arrive, which include changes of limits and quality. */
const REPORTED_INTERVAL_MS = 60 * MINUTE_MS;
/** Longer than most readings; another process may repeat one that takes longer. */
const LEASE_MS = 15_000;
const CONSEQUENCE = 'No message is sent, no template synced and no webhook subscribed for phone number id';
/** Maximum number of senders named in a reason. */
const MAX_NAMED = 3;
/** How long a start waits for the first reads, so that the service does not exceed its limits at first. */
const START_WAIT_MS = 1_000;

/**
 * Reads message rate, messaging tier, quality and display number of each sender from the platform, one process for all: every 15 minutes,
 * every hour while the platform reports on the sender, or daily while it is idle; and when the platform reports a change. Readiness is degraded while the platform refuses the access token of a sender.
 */
@Injectable()
export class SenderLimitsSchedule implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('SenderLimits');
  private readonly schedule: PerSenderSchedule;

  constructor(
    private readonly senders: SendersService,
    private readonly limits: SenderLimitsService,
    private readonly checks: HealthChecks,
    clock: Clock,
  ) {
    this.schedule = new PerSenderSchedule(senders, clock, {
      name: 'sender_limits',
      recordedAs: 'limitsReadAt',
      due: () => dueTimes(clock.now(), REFRESH_INTERVAL_MS, REPORTED_INTERVAL_MS),
      run: (sender) => this.refresh(sender),
      failed: (error) => this.logger.warn(`The limits of senders could not be refreshed, retrying: ${error.message}`),
    });
    senders.onLimitsChanged((senderIds) => this.schedule.runSoon(senderIds));
  }

  onModuleInit(): void {
    this.checks.register({ name: 'access_tokens', required: false, check: () => this.check() });
  }

  onApplicationBootstrap(): Promise<void> {
    return this.schedule.start(START_WAIT_MS);
  }

  onApplicationShutdown(): Promise<void> {
    return this.schedule.stop();
  }

  private async refresh(sender: Sender): Promise<boolean> {
    if (!(await this.senders.leaseReading(sender, LEASE_MS))) return false;
    // One warning per token: other failures caused by it are not logged.
    const wasRefused = this.senders.problemOf(sender) !== null;
    try {
      if (!(await this.limits.read(sender))) return true;
      const now = await this.senders.byId(sender.id);
      const limits = `${now?.messagesPerSecond} messages per second, messaging tier ${now?.messagingTier}`;
      this.logger.log(`The platform reports new limits of sender ${sender.id}: ${limits}`);
      return true;
    } catch (error) {
      if (!(error instanceof NumberUnavailableError)) throw error;
      const problem = error instanceof NumberRefusedError ? error.problem : null;
      if (problem && wasRefused) return true;
      if (problem) this.logger.warn(`${CONSEQUENCE} ${sender.phoneNumberId}: ${problem.message}`);
      else this.logger.warn(`The limits of sender ${sender.id} were not refreshed: ${error.message}`);
      return true;
    }
  }

  private async check(): Promise<Health> {
    const refused = (await this.senders.withProblem()).map((sender) => sender.phoneNumberId);
    if (refused.length === 0) return { ok: true };
    const others = refused.length > MAX_NAMED ? ` and ${refused.length - MAX_NAMED} others` : '';
    return {
      ok: false,
      reason:
        `the platform refuses the access token, by phone number id: ${refused.slice(0, MAX_NAMED).join(', ')}${others}. ` +
        "Store a new token with PATCH /accounts/{accountId}/senders/{senderId}, or, for the environment's token, set " +
        'PLATFORM_ACCESS_TOKEN and restart',
    };
  }
}
