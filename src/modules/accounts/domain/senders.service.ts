import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { AccountStore, type AppSecret, type PlatformId } from './account-store.port';
import { AccountWithoutSenderError } from './accounts.errors';
import { RecentValues } from './recent-values';
import type { Sender, SenderLimits, SenderProblem, SenderReading } from './sender';

/** The emergency stop must take effect within 2 s in every process. */
const MAX_AGE_MS = 1_000;

/** The senders of all accounts, each cached for 1 s; changes of this process are visible at once. */
@Injectable()
export class SendersService {
  private readonly single: RecentValues<Sender | null>;
  private readonly onPlatform: RecentValues<Sender[]>;
  private readonly secrets: RecentValues<AppSecret[]>;
  private readonly refusals = new Map<string, Pick<Sender, 'accessToken' | 'appSecret'> & { problem: SenderProblem }>();
  /** By sender, the reading with a problem after which its token was accepted. */
  private readonly accepted = new Map<string, number | undefined>();
  private readonly changeHandlers: (() => void)[] = [];
  private readonly limitHandlers: ((senderIds: readonly string[]) => void)[] = [];

  constructor(
    private readonly store: AccountStore,
    clock: Clock,
  ) {
    this.single = new RecentValues(clock, MAX_AGE_MS);
    this.onPlatform = new RecentValues(clock, MAX_AGE_MS);
    this.secrets = new RecentValues(clock, MAX_AGE_MS);
  }

  /** The sender of an account; throws AccountWithoutSenderError. */
  async ofAccount(accountId: string): Promise<Sender> {
    const sender = await this.findOfAccount(accountId);
    if (!sender) throw new AccountWithoutSenderError();
    return sender;
  }

  /** The sender of an account; null if it has none. */
  findOfAccount(accountId: string): Promise<Sender | null> {
    return this.single.get(`account ${accountId}`, () => this.store.senderOf(accountId));
  }

  /** The sender with this id; null if there is none. */
  byId(senderId: string): Promise<Sender | null> {
    return this.single.get(senderId, () => this.store.sender(senderId));
  }

  /** The senders with one of these ids on the platform; those that are not cached are read at once. */
  async with(field: PlatformId, ids: Iterable<string>): Promise<Sender[]> {
    const missing: string[] = [];
    let reading: Promise<Sender[]> | null = null;
    const read = async (id: string): Promise<Sender[]> => {
      missing.push(id);
      // After all ids are known.
      reading ??= Promise.resolve().then(() => this.store.sendersWith(field, missing));
      const own = (await reading).filter((sender) => sender[field] === id);
      // A report names both the business account and the number.
      for (const sender of own) void this.onPlatform.get(numberKey(sender), () => Promise.resolve([sender]));
      return own;
    };
    const found = [...new Set(ids)].map((id) => this.onPlatform.get(`${field} ${id}`, () => read(id)));
    return (await Promise.all(found)).flat();
  }

  /** The app secrets of at most `limit` senders, in order of sender id after `after`. */
  appSecrets(after: string | null, limit: number): Promise<AppSecret[]> {
    return this.secrets.get(`${after} ${limit}`, () => this.store.appSecrets(after, limit));
  }

  /** Every sender, oldest account first; not cached. */
  all(): Promise<Sender[]> {
    return this.store.senders();
  }

  /** Stores the limits that the platform reports; the operator's settings take precedence. Returns whether anything changed. */
  async recordLimits(sender: Sender, limits: SenderLimits): Promise<boolean> {
    const changed = await this.store.recordLimits(sender.id, limits);
    if (changed) this.forgetOne(sender);
    return changed;
  }

  /** Stores the display number reported by the platform, unless the operator has set one. */
  async recordDisplayNumber(sender: Sender, displayPhoneNumber: string): Promise<void> {
    if (sender.displayPhoneNumber !== null) return;
    await this.store.recordDisplayNumber(sender, displayPhoneNumber);
    this.forgetOne(sender);
  }

  /** Stores the platform's rating of the sender, or why it refused its access token. */
  async recordReading(sender: Sender, reading: SenderReading): Promise<void> {
    if (!reading.problem) this.recordAccess(sender);
    await this.store.recordReading(sender, reading);
    this.forgetOne(sender);
  }

  /** Leases the reading of the sender for `leaseMs`; returns false if another process holds the lease. */
  leaseReading({ id }: Sender, leaseMs: number): Promise<boolean> {
    return this.store.leaseReading(id, leaseMs);
  }

  /** Records in memory that the platform refused the sender's access token. */
  recordRefusal({ id, accessToken, appSecret }: Sender, problem: SenderProblem): void {
    this.refusals.set(id, { accessToken, appSecret, problem });
  }

  /** Records in memory that the platform accepted the sender's access token. */
  recordAccess({ id, tokenProblem, limitsReadAt }: Sender): void {
    this.refusals.delete(id);
    if (tokenProblem) this.accepted.set(id, limitsReadAt?.getTime());
  }

  /** The problem of the sender's current access token and app secret; null: none recorded by this process or by the last reading. */
  problemOf({ id, accessToken, appSecret, tokenProblem, limitsReadAt }: Sender): SenderProblem | null {
    const refusal = this.refusals.get(id);
    if (refusal?.accessToken === accessToken && refusal.appSecret === appSecret) return refusal.problem;
    return this.accepted.get(id) === limitsReadAt?.getTime() ? null : tokenProblem;
  }

  /** The senders with a problem. */
  async withProblem(): Promise<Sender[]> {
    const own = await Promise.all([...this.refusals.keys()].map((senderId) => this.byId(senderId)));
    const read = await this.store.refusedSenders();
    const all = new Map([...own, ...read].flatMap((sender) => (sender ? [[sender.id, sender]] : [])));
    return [...all.values()].filter((sender) => this.problemOf(sender) !== null);
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
  async markTemplatesSynced(sender: Sender, at: Date): Promise<void> {
    await this.store.markTemplatesSynced(sender.id, at);
    this.forgetOne(sender);
  }

  /** Calls `handler` when this process has changed an account or a sender. */
  onChange(handler: () => void): void {
    this.changeHandlers.push(handler);
  }

  /** Clears the cache; must be called after a change of an account or of the ids or secrets of a sender. */
  forget(): void {
    this.single.forgetAll();
    this.onPlatform.forgetAll();
    this.secrets.forgetAll();
    this.changeHandlers.forEach((handler) => handler());
  }

  private forgetOne({ id, accountId, phoneNumberId, businessAccountId }: Sender): void {
    this.single.forget(id);
    this.single.forget(`account ${accountId}`);
    this.onPlatform.forget(numberKey({ phoneNumberId }));
    this.onPlatform.forget(`businessAccountId ${businessAccountId}`);
  }
}

function numberKey({ phoneNumberId }: Pick<Sender, 'phoneNumberId'>): string {
  return `phoneNumberId ${phoneNumberId}`;
}
