import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type Health, HealthChecks } from '../../../infra/health/health-checks';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { APP_FIELDS, AppSubscription, type PresentAppSubscription } from '../domain/app-subscription.port';
import { RecordedSubscriptions } from '../domain/recorded-subscriptions.port';
import { subscriptionDecision } from '../domain/webhook-subscription';
import type { WantedSubscription } from './platform-subscriptions';

const CHECK_EVERY_MS = 300_000;
const RETRY_EVERY_MS = 30_000;

/**
 * Subscribes the app to what the platform reports to the app's own address only: everything but messages and their statuses. Takes
 * the address from another service by the same rule as PlatformSubscriptions. Without PLATFORM_APP_ID it does nothing.
 */
@Injectable()
export class AppSubscriptions implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(AppSubscriptions.name);
  private loop: Loop | null = null;
  /** Why fields are not reported here; null: they are, or nobody has looked yet. */
  private problem: string | null = null;
  private dueAt = 0;

  constructor(
    private readonly app: AppSubscription,
    private readonly recorded: RecordedSubscriptions,
    private readonly clock: Clock,
    private readonly checks: HealthChecks,
  ) {}

  onModuleInit(): void {
    if (this.app.appId === null) return;
    this.checks.register({ name: 'webhook_fields', required: false, check: () => this.health() });
  }

  /** Begins to subscribe; see PlatformSubscriptions.start. */
  start(wanted: WantedSubscription): Promise<void> {
    if (this.app.appId === null) {
      this.logger.warn(
        'No PLATFORM_APP_ID: subscribe the app to its webhook fields in the dashboard, or reports on templates, accounts and preferences do not come here',
      );
      return Promise.resolve();
    }
    this.loop = new Loop({
      clock: this.clock,
      everyMs: RETRY_EVERY_MS,
      round: () => this.round(wanted),
      failed: ({ message }) => this.logger.warn(`The app's subscription could not be looked up, retrying: ${message}`),
    });
    this.loop.start();
    return this.loop.firstRound;
  }

  onModuleDestroy(): void {
    void this.loop?.stop();
  }

  private async round(wanted: WantedSubscription): Promise<void> {
    if (this.clock.monotonic() < this.dueAt) return;
    const before = this.problem;
    this.problem = await this.subscribe(wanted);
    this.dueAt = this.problem === null ? this.clock.monotonic() + CHECK_EVERY_MS : 0;
    if (this.problem !== null && this.problem !== before) this.logger.warn(`Webhook fields: ${this.problem}`);
    if (this.problem === null && before !== null) this.logger.log('Webhook fields: all are reported here');
  }

  /** Returns what is wrong afterwards, or null. */
  private async subscribe({ callbackUrl, takeOver }: WantedSubscription): Promise<string | null> {
    const present = await this.app.present();
    if (typeof present === 'string') return missing(APP_FIELDS, present);
    const key = `app ${this.app.appId}`;
    const { recorded, restoredAt } = await this.recorded.find(key);
    const addresses = present.callbackUrl === null ? [] : [present.callbackUrl];
    const decision = subscriptionDecision({
      ...{ ownUrl: callbackUrl, recorded, restoredAt, takeOver, isNew: false },
      present: { exists: present.callbackUrl !== null, addresses },
    });
    if (decision === 'leave') {
      return missing(APP_FIELDS, `they go to ${present.callbackUrl}; if that is wrong, set PUBLIC_URL_TAKEOVER`);
    }
    const { isSubscribed, reason } = await this.addFields(callbackUrl, present);
    const isRecorded =
      recorded?.callbackUrl === callbackUrl && (restoredAt === null || recorded.recordedAt > restoredAt);
    if (isSubscribed && !isRecorded) await this.recorded.record(key, callbackUrl);
    return reason;
  }

  /** All fields together; where the platform refuses that, one after the other, as it may not know a new one. */
  private async addFields(
    callbackUrl: string,
    present: PresentAppSubscription,
  ): Promise<{ isSubscribed: boolean; reason: string | null }> {
    const known = present.callbackUrl === callbackUrl ? [...present.fields] : [];
    const wanted = APP_FIELDS.filter((field) => !known.includes(field));
    if (wanted.length === 0) return { isSubscribed: true, reason: null };
    const refusal = await this.app.subscribe(callbackUrl, [...present.fields, ...wanted]);
    if (refusal === null) return { isSubscribed: true, reason: null };
    const refused: string[] = [];
    for (const field of wanted) {
      if ((await this.app.subscribe(callbackUrl, [...known, field])) === null) known.push(field);
      else refused.push(field);
      // The address itself is refused, not the field.
      if (known.length === 0) return { isSubscribed: false, reason: missing(wanted, refusal) };
    }
    return { isSubscribed: true, reason: missing(refused, refusal) };
  }

  private health(): Health {
    return this.problem === null ? { ok: true } : { ok: false, reason: this.problem };
  }
}

function missing(fields: readonly string[], why: string): string {
  return `the platform does not report ${fields.join(', ')} to this service: ${why}`;
}
