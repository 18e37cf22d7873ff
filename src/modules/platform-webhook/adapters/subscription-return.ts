import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { AccountDeletion, type AccountPart } from '../../accounts/domain/account-deletion';
import type { DeletedAccount } from '../../accounts/domain/account';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import type { RetentionStep, UpkeepPart } from '../../messages/domain/retention';
import { Retention } from '../../messages/domain/retention-rounds';
import { RecordedSubscriptions } from '../domain/recorded-subscriptions.port';
import { WebhookSubscriptions } from '../domain/webhook-subscriptions.port';

const RETRY_MS = 1_800_000;
/** How long after its deletion an account is kept for the return. */
const GIVE_UP_SECONDS = 86_400;

/** The last attempt for an account, at a monotonic time. */
interface Attempt {
  at: number;
  isFinished: boolean;
}

/**
 * Ends the platform's reports on the business accounts of deleted accounts and senders, unless another sender uses them. A deleted account is
 * kept, without its data, until that has succeeded; a deleted sender has no token any more, so there is one attempt.
 */
@Injectable()
export class SubscriptionReturn implements AccountPart, UpkeepPart, OnApplicationBootstrap {
  readonly kind = 'webhook_subscriptions';
  private readonly logger = new Logger(SubscriptionReturn.name);
  private readonly attempts = new Map<string, Attempt>();

  constructor(
    private readonly senders: SendersService,
    private readonly platform: WebhookSubscriptions,
    private readonly recorded: RecordedSubscriptions,
    private readonly retention: Retention,
    private readonly clock: Clock,
    deletion: AccountDeletion,
  ) {
    deletion.add(this);
    senders.onDelete((sender) => void this.endReports(sender));
  }

  onApplicationBootstrap(): void {
    this.retention.addUpkeep(this);
  }

  async step(_: string | null, limit: number): Promise<RetentionStep> {
    return { deleted: await this.recorded.forgetUnused(limit), next: null };
  }

  async deleteSome(accountId: string): Promise<number> {
    const last = this.attempts.get(accountId);
    const at = this.clock.monotonic();
    if (last && (last.isFinished || at < last.at + RETRY_MS)) return 0;
    const senders = await this.senders.allOf(accountId);
    const byBusinessAccount = new Map(senders.map((sender) => [sender.businessAccountId, sender]));
    let isFinished = true;
    for (const sender of byBusinessAccount.values()) {
      // A client who has left may have revoked the token; then further attempts fail, too.
      if (!(await this.endReports(sender)) && this.senders.problemOf(sender) === null) isFinished = false;
    }
    this.attempts.set(accountId, { at, isFinished });
    return 0;
  }

  isFinished({ id, seconds }: DeletedAccount): boolean {
    const isFinished = this.attempts.get(id)?.isFinished !== false || seconds >= GIVE_UP_SECONDS;
    if (isFinished) this.attempts.delete(id);
    return isFinished;
  }

  /** Returns whether it succeeded. Logs a failure: the platform's reports on numbers that this service does not have are ignored. */
  private async endReports(sender: Sender): Promise<boolean> {
    const reason = await this.unsubscribe(sender).catch((error: unknown) => (error as Error).message);
    if (reason === null) return true;
    this.logger.warn(`The platform still reports on business account ${sender.businessAccountId}: ${reason}`);
    return false;
  }

  /** Null: done, or nothing to do. */
  private async unsubscribe(sender: Sender): Promise<string | null> {
    const { businessAccountId } = sender;
    const others = await this.senders.ofBusinessAccount(businessAccountId);
    if (others.length > 0) return null;
    const { recorded } = await this.recorded.find(businessAccountId);
    if (!recorded) return null;
    const present = await this.platform.present(businessAccountId, sender);
    if (typeof present === 'string') return present;
    // Another service may have taken it over.
    if (!present.addresses.includes(recorded.callbackUrl)) return null;
    return this.platform.unsubscribe(businessAccountId, sender);
  }
}
