import type { StatusUpdate } from './status-update';

/** What the platform's webhook tells the people who run the service: log lines and figures. */
export abstract class WebhookJournal {
  /** A request whose signature is missing or wrong. */
  abstract refused(): void;
  /** Updates that were applied; `unmatched` of them belong to no message of this service. */
  abstract applied(updates: readonly StatusUpdate[], unmatched: number): void;
  /** Messages of people that were recorded, and others that were there already. */
  abstract received(recorded: number, repeated: number): void;
  /** What the platform said to business accounts and somebody acted upon. */
  abstract heeded(count: number): void;
  /** The platform warns or restricts a business account; `said` is in its own words and names no person. */
  abstract alerted(kind: string, businessAccountId: string, said: string): void;
  /** Something that this service does not act upon, by kind. */
  abstract ignored(kind: string, count: number): void;
  /** Updates that were signed with the secret of somebody else. */
  abstract dropped(businessAccountId: string, count: number): void;
  /** A report that could not be read or applied was put aside. */
  abstract parked(reason: string, error: unknown): void;
  /** The platform sends the reports of a business account to this service from now on. */
  abstract subscribed(businessAccountId: string): void;
  /** It would not; it is asked again. */
  abstract notSubscribed(businessAccountId: string, reason: string): void;
}
