import type { Sender, SenderFields } from './sender';

/** States that the operator sets: a suspended account gets 403 for every request and sends nothing. */
export const ACCOUNT_STATUSES = ['Active', 'Suspended'] as const;
/** Those, and that of a deleted account until its data is gone: it has no keys and sends nothing. */
export const ALL_ACCOUNT_STATUSES = [...ACCOUNT_STATUSES, 'Deleting'] as const;

/** One of ALL_ACCOUNT_STATUSES. */
export type AccountStatus = (typeof ALL_ACCOUNT_STATUSES)[number];

/** A client of the service. */
export interface Account extends AccountFields {
  id: string;
  createdAt: Date;
  updatedAt: Date;
  /** The default sender. */
  sender: Sender | null;
}

/** The fields of an account that the operator sets. */
export interface AccountFields {
  name: string;
  plan: string;
  status: AccountStatus;
  /** The emergency stop: sending stops within 2 s. */
  sendingPaused: boolean;
  /** ISO 3166 country of phone numbers without a country code in files. */
  defaultCountry: string | null;
  businessPortfolioId: string | null;
}

/** The fields of a new account. */
export interface AccountDraft extends AccountFields {
  sender: SenderFields | null;
}

/** Changes of an account; absent fields keep their values. */
export interface AccountChange extends Partial<AccountFields> {
  /** Of the default sender. */
  sender?: Partial<SenderFields>;
}

/** An account whose deletion has begun. */
export interface DeletedAccount {
  id: string;
  /** Since then. */
  seconds: number;
}
