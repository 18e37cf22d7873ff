/**
 * The fields that the platform reports to the address of the business account, if it has one, instead of the app's own.
 */
export const BUSINESS_ACCOUNT_FIELDS: readonly string[] = ['messages', 'calls'];

/** The platform's current subscription of a business account. */
export interface PresentSubscription {
  /** Whether an app is subscribed, possibly at an address that is not listed. */
  exists: boolean;
  /** The listed addresses, one per subscribed app. */
  addresses: readonly string[];
}

/** The last subscription made by this database. */
export interface RecordedSubscription {
  callbackUrl: string;
  recordedAt: Date;
}

/** The facts that determine a subscription decision. */
export interface SubscriptionFacts {
  ownUrl: string;
  present: PresentSubscription;
  /** Null: this database never subscribed the business account. */
  recorded: RecordedSubscription | null;
  /** When the database was last restored; null: never. */
  restoredAt: Date | null;
  /** Whether the business account was added after the restore. */
  isNew: boolean;
  /** The operator requests the subscription for this service. */
  takeOver: boolean;
}

/** `own`: already points here; `subscribe`: may be pointed here; `leave`: may belong to another service. */
export type SubscriptionDecision = 'own' | 'subscribe' | 'leave';

/**
 * Decides about a subscription. A restored database may be a copy of one still in use, so it takes over no existing
 * subscription until it has had it itself. Otherwise the service takes subscriptions that do not exist, that it had
 * itself, or that it has never had.
 */
export function subscriptionDecision(facts: SubscriptionFacts): SubscriptionDecision {
  const { ownUrl, present, recorded, restoredAt, isNew, takeOver } = facts;
  if (present.addresses.includes(ownUrl)) return 'own';
  if (takeOver || !present.exists) return 'subscribe';
  if (restoredAt !== null && !isNew && (recorded === null || recorded.recordedAt <= restoredAt)) return 'leave';
  if (recorded === null || present.addresses.length === 0) return 'subscribe';
  return present.addresses.includes(recorded.callbackUrl) ? 'subscribe' : 'leave';
}
