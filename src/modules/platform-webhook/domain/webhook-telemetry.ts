import type { StatusUpdate } from '../../messages/domain/status-update';

/** Log lines and metrics of the platform's webhook. */
export abstract class WebhookTelemetry {
  /** A request had a missing or wrong signature. */
  abstract refused(): void;
  /** Updates were applied; `unmatched` of them belong to no message of this service. */
  abstract applied(updates: readonly StatusUpdate[], unmatched: number): void;
  /** Inbound messages: number of new and repeated ones. */
  abstract received(recorded: number, repeated: number): void;
  /** Notices to business accounts were applied. */
  abstract noticesApplied(count: number): void;
  /** The platform warned or restricted a business account; `text` is in its words, without personal data. */
  abstract alerted(kind: string, businessAccountId: string, text: string): void;
  /** Unused reports, by kind. */
  abstract ignored(kind: string, count: number): void;
  /** Reports were signed with the secret of another account. */
  abstract dropped(businessAccountId: string, count: number): void;
  /** A report that could not be read or applied was parked. */
  abstract parked(reason: string, error: unknown): void;
  /** The platform now sends the reports on a business account to this service. */
  abstract subscribed(businessAccountId: string): void;
  /** The platform refused a subscription; it is retried. */
  abstract notSubscribed(businessAccountId: string, reason: string): void;
  /** The platform reports on a business account to another service; the subscription is left unchanged. */
  abstract leftToOthers(businessAccountId: string, addresses: readonly string[]): void;
}
