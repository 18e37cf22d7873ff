import type { Page, PageRequest } from '../../../kernel/page';
import type { Account, AccountChange, AccountDraft, DeletedAccount } from './account';
import type {
  ActiveSince,
  BusinessAccount,
  Sender,
  SenderDueTimes,
  SenderFields,
  SenderLimits,
  SenderReading,
  SenderTaskTime,
} from './sender';

/** An id of the platform by which senders are found. */
export type PlatformId = 'phoneNumberId' | 'businessAccountId';

/** The app secret of a sender. */
export interface AppSecret {
  senderId: string;
  appSecret: string;
}

/** A deleted sender, or one of a deleted account, whose webhook subscription is to be returned to the platform. */
export interface SubscriptionToReturn {
  sender: Sender;
  /** Whether a day has passed, so that no further attempt follows. */
  isLast: boolean;
}

/** The ids by which a sender was or is found. */
export type ChangedSender = Record<PlatformId, string>;

/** What has changed, up to the change `last`. */
export interface SenderChanges {
  last: string;
  /** Null: unknown, since the change before is no longer recorded. */
  changed: readonly ChangedSender[] | null;
}

/** Stores accounts and their senders. Throws PhoneNumberTakenError if another account has the phone number. */
export abstract class AccountStore {
  /** Stores a new account with its first sender, in one transaction. */
  abstract add(id: string, draft: AccountDraft): Promise<void>;
  abstract byId(id: string): Promise<Account | null>;
  /** Newest first. */
  abstract page(request: PageRequest): Promise<Page<Account>>;
  /** Changes the given fields of the account and of its default sender, in one transaction. */
  abstract change(id: string, change: AccountChange): Promise<void>;
  /** Locks an account until the surrounding unit of work ends. */
  abstract lock(id: string): Promise<void>;
  /** Stores a sender; the first one of an account becomes its default. */
  abstract addSender(accountId: string, senderId: string, sender: SenderFields): Promise<void>;
  abstract changeSender(senderId: string, change: Partial<SenderFields>): Promise<void>;
  /** Makes a sender the default of its account instead of another one. */
  abstract makeDefault(accountId: string, senderId: string): Promise<void>;
  /** Marks a sender as deleted, with a subscription to return. */
  abstract deleteSender(senderId: string): Promise<void>;
  /** Marks the subscriptions of the account's senders as to be returned, unless they are; returns their number. */
  abstract beginReturns(accountId: string): Promise<number>;
  /** Leases for `leaseMs` at most `limit` subscriptions whose return is due. */
  abstract takeReturns(limit: number, leaseMs: number): Promise<SubscriptionToReturn[]>;
  /** Ends the lease; they are due again after a pause that grows from a minute to half an hour. */
  abstract postponeReturns(senderIds: readonly string[]): Promise<void>;
  /** Records that nothing is to be returned any more, and deletes the secrets of deleted senders. */
  abstract endReturns(senderIds: readonly string[]): Promise<void>;
  /** Whether a subscription of the account is still to be returned. */
  abstract hasReturns(accountId: string): Promise<boolean>;
  /** The oldest account; null in a new installation. */
  abstract first(): Promise<Account | null>;
  /** Locks the accounts, so that only one process creates the first account. */
  abstract lockForFirst(): Promise<void>;
  abstract plansInUse(): Promise<string[]>;
  /** The senders of an account, the default first, then the oldest; deleted ones are left out. */
  abstract sendersOf(accountId: string): Promise<Sender[]>;
  /** The sender with this id, also a deleted one. */
  abstract sender(senderId: string): Promise<Sender | null>;
  /** The senders with one of these ids, also deleted ones. */
  abstract sendersById(senderIds: readonly string[]): Promise<Sender[]>;
  /** The first sender that the account had, also a deleted one. */
  abstract oldestSender(accountId: string): Promise<Sender | null>;
  /** Every sender but deleted ones and those of deleted accounts, oldest account first. */
  abstract senders(): Promise<Sender[]>;
  /** The ids of the senders for which `task` was last done at or before its due time, oldest account first; deleted ones and those of deleted accounts are left out. */
  abstract sendersDue(task: SenderTaskTime, due: SenderDueTimes): Promise<string[]>;
  /** The business accounts of all senders but deleted ones and those of deleted accounts, with their activity since then. */
  abstract businessAccounts(since: ActiveSince): Promise<BusinessAccount[]>;
  /** The senders with one of these ids on the platform, oldest account first; deleted ones and those of deleted accounts are left out. */
  abstract sendersWith(field: PlatformId, ids: readonly string[]): Promise<Sender[]>;
  /** Changes of the results of `sendersWith` after the change `after`; null: of any time. */
  abstract senderChanges(after: string | null): Promise<SenderChanges>;
  /** The app secrets of at most `limit` senders, in order of sender id after `after`. */
  abstract appSecrets(after: string | null, limit: number): Promise<AppSecret[]>;
  /** Marks the account as deleted, and revokes its keys. */
  abstract beginDeletion(id: string): Promise<void>;
  /** Accounts that were deleted at least `seconds` ago, by the database's clock, the first deleted ones first. */
  abstract deletedAccounts(seconds: number): Promise<DeletedAccount[]>;
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
