import type { Sender, SenderFields } from './sender';

/** States of an account: a suspended one is answered 403 and sends nothing. */
export const ACCOUNT_STATUSES = ['Active', 'Suspended'] as const;

/** One of ACCOUNT_STATUSES. */
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** A client of the service. */
export interface Account extends AccountFields {
  id: string;
  createdAt: Date;
  updatedAt: Date;
  sender: Sender | null;
}

/** The fields of an account that the operator sets. */
export interface AccountFields {
  name: string;
  plan: string;
  status: AccountStatus;
  /** The emergency stop: nothing more leaves within 2 s. */
  sendingPaused: boolean;
  /** ISO 3166 code for national numbers in files. */
  defaultCountry: string | null;
  businessPortfolioId: string | null;
}

/** What an account starts with. */
export interface AccountDraft extends AccountFields {
  sender: SenderFields | null;
}

/** What changes about an account; what is absent stays. */
export interface AccountChange extends Partial<AccountFields> {
  sender?: Partial<SenderFields>;
}
