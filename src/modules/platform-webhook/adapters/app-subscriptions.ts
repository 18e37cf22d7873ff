import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type Health, HealthChecks } from '../../../infra/health/health-checks';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { SubscriptionGaps } from '../../sending/domain/subscription-gaps';
import { APP_FIELDS, AppSubscription, type PresentAppSubscription } from '../domain/app-subscription.port';
import { RecordedSubscriptions } from '../domain/recorded-subscriptions.port';
import { subscriptionDecision } from '../domain/webhook-subscription';
import type { WantedSubscription } from './platform-subscriptions';

const CHECK_EVERY_MS = 300_000;
const RETRY_EVERY_MS = 30_000;

/** Fields that the platform does not report to this service, and why. */
interface Gap {
  fields: readonly string[];
  why: string;
}

/**
 * Subscribes the app to the fields that the platform reports only to the app's own address: everything except messages
 * and statuses. Takes the address over from another service by the same rule as PlatformSubscriptions. Does nothing
 * without PLATFORM_APP_ID.
 */
@Injectable()
export class AppSubscriptions implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(AppSubscriptions.name);
  private loop: Loop | null = null;
  /** Null: all fields are reported here, or not checked yet. */
  private gap: Gap | null = null;
  private dueAt = 0;

  constructor(
    private readonly app: AppSubscription,
    private readonly recorded: RecordedSubscriptions,
    private readonly clock: Clock,
    private readonly checks: HealthChecks,
    private readonly gaps: SubscriptionGaps,
  ) {}

  onModuleInit(): void {
    if (this.app.appId === null) return;
    this.checks.register({ name: 'webhook_fields', required: false, check: () => this.health() });
    this.gaps.add((sender) => (this.gap !== null && this.app.reportsOn(sender) ? this.gap.fields : []));
  }

  /** Starts subscribing; see PlatformSubscriptions.start. */
  start(wanted: WantedSubscription): Promise<void> {
    if (this.app.appId === null) {
      this.logger.warn(
        'No PLATFORM_APP_ID: subscribe the app to its webhook fields in the dashboard, or reports on templates, ' +
          'accounts and preferences do not arrive',
      );
      return Promise.resolve();
    }
    this.loop = new Loop({
      name: 'app_subscription',
      clock: this.clock,
      everyMs: RETRY_EVERY_MS,
      round: () => this.round(wanted),
      failed: ({ message }) => this.logger.warn(`The app's subscription could not be read, retrying: ${message}`),
    });
    this.loop.start();
    return this.loop.firstRound;
  }

  onModuleDestroy(): void {
    void this.loop?.stop();
  }

  private async round(wanted: WantedSubscription): Promise<void> {
    if (this.clock.monotonic() < this.dueAt) return;
    const before = this.gap && sentence(this.gap);
    this.gap = await this.subscribe(wanted);
    this.dueAt = this.gap === null ? this.clock.monotonic() + CHECK_EVERY_MS : 0;
    if (this.gap !== null && sentence(this.gap) !== before) this.logger.warn(`Webhook fields: ${sentence(this.gap)}`);
    if (this.gap === null && before !== null) this.logger.log('Webhook fields: all are delivered here');
  }

  /** Returns the fields still missing afterwards, or null. */
  private async subscribe({ callbackUrl, takeOver }: WantedSubscription): Promise<Gap | null> {
    const present = await this.app.present();
    if (typeof present === 'string') return { fields: APP_FIELDS, why: present };
    const key = `app ${this.app.appId}`;
    const { recorded, restoredAt } = await this.recorded.find(key);
    const addresses = present.callbackUrl === null ? [] : [present.callbackUrl];
    const decision = subscriptionDecision({
      ...{ ownUrl: callbackUrl, recorded, restoredAt, takeOver, isNew: false },
      present: { exists: present.callbackUrl !== null, addresses },
    });
    if (decision === 'leave') {
      const why = `they are delivered to ${present.callbackUrl}; if that is wrong, set PUBLIC_URL_TAKEOVER`;
      return { fields: APP_FIELDS, why };
    }
    const { isSubscribed, gap } = await this.addFields(callbackUrl, present);
    const isRecorded =
      recorded?.callbackUrl === callbackUrl && (restoredAt === null || recorded.recordedAt > restoredAt);
    if (isSubscribed && !isRecorded) await this.recorded.record(key, callbackUrl);
    return gap;
  }

  /** Subscribes all fields together; if refused, one by one, because a new field may be unsupported. */
  private async addFields(
    callbackUrl: string,
    present: PresentAppSubscription,
  ): Promise<{ isSubscribed: boolean; gap: Gap | null }> {
    const known = present.callbackUrl === callbackUrl ? [...present.fields] : [];
    const wanted = APP_FIELDS.filter((field) => !known.includes(field));
    if (wanted.length === 0) return { isSubscribed: true, gap: null };
    const refusal = await this.app.subscribe(callbackUrl, [...present.fields, ...wanted]);
    if (refusal === null) return { isSubscribed: true, gap: null };
    const refused: string[] = [];
    for (const field of wanted) {
      if ((await this.app.subscribe(callbackUrl, [...known, field])) === null) known.push(field);
      else refused.push(field);
      // The address itself is refused, not the field.
      if (known.length === 0) return { isSubscribed: false, gap: { fields: wanted, why: refusal } };
    }
    return { isSubscribed: true, gap: { fields: refused, why: refusal } };
  }

  private health(): Health {
    return this.gap === null ? { ok: true } : { ok: false, reason: sentence(this.gap) };
  }
}

function sentence({ fields, why }: Gap): string {
  return `the platform does not report ${fields.join(', ')} to this service: ${why}`;
}
