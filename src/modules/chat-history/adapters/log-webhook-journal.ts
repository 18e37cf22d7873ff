import { Injectable, Logger } from '@nestjs/common';
import type { StatusUpdate } from '../domain/status-update';
import { WebhookJournal } from '../domain/webhook-journal';

const QUIET_MS = 10_000;

/** Writes what the webhook tells to the log; what anybody can cause from outside at most every 10 s. */
@Injectable()
export class LogWebhookJournal extends WebhookJournal {
  private readonly logger = new Logger('PlatformWebhook');
  private readonly saidAt = new Map<string, number>();

  refused(): void {
    this.warnSometimes('refused', 'A webhook whose signature is missing or wrong was refused');
  }

  applied(updates: readonly StatusUpdate[], unmatched: number): void {
    this.logger.debug(`${updates.length} statuses applied, ${unmatched} of them of messages that are not ours`);
  }

  received(recorded: number, repeated: number): void {
    this.logger.debug(`${recorded} messages of people recorded, ${repeated} were there already`);
  }

  heeded(count: number): void {
    this.logger.debug(`${count} notices of the platform applied`);
  }

  alerted(kind: string, businessAccountId: string, said: string): void {
    this.logger.warn(
      `The platform says of business account ${businessAccountId}: ${kind} ${said}. See platform_events`,
    );
  }

  ignored(kind: string, count: number): void {
    this.logger.debug(`${count} of kind ${kind} ignored`);
  }

  dropped(businessAccountId: string, count: number): void {
    this.warnSometimes(
      'dropped',
      `${count} updates of business account ${businessAccountId} were dropped: the secret of another account signed them`,
    );
  }

  parked(reason: string, error: unknown): void {
    this.logger.error(`A report of the platform was put aside in parked_updates. ${reason}`, error);
  }

  subscribed(businessAccountId: string): void {
    this.logger.log(`The platform reports on business account ${businessAccountId} to this service`);
  }

  notSubscribed(businessAccountId: string, reason: string): void {
    this.logger.warn(
      `The platform does not report on business account ${businessAccountId}, asked again soon: ${reason}`,
    );
  }

  private warnSometimes(topic: string, text: string): void {
    const now = Date.now();
    if (now - (this.saidAt.get(topic) ?? -QUIET_MS) < QUIET_MS) return;
    this.saidAt.set(topic, now);
    this.logger.warn(text);
  }
}
