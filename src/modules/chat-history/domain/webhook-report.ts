import type { ReportedMessageIn } from './inbound-message';
import type { PlatformNotice } from './platform-notice';
import type { StatusUpdate } from './status-update';

/** A status as it was reported, before it is known whose phone number it is about. */
export interface ReportedUpdate extends Omit<StatusUpdate, 'accountId' | 'senderId'> {
  phoneNumberId: string;
}

/** What one body says about one business account. */
export interface WebhookReport {
  businessAccountId: string;
  statuses: ReportedUpdate[];
  messages: ReportedMessageIn[];
  notices: PlatformNotice[];
}

/** One body of the platform's webhook, read. */
export interface WebhookReading {
  reports: WebhookReport[];
  /** What is in it that this service does not act upon: how many of each kind. */
  ignored: Map<string, number>;
}
