import type { Page, PageRequest } from '../../../kernel/page';
import type { Account, AccountChange, AccountDraft } from './account';
import type { Sender, SenderFields, SenderLimits, SenderReading } from './sender';

/** An id of the platform by which senders are found. */
export type PlatformId = 'phoneNumberId' | 'businessAccountId';

/** The app secret of a sender. */
export interface AppSecret {
  senderId: string;
  appSecret: string;
}

/** Stores accounts and their senders. Throws PhoneNumberTakenError if another account has the phone number. */
export abstract class AccountStore {
  /** Stores a new account with its sender, in one transaction. */
  abstract add(id: string, draft: AccountDraft): Promise<void>;
  abstract byId(id: string): Promise<Account | null>;
  /** Newest first. */
  abstract page(request: PageRequest): Promise<Page<Account>>;
  /** Changes the given fields of the account and of its sender, in one transaction. */
  abstract change(id: string, change: AccountChange): Promise<void>;
  abstract addSender(accountId: string, sender: SenderFields): Promise<void>;
  /** The oldest account; null in a new installation. */
  abstract first(): Promise<Account | null>;
  /** Locks the accounts, so that only one process creates the first account. */
  abstract lockForFirst(): Promise<void>;
  abstract plansInUse(): Promise<string[]>;
  abstract senderOf(accountId: string): Promise<Sender | null>;
  abstract sender(senderId: string): Promise<Sender | null>;
  /** Every sender but those of deleted accounts, oldest account first. */
  abstract senders(): Promise<Sender[]>;
  /** The senders with one of these ids on the platform, oldest account first; those of deleted accounts are left out. */
  abstract sendersWith(field: PlatformId, ids: readonly string[]): Promise<Sender[]>;
  /** The app secrets of at most `limit` senders, in order of sender id after `after`. */
  abstract appSecrets(after: string | null, limit: number): Promise<AppSecret[]>;
  /** Marks the account as deleted, and revokes its keys. */
  abstract beginDeletion(id: string): Promise<void>;
  /** The first account in the order of ids that was deleted at least `seconds` ago, by the database's clock; `from`: this one or a later one. */
  abstract deletedAccount(seconds: number, from: string | null): Promise<string | null>;
  /** Deletes an account and what belongs to it. */
  abstract remove(id: string): Promise<void>;
  /** Stores the limits that the platform reports, except those that are null; returns whether anything changed. */
  abstract recordLimits(senderId: string, limits: SenderLimits): Promise<boolean>;
  /** Stores the display number, unless the operator has set one or the sender now has another phone number. */
  abstract recordDisplayNumber(sender: Pick<Sender, 'id' | 'phoneNumberId'>, displayPhoneNumber: string): Promise<void>;
  /** Stores what was read of the sender; a problem is that of its current token and secret. */
  abstract recordReading(sender: Sender, reading: SenderReading): Promise<void>;
  /** Leases the reading of the sender for `leaseMs`; returns false if another process holds the lease. */
  abstract leaseReading(senderId: string, leaseMs: number): Promise<boolean>;
  /** Senders whose last reading had a problem, which may be that of an earlier token. */
  abstract refusedSenders(): Promise<Sender[]>;
  abstract markTemplatesSynced(senderId: string, at: Date): Promise<void>;
}
