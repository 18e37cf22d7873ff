import type { ReportedInbound } from '../../messages/domain/inbound-message';
import type { PlatformNotice } from './platform-notice';
import type { StatusUpdate } from '../../messages/domain/status-update';

/** A status as the platform reports it, before its account is looked up. */
export interface ReportedUpdate extends Omit<StatusUpdate, 'accountId' | 'senderId'> {
  phoneNumberId: string;
}

/** What one body reports about one business account. */
export interface WebhookReport {
  businessAccountId: string;
  statuses: ReportedUpdate[];
  messages: ReportedInbound[];
  notices: PlatformNotice[];
}

/** What was read from one body of the platform's webhook. */
export interface WebhookReading {
  reports: WebhookReport[];
  /** How many reports of each kind this service does not act upon. */
  ignored: Map<string, number>;
}
