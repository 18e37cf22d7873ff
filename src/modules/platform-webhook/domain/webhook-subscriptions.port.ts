import type { PresentSubscription } from './webhook-subscription';

/** Has the platform send its reports here. */
export abstract class WebhookSubscriptions {
  /** Where the platform reports on a business account now, or why it does not say. Never throws. */
  abstract present(businessAccountId: string, accessToken: string): Promise<PresentSubscription | string>;
  /**
   * Subscribes `callbackUrl` to the reports on a business account; the platform may verify the address during the call.
   * Returns why the platform did not, or null when it did. Never throws.
   */
  abstract subscribe(businessAccountId: string, accessToken: string, callbackUrl: string): Promise<string | null>;
}
