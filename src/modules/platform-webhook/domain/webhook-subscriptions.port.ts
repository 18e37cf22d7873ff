import type { Sender } from '../../accounts/domain/sender';
import type { PresentSubscription } from './webhook-subscription';

/** Credentials for calls about a business account: those of one of its senders. */
export type SubscriptionAccess = Pick<Sender, 'accessToken' | 'appSecret'>;

/** Subscribes this service to the platform's reports. */
export abstract class WebhookSubscriptions {
  /** The current subscription of a business account, or why it cannot be read. Never throws. */
  abstract present(businessAccountId: string, access: SubscriptionAccess): Promise<PresentSubscription | string>;
  /**
   * Subscribes `callbackUrl` to the reports on a business account; the platform may verify the address during the call.
   * Returns null, or the reason of a failure. Never throws.
   */
  abstract subscribe(
    businessAccountId: string,
    access: SubscriptionAccess,
    callbackUrl: string,
  ): Promise<string | null>;
  /** Ends the reports on a business account. Returns null, or the reason of a failure. Never throws. */
  abstract unsubscribe(businessAccountId: string, access: SubscriptionAccess): Promise<string | null>;
}
