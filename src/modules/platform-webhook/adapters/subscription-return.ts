import { Injectable, Logger } from '@nestjs/common';
import { AccountDeletion, type AccountPart } from '../../accounts/domain/account-deletion';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { RecordedSubscriptions } from '../domain/recorded-subscriptions.port';
import { WebhookSubscriptions } from '../domain/webhook-subscriptions.port';

/** Ends the platform's reports on the business accounts of deleted accounts and senders, unless another sender uses them. */
@Injectable()
export class SubscriptionReturn implements AccountPart {
  private readonly logger = new Logger(SubscriptionReturn.name);
  /** Attempted once per process: the token of a client who has left may not be valid any more. */
  private readonly attempted = new Set<string>();

  constructor(
    private readonly senders: SendersService,
    private readonly platform: WebhookSubscriptions,
    private readonly recorded: RecordedSubscriptions,
    deletion: AccountDeletion,
  ) {
    deletion.add(this);
    senders.onDelete((sender) => void this.endReports(sender));
  }

  async deleteSome(accountId: string): Promise<number> {
    if (this.attempted.has(accountId)) return 0;
    this.attempted.add(accountId);
    const senders = await this.senders.allOf(accountId);
    const byBusinessAccount = new Map(senders.map((sender) => [sender.businessAccountId, sender]));
    for (const sender of byBusinessAccount.values()) await this.endReports(sender);
    return 0;
  }

  /** Logs a failure: the platform's reports on numbers that this service does not have are ignored. */
  private async endReports(sender: Sender): Promise<void> {
    const reason = await this.unsubscribe(sender).catch((error: unknown) => (error as Error).message);
    if (reason === null) return;
    this.logger.warn(`The platform still reports on business account ${sender.businessAccountId}: ${reason}`);
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
