import type { ReportedInbound } from '../../messages/domain/inbound-message';
import type { PlatformNotice } from './platform-notice';
import type { StatusUpdate } from '../../messages/domain/status-update';

/** A request to the webhook as it arrived; the names of headers are in lower case. */
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

/** What was read from one body of the platform's webhook. */
export interface WebhookReading {
  reports: WebhookReport[];
  /** How many reports of each kind this service does not act upon. */
  ignored: Map<string, number>;
}

/** How the platform verifies the webhook's address, signs its reports and writes them. */
export abstract class WebhookProtocol {
  /** The answer that verifies the address; null for a request without our token. */
  abstract verificationAnswer(query: Readonly<Record<string, unknown>>): string | null;
  /** The business accounts that an unverified body claims to be about. */
  abstract claimedAccounts(request: WebhookRequest): ReadonlySet<string>;
  /** The one of `secrets` that signed exactly these bytes; null when none did. */
  abstract signingSecret(request: WebhookRequest, secrets: Iterable<string>): string | null;
  /** Reads a verified body; times in the future become `now`. Throws when it cannot be read at all. */
  abstract read(request: WebhookRequest, now: Date): WebhookReading;
}
