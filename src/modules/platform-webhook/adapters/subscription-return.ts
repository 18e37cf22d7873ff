import { Injectable, Logger } from '@nestjs/common';
import { AccountDeletion, type AccountPart } from '../../accounts/domain/account-deletion';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { RecordedSubscriptions } from '../domain/recorded-subscriptions.port';
import { WebhookSubscriptions } from '../domain/webhook-subscriptions.port';

/** Ends the platform's reports on the business account of a deleted account, unless another account uses it. */
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
  }

  async deleteSome(accountId: string): Promise<number> {
    if (this.attempted.has(accountId)) return 0;
    this.attempted.add(accountId);
    const sender = await this.senders.findOfAccount(accountId);
    if (!sender) return 0;
    const reason = await this.unsubscribe(sender);
    if (reason !== null) {
      this.logger.warn(`The platform still reports on business account ${sender.businessAccountId}: ${reason}`);
    }
    return 0;
  }

  /** Null: done, or nothing to do. */
  private async unsubscribe(sender: Sender): Promise<string | null> {
    const { businessAccountId } = sender;
    const others = await this.senders.with('businessAccountId', [businessAccountId]);
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
