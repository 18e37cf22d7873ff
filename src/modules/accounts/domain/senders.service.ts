import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { AccountStore } from './account-store.port';
import { AccountWithoutSenderError } from './accounts.errors';
import { RecentValues } from './recent-values';
import type { Sender, SenderLimits, SenderProblem, SenderQualityRating } from './sender';

/** The emergency stop must take effect within 2 s in every process. */
const MAX_AGE_MS = 1_000;

/** The senders of all accounts, cached for 1 s; changes of this process are visible at once. */
@Injectable()
export class SendersService {
  private readonly single: RecentValues<Sender | null>;
  private readonly list: RecentValues<Sender[]>;
  private readonly quality = new Map<string, SenderQualityRating | null>();
  private readonly refusals = new Map<string, Pick<Sender, 'accessToken' | 'appSecret'> & { problem: SenderProblem }>();
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

  /** The sender with this id; null if there is none. */
  byId(senderId: string): Promise<Sender | null> {
    return this.single.get(senderId, () => this.store.sender(senderId));
  }

  /** Every sender, oldest account first. */
  all(): Promise<Sender[]> {
    return this.list.get('all', () => this.store.senders());
  }

  /** Stores the limits that the platform reports; the operator's settings take precedence. Returns whether anything changed. */
  async recordLimits(senderId: string, limits: SenderLimits): Promise<boolean> {
    const changed = await this.store.recordLimits(senderId, limits);
    if (changed) this.forget();
    return changed;
  }

  /** Stores the display number reported by the platform, unless the operator has set one. */
  async recordDisplayNumber(sender: Sender, displayPhoneNumber: string): Promise<void> {
    if (sender.displayPhoneNumber !== null) return;
    await this.store.recordDisplayNumber(sender, displayPhoneNumber);
    this.forget();
  }

  /** Records the platform's rating in memory; each process reads it at the start and every 15 minutes. */
  recordQuality(senderId: string, rating: SenderQualityRating | null): void {
    this.quality.set(senderId, rating);
  }

  /** The platform's rating of the sender; null: unrated, or not read yet. */
  qualityOf(senderId: string): SenderQualityRating | null {
    return this.quality.get(senderId) ?? null;
  }

  /** Records in memory that the platform refused the sender's access token. */
  recordRefusal({ id, accessToken, appSecret }: Sender, problem: SenderProblem): void {
    this.refusals.set(id, { accessToken, appSecret, problem });
  }

  /** Records in memory that the platform accepted the sender's access token. */
  recordAccess({ id }: Sender): void {
    this.refusals.delete(id);
  }

  /** The problem of the sender's current access token and app secret; null: none recorded in this process. */
  problemOf({ id, accessToken, appSecret }: Sender): SenderProblem | null {
    const refusal = this.refusals.get(id);
    return refusal?.accessToken === accessToken && refusal.appSecret === appSecret ? refusal.problem : null;
  }

  /** The senders with a problem; queries nothing while none is recorded. */
  async withProblem(): Promise<Sender[]> {
    if (this.refusals.size === 0) return [];
    return (await this.all()).filter((sender) => this.problemOf(sender) !== null);
  }

  /** Calls `handler` with the senders whose limits must be read again. */
  onLimitsChanged(handler: (senderIds: readonly string[]) => void): void {
    this.limitHandlers.push(handler);
  }

  /** Reports that the platform has changed the limits of these senders; its notice may not contain the new values. */
  limitsChanged(senderIds: readonly string[]): void {
    this.limitHandlers.forEach((handler) => handler(senderIds));
  }

  /** Records when the templates of the sender's business account were last read completely. */
  async markTemplatesSynced(senderId: string, at: Date): Promise<void> {
    await this.store.markTemplatesSynced(senderId, at);
    this.forget();
  }

  /** Clears the cache; must be called after a change. */
  forget(): void {
    this.single.forgetAll();
    this.list.forgetAll();
  }
}
