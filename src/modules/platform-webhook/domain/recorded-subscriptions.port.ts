import type { RecordedSubscription } from './webhook-subscription';

/** The webhook subscriptions that this database made. */
export abstract class RecordedSubscriptions {
  /**
   * The record of a business account, or of an app (`app <id>`), and the time of the last restore; null if there is
   * none.
   */
  abstract find(subject: string): Promise<{ recorded: RecordedSubscription | null; restoredAt: Date | null }>;
  /** Records that the platform reports on the subject to `callbackUrl`. */
  abstract record(subject: string, callbackUrl: string): Promise<void>;
}
