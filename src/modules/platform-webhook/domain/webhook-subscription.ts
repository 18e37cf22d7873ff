/** The fields that the platform reports to the address of a business account, where it has one, and not to the app's own. */
export const BUSINESS_ACCOUNT_FIELDS: readonly string[] = ['messages', 'calls'];

/** Where the platform reports on a business account, as it says itself. */
export interface PresentSubscription {
  /** Somebody is subscribed, be it at an address that the platform does not name here. */
  exists: boolean;
  /** The addresses that it names, one for each subscribed app. */
  addresses: readonly string[];
}

/** Where this database had the platform report to last. */
export interface RecordedSubscription {
  callbackUrl: string;
  recordedAt: Date;
}

/** All that decides about a subscription. */
export interface SubscriptionFacts {
  ownUrl: string;
  present: PresentSubscription;
  /** Null: this database never subscribed the business account. */
  recorded: RecordedSubscription | null;
  /** When the database was last restored; null: never. */
  restoredAt: Date | null;
  /** The business account came to this service after that. */
  isNew: boolean;
  /** The operator says that this service is to have the subscription. */
  takeOver: boolean;
}

/** `own`: it points here already; `subscribe`: it may be pointed here; `leave`: it may be another service's. */
export type SubscriptionDecision = 'own' | 'subscribe' | 'leave';

/**
 * What to do about a subscription. A restored database may be a copy whose original still lives: until it has had the subscription
 * itself, it takes it from nobody. Else it takes what nobody has, what it had itself, and what it has never had.
 */
export function subscriptionDecision(facts: SubscriptionFacts): SubscriptionDecision {
  const { ownUrl, present, recorded, restoredAt, isNew, takeOver } = facts;
  if (present.addresses.includes(ownUrl)) return 'own';
  if (takeOver || !present.exists) return 'subscribe';
  if (restoredAt !== null && !isNew && (recorded === null || recorded.recordedAt <= restoredAt)) return 'leave';
  if (recorded === null || present.addresses.length === 0) return 'subscribe';
  return present.addresses.includes(recorded.callbackUrl) ? 'subscribe' : 'leave';
}
