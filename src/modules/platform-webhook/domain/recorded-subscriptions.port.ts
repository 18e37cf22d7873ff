import type { RecordedSubscription } from './webhook-subscription';

/** The state of a subscription when a process last checked it. */
export interface CheckedSubscription {
  state: 'own' | 'left';
  ageMs: number;
}

/** The webhook subscriptions that this database made, and the checks of its processes. */
export abstract class RecordedSubscriptions {
  /**
   * The record of a business account, or of an app (`app <id>`), and the time of the last restore; null if there is
   * none.
   */
  abstract find(subject: string): Promise<{ recorded: RecordedSubscription | null; restoredAt: Date | null }>;
  /** Records that the platform reports on the subject to `callbackUrl`. */
  abstract record(subject: string, callbackUrl: string): Promise<void>;
  /** The last checks by any process of those subjects that were checked for `callbackUrl`. */
  abstract checks(subjects: readonly string[], callbackUrl: string): Promise<Map<string, CheckedSubscription>>;
  /**
   * Leases the check whether the platform reports on the subject to `callbackUrl`. Returns false if another process is checking it, or has
   * done so within `freshMs`.
   */
  abstract lease(subject: string, callbackUrl: string, leaseMs: number, freshMs: number): Promise<boolean>;
  /** Ends the lease with the result of the check; null: it failed. */
  abstract checked(subject: string, state: CheckedSubscription['state'] | null): Promise<void>;
  /** Deletes at most `limit` records, and as many checks, of business accounts that no sender uses, not even a deleted one; returns their number. */
  abstract forgetUnused(limit: number): Promise<number>;
}
