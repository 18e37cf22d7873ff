import type { RecordedSubscription } from './webhook-subscription';

/** Where this database had the platform report to. */
export abstract class RecordedSubscriptions {
  /** The record of a business account, or of an app (`app <id>`), and when the database was last restored; null where there is none. */
  abstract find(subject: string): Promise<{ recorded: RecordedSubscription | null; restoredAt: Date | null }>;
  /** The platform reports on the subject to `callbackUrl` now. */
  abstract record(subject: string, callbackUrl: string): Promise<void>;
}
