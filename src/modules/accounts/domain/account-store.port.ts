import type { Page, PageRequest } from '../../../kernel/page';
import type { Account, AccountChange, AccountDraft } from './account';
import type { Sender, SenderFields, SenderLimits } from './sender';

/** Accounts and their senders. A phone number of the platform belongs to one account: another one is PhoneNumberTakenError. */
export abstract class AccountStore {
  /** Stores a new account with its sender, in one transaction. */
  abstract add(id: string, draft: AccountDraft): Promise<void>;
  abstract byId(id: string): Promise<Account | null>;
  /** Newest first. */
  abstract page(request: PageRequest): Promise<Page<Account>>;
  /** Changes what is given of the account and of the sender it has, in one transaction. */
  abstract change(id: string, change: AccountChange): Promise<void>;
  abstract addSender(accountId: string, sender: SenderFields): Promise<void>;
  /** The oldest account; null in a new installation. */
  abstract first(): Promise<Account | null>;
  /** Lets one transaction at a time, over all processes, look whether there is an account and make the first one. */
  abstract lockForFirst(): Promise<void>;
  abstract plansInUse(): Promise<string[]>;
  abstract senderOf(accountId: string): Promise<Sender | null>;
  abstract sender(senderId: string): Promise<Sender | null>;
  abstract senders(): Promise<Sender[]>;
  /** Keeps what the platform says of a sender, where it says something; whether that changed what was kept. */
  abstract noteLimits(senderId: string, limits: SenderLimits): Promise<boolean>;
  abstract markTemplatesSynced(senderId: string, at: Date): Promise<void>;
}
