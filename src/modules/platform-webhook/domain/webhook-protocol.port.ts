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

/** A body with the one secret that signed exactly these bytes. */
export interface SignedReading extends WebhookReading {
  secret: string;
}

/** How the platform verifies the webhook's address, signs its reports and writes them. */
export abstract class WebhookProtocol {
  /** What the platform must be answered when it verifies the address; null for a request without our token. */
  abstract verificationAnswer(query: Readonly<Record<string, unknown>>): string | null;
  /**
   * Reads a body that was signed with one of `secretsOf` the business accounts that it claims to be about, which is not to be
   * trusted; times in the future become `now`. Null when none of these signed it. Throws when a signed body cannot be read at all.
   */
  abstract read(
    request: WebhookRequest,
    secretsOf: (businessAccountIds: ReadonlySet<string>) => Iterable<string>,
    now: Date,
  ): SignedReading | null;
}
