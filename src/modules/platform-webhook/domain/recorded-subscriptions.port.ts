import type { RecordedSubscription } from './webhook-subscription';

/** Where this database had the platform report to. */
export abstract class RecordedSubscriptions {
  /** The record of a business account, and when the database was last restored; null where there is none. */
  abstract find(businessAccountId: string): Promise<{ recorded: RecordedSubscription | null; restoredAt: Date | null }>;
  /** The platform reports on the business account to `callbackUrl` now. */
  abstract record(businessAccountId: string, callbackUrl: string): Promise<void>;
}
