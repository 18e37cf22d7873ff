import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { AccountStore } from './account-store.port';
import { AccountWithoutSenderError } from './accounts.errors';
import { RecentValues } from './recent-values';
import type { Sender, SenderLimits } from './sender';

/** Young enough for the emergency stop, which must act within 2 s in every process. */
const MAX_AGE_MS = 1_000;

/** The senders of all accounts; what is read may be 1 s old, except for changes made in this process. */
@Injectable()
export class SendersService {
  private readonly single: RecentValues<Sender | null>;
  private readonly list: RecentValues<Sender[]>;
  private readonly limitHandlers: ((senderIds: readonly string[]) => void)[] = [];

  constructor(
    private readonly store: AccountStore,
    clock: Clock,
  ) {
    this.single = new RecentValues(clock, MAX_AGE_MS);
    this.list = new RecentValues(clock, MAX_AGE_MS);
  }

  /** The sender of an account; throws AccountWithoutSenderError. */
  async ofAccount(accountId: string): Promise<Sender> {
    const sender = await this.single.get(`account ${accountId}`, () => this.store.senderOf(accountId));
    if (!sender) throw new AccountWithoutSenderError();
    return sender;
  }

  /** The sender with this id, null where there is none. */
  byId(senderId: string): Promise<Sender | null> {
    return this.single.get(senderId, () => this.store.sender(senderId));
  }

  /** Every sender, in the order in which their accounts were made. */
  all(): Promise<Sender[]> {
    return this.list.get('all', () => this.store.senders());
  }

  /** Notes what the platform says of a sender: it holds where the operator set nothing. Whether something changed. */
  async noteLimits(senderId: string, limits: SenderLimits): Promise<boolean> {
    const changed = await this.store.noteLimits(senderId, limits);
    if (changed) this.forget();
    return changed;
  }

  /** Calls `handler` with senders whose limits the platform has changed: they have to be asked for anew. */
  onLimitsChanged(handler: (senderIds: readonly string[]) => void): void {
    this.limitHandlers.push(handler);
  }

  /** The platform says that it has changed what these senders may do, and not always to what. */
  limitsChanged(senderIds: readonly string[]): void {
    this.limitHandlers.forEach((handler) => handler(senderIds));
  }

  /** Notes when the templates of the sender's business account were last read whole. */
  async markTemplatesSynced(senderId: string, at: Date): Promise<void> {
    await this.store.markTemplatesSynced(senderId, at);
    this.forget();
  }

  /** To be called after a change: the next readings are fresh. */
  forget(): void {
    this.single.forgetAll();
    this.list.forgetAll();
  }
}
