import type { Sender } from '../../accounts/domain/sender';

/** The app's own subscription on the platform. */
export interface PresentAppSubscription {
  /** Null: there is none. */
  callbackUrl: string | null;
  fields: ReadonlySet<string>;
}

/**
 * The fields that the platform reports only to the app's own address, whatever address a business account has; includes
 * `messages` and `calls`, because the platform reports neither for an app without these subscriptions.
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

/** The app's subscription to the platform's reports. */
export abstract class AppSubscription {
  /** The app's id; null: not configured, so nothing can be subscribed. */
  abstract readonly appId: string | null;
  /** Whether this app receives the sender's reports; not if the sender has another app's secret. */
  abstract reportsOn(sender: Sender): boolean;
  /** The current subscription, or why it cannot be read. Never throws. */
  abstract present(): Promise<PresentAppSubscription | string>;
  /** Subscribes the address to these fields; returns null, or the reason of a failure. Never throws. */
  abstract subscribe(callbackUrl: string, fields: readonly string[]): Promise<string | null>;
}
