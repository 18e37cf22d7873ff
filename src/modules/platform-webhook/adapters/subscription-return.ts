import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { AccountDeletion, type AccountPart } from '../../accounts/domain/account-deletion';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import type { RetentionStep, UpkeepPart } from '../../messages/domain/retention';
import { Retention } from '../../messages/domain/retention-rounds';
import { RecordedSubscriptions } from '../domain/recorded-subscriptions.port';
import { WebhookSubscriptions } from '../domain/webhook-subscriptions.port';

const POLL_INTERVAL_MS = 30_000;
const JITTER_MS = 5_000;
/** Senders at a time. */
const AT_ONCE = 10;
/** Longer than two calls of the platform; another process may repeat a return that takes longer. */
const LEASE_MS = 120_000;
/** In the place of an address: nothing subscribes the business account meanwhile, and no earlier check of it is valid afterwards. */
const NO_ADDRESS = '';

/**
 * Ends the platform's reports on the business accounts of deleted senders and of deleted accounts, unless another sender uses them. Retries for a day:
 * as long, a deleted sender keeps its access, and an account is kept without its data. One process at a time returns each.
 */
@Injectable()
export class SubscriptionReturn implements AccountPart, UpkeepPart, OnApplicationBootstrap, OnModuleDestroy {
  readonly kind = 'webhook_subscriptions';
  private readonly logger = new Logger(SubscriptionReturn.name);
  private readonly loop: Loop;

  constructor(
    private readonly senders: SendersService,
    private readonly platform: WebhookSubscriptions,
    private readonly recorded: RecordedSubscriptions,
    private readonly retention: Retention,
    clock: Clock,
    deletion: AccountDeletion,
  ) {
    this.loop = new Loop({
      name: 'webhook_subscription_returns',
      clock,
      everyMs: POLL_INTERVAL_MS,
      jitterMs: JITTER_MS,
      round: (signal) => this.returnDue(signal),
      failed: ({ message }) => this.logger.warn(`Subscriptions could not be returned, retrying: ${message}`),
    });
    deletion.add(this);
    senders.onChange(() => this.loop.wake());
  }

  onApplicationBootstrap(): void {
    this.retention.addUpkeep(this);
    this.loop.start();
  }

  /** Does not wait for a request in flight: it can be repeated at any time. */
  onModuleDestroy(): void {
    void this.loop.stop();
  }

  async step(_: string | null, limit: number): Promise<RetentionStep> {
    return { deleted: await this.recorded.forgetUnused(limit), next: null };
  }

  async deleteSome(accountId: string): Promise<number> {
    if ((await this.senders.beginReturns(accountId)) > 0) await this.returnDue();
    return 0;
  }

  async isFinished(accountId: string): Promise<boolean> {
    return !(await this.senders.hasReturns(accountId));
  }

  /** Attempts every return that is due, unless another process does. Throws database errors. */
  async returnDue(stopped?: AbortSignal): Promise<void> {
    while (!stopped?.aborted) {
      const taken = await this.senders.takeReturns(AT_ONCE, LEASE_MS);
      if (taken.length === 0) return;
      const businessAccounts = new Set(taken.map(({ sender }) => sender.businessAccountId));
      const returning = [...businessAccounts].map(async (id) => {
        const own = taken.filter(({ sender }) => sender.businessAccountId === id);
        const isLast = own.some((one) => one.isLast);
        await this.returnOne(
          own.map(({ sender }) => sender),
          isLast,
        );
      });
      const failed = (await Promise.allSettled(returning)).find((one) => one.status === 'rejected');
      if (failed) throw failed.reason;
    }
  }

  /** Logs a failure: the platform's reports on numbers that this service does not have are ignored. */
  private async returnOne(senders: readonly Sender[], isLast: boolean): Promise<void> {
    // A client who has left may have revoked a token; then further attempts with it fail, too.
    const usable = senders.filter((sender) => this.senders.problemOf(sender) === null);
    const reason = await this.endReports(usable[0] ?? senders[0]!);
    if (reason !== null) {
      const { businessAccountId } = senders[0]!;
      this.logger.warn(`The platform still reports on business account ${businessAccountId}: ${reason}`);
    }
    if (reason === null || isLast || usable.length === 0) await this.senders.endReturns(senders);
    else await this.senders.postponeReturns(senders);
  }

  /** Null: done, or nothing to do; otherwise the reason of the failure. */
  private async endReports(sender: Sender): Promise<string | null> {
    const { businessAccountId } = sender;
    const { recorded, restoredAt } = await this.recorded.find(businessAccountId);
    // In a restored database it may be the subscription of the original.
    if (!recorded || (restoredAt !== null && recorded.recordedAt <= restoredAt)) return null;
    if (!(await this.recorded.lease(businessAccountId, NO_ADDRESS, LEASE_MS, 0)))
      return 'its subscription is being checked';
    try {
      const others = await this.senders.ofBusinessAccount(businessAccountId);
      if (others.length > 0) return null;
      const present = await this.platform.present(businessAccountId, sender);
      if (typeof present === 'string') return present;
      // Another service may have taken it over.
      if (!present.addresses.includes(recorded.callbackUrl)) return null;
      return await this.platform.unsubscribe(businessAccountId, sender);
    } finally {
      await this.recorded.checked(businessAccountId, null);
    }
  }
}
