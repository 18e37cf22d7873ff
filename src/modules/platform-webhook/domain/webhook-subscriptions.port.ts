import type { Sender } from '../../accounts/domain/sender';
import type { PresentSubscription } from './webhook-subscription';

/** What the calls about a business account are made with: one of its senders. */
export type SubscriptionAccess = Pick<Sender, 'accessToken' | 'appSecret'>;

/** Has the platform send its reports here. */
export abstract class WebhookSubscriptions {
  /** Where the platform reports on a business account now, or why it does not say. Never throws. */
  abstract present(businessAccountId: string, access: SubscriptionAccess): Promise<PresentSubscription | string>;
  /**
   * Subscribes `callbackUrl` to the reports on a business account; the platform may verify the address during the call.
   * Returns why the platform did not, or null when it did. Never throws.
   */
  abstract subscribe(
    businessAccountId: string,
    access: SubscriptionAccess,
    callbackUrl: string,
  ): Promise<string | null>;
}
