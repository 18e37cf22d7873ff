import type { StatusUpdate } from '../../messages/domain/status-update';

/** Log lines and metrics of the platform's webhook. */
export abstract class WebhookTelemetry {
  /** A request whose signature is missing or wrong. */
  abstract refused(): void;
  /** Updates that were applied; `unmatched` of them belong to no message of this service. */
  abstract applied(updates: readonly StatusUpdate[], unmatched: number): void;
  /** Inbound messages: how many were recorded, and how many had been recorded before. */
  abstract received(recorded: number, repeated: number): void;
  /** Notices to business accounts that were acted upon. */
  abstract noticesApplied(count: number): void;
  /** The platform warns or restricts a business account; `text` is in its own words, without personal data. */
  abstract alerted(kind: string, businessAccountId: string, text: string): void;
  /** Reports that this service does not act upon, by kind. */
  abstract ignored(kind: string, count: number): void;
  /** Reports that were signed with the secret of another account. */
  abstract dropped(businessAccountId: string, count: number): void;
  /** A report that could not be read or applied was parked. */
  abstract parked(reason: string, error: unknown): void;
  /** The platform now sends the reports on a business account to this service. */
  abstract subscribed(businessAccountId: string): void;
  /** The platform refused a subscription; it is retried. */
  abstract notSubscribed(businessAccountId: string, reason: string): void;
  /** The platform reports on a business account to another service, to whom that is left. */
  abstract leftToOthers(businessAccountId: string, addresses: readonly string[]): void;
}
