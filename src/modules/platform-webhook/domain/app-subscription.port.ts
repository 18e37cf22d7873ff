import type { Sender } from '../../accounts/domain/sender';

/** The app's own subscription on the platform. */
export interface PresentAppSubscription {
  /** Null: there is none. */
  callbackUrl: string | null;
  fields: ReadonlySet<string>;
}

/**
 * The fields that the platform reports to the app's own address only, whatever address a business account has; `messages` and
 * `calls` are among them, as the platform reports neither for an app that is not subscribed to it.
 */
export const APP_FIELDS: readonly string[] = [
  'messages',
  'calls',
  'message_template_status_update',
  'message_template_quality_update',
  'message_template_components_update',
  'template_category_update',
  'account_update',
  'account_alerts',
  'account_review_update',
  'business_capability_update',
  'phone_number_quality_update',
  'phone_number_name_update',
  'security',
  'user_preferences',
  'user_id_update',
];

/** The subscription of the app to the platform's reports. */
export abstract class AppSubscription {
  /** The app's id; null: it is not configured, and nothing can be subscribed. */
  abstract readonly appId: string | null;
  /** Whether the sender's reports come by this app; those of a sender with another app's secret do not. */
  abstract reportsOn(sender: Sender): boolean;
  /** The subscription now, or why the platform does not say. Never throws. */
  abstract present(): Promise<PresentAppSubscription | string>;
  /** Subscribes the address to these fields; returns why the platform did not, or null when it did. Never throws. */
  abstract subscribe(callbackUrl: string, fields: readonly string[]): Promise<string | null>;
}
