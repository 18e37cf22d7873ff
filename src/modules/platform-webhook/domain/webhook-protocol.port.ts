import type { ReportedInbound } from '../../messages/domain/inbound-message';
import type { PlatformNotice } from './platform-notice';
import type { StatusUpdate } from '../../messages/domain/status-update';

/** A webhook request as received; header names are lowercase. */
export interface WebhookRequest {
  body: Buffer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

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

/** The content of a webhook body. */
export interface WebhookReading {
  reports: WebhookReport[];
  /** Number of unused reports by kind. */
  ignored: Map<string, number>;
}

/** The platform's webhook protocol: address verification, signatures and report format. */
export abstract class WebhookProtocol {
  /** The response that verifies the address; null if the token is wrong. */
  abstract verificationAnswer(query: Readonly<Record<string, unknown>>): string | null;
  /** The business accounts that an unverified body claims to concern. */
  abstract claimedAccounts(request: WebhookRequest): ReadonlySet<string>;
  /** The secret that signed exactly these bytes, or null. */
  abstract signingSecret(request: WebhookRequest, secrets: Iterable<string>): string | null;
  /** Reads a verified body; times in the future become `now`. Throws if it is unreadable. */
  abstract read(request: WebhookRequest, now: Date): WebhookReading;
}
