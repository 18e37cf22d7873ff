import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { GroupCommit } from '../../../kernel/group-commit';
import { AccountStore, type AppSecret, type PlatformId, type SubscriptionToReturn } from './account-store.port';
import { AccountWithoutSenderError, SenderDeletedError, SenderNotFoundError } from './accounts.errors';
import { RecentValues } from './recent-values';
import type {
  ActiveSince,
  BusinessAccount,
  ReportedSender,
  Sender,
  SenderDueTimes,
  SenderLimits,
  SenderProblem,
  SenderReading,
  SenderTaskTime,
} from './sender';

/** The emergency stop must take effect within 2 s in every process. */
const MAX_AGE_MS = 1_000;
/** Of a sender in reports, which is read again after a change of it. */
const MAX_REPORTED_AGE_MS = 600_000;
/** 12,000 senders, each by its number and by its business account. */
const MAX_REPORTED = 24_000;
const LANES_AT_ONCE = 500;

/**
 * The senders of all accounts. Changes of this process are visible at once, those of other processes within a second.
 */
@Injectable()
export class SendersService {
  private readonly single: RecentValues<Sender | null>;
  private readonly ofLanes: GroupCommit<string, Sender | null>;
  private readonly ofAccounts: RecentValues<Sender[]>;
  private readonly oldest: RecentValues<Sender | null>;
  private readonly changes: RecentValues<void>;
  private readonly reported: RecentValues<ReportedSender[]>;
  private readonly secrets: RecentValues<AppSecret[]>;
  private readonly refusals = new Map<string, Pick<Sender, 'accessToken' | 'appSecret'> & { problem: SenderProblem }>();
  /** By sender, the reading with a problem after which its token was accepted. */
  private readonly accepted = new Map<string, number | undefined>();
  /** The last change of a sender that is known. */
  private lastChange: string | null = null;
  private readonly changeHandlers: (() => void)[] = [];
  private readonly limitHandlers: ((senderIds: readonly string[]) => void)[] = [];

  constructor(
    private readonly store: AccountStore,
    clock: Clock,
  ) {
    this.single = new RecentValues(clock, MAX_AGE_MS);
    const readAll = async (ids: readonly string[]): Promise<(Sender | null)[]> => {
      const found = new Map((await store.sendersById(ids)).map((sender) => [sender.id, sender]));
      return ids.map((id) => found.get(id) ?? null);
    };
    this.ofLanes = new GroupCommit(readAll, { maxItems: LANES_AT_ONCE, gatherMs: 0, clock });
    this.ofAccounts = new RecentValues(clock, MAX_AGE_MS);
    this.oldest = new RecentValues(clock, MAX_AGE_MS);
    this.changes = new RecentValues(clock, MAX_AGE_MS);
    this.reported = new RecentValues(clock, MAX_REPORTED_AGE_MS, MAX_REPORTED);
    this.secrets = new RecentValues(clock, MAX_AGE_MS);
  }

  /** The senders of an account, the default first. */
  allOf(accountId: string): Promise<Sender[]> {
    return this.ofAccounts.get(accountId, () => this.store.sendersOf(accountId));
  }

  /** Whether the account has several senders, so that responses contain `senderId`. */
  async hasSeveral(accountId: string): Promise<boolean> {
    return (await this.allOf(accountId)).length > 1;
  }

  /** The requested sender of an account, or its default; throws SenderNotFoundError, AccountWithoutSenderError. */
  async ofAccount(accountId: string, senderId?: string): Promise<Sender> {
    const among = (all: readonly Sender[]) =>
      senderId === undefined ? all[0] : all.find(({ id }) => id === senderId.toLowerCase());
    const known = among(await this.allOf(accountId));
    if (known) return known;
    // Another process may have created it since the account was read.
    this.ofAccounts.forget(accountId);
    const created = among(await this.allOf(accountId));
    if (created) return created;
    throw senderId === undefined ? new AccountWithoutSenderError() : new SenderNotFoundError();
  }

  /**
   * The sender that a record of the account names; null: its oldest, the only one when early versions recorded. Throws
   * SenderDeletedError, AccountWithoutSenderError.
   */
  async recorded(accountId: string, senderId: string | null): Promise<Sender> {
    if (senderId === null) return this.oldestOf(accountId);
    const sender = (await this.allOf(accountId)).find(({ id }) => id === senderId);
    if (!sender) throw new SenderDeletedError();
    return sender;
  }

  /** The id of the sender that `recorded` returns, also of a deleted one; null: the account has never had a sender. */
  async recordedId(accountId: string, senderId: string | null): Promise<string | null> {
    return senderId ?? (await this.oldest.get(accountId, () => this.store.oldestSender(accountId)))?.id ?? null;
  }

  /** The sender with this id, also a deleted one; null if there is none. */
  byId(senderId: string): Promise<Sender | null> {
    return this.single.get(senderId, () => this.store.sender(senderId));
  }

  /** `byId` for the lane of the sender, outside of transactions: lanes that ask together share a statement. */
  ofLane(senderId: string): Promise<Sender | null> {
    return this.single.get(senderId, () => this.ofLanes.submit(senderId));
  }

  /** The senders with one of these ids on the platform; those that are not cached are read at once. */
  async with(field: PlatformId, ids: Iterable<string>): Promise<ReportedSender[]> {
    await this.changes.get('', () => this.dropChanged());
    const { lastChange } = this;
    const missing: string[] = [];
    let reading: Promise<Sender[]> | null = null;
    const read = async (id: string): Promise<ReportedSender[]> => {
      missing.push(id);
      // After all ids are known.
      reading ??= Promise.resolve().then(() => this.store.sendersWith(field, missing));
      const own = (await reading).filter((sender) => sender[field] === id).map(reportedSender);
      // A report names both the business account and the number; a read that began before a change may end after it.
      for (const sender of lastChange === this.lastChange ? own : []) {
        void this.reported.get(`phoneNumberId ${sender.phoneNumberId}`, () => Promise.resolve([sender]));
      }
      return own;
    };
    const found = [...new Set(ids)].map((id) => this.reported.get(`${field} ${id}`, () => read(id)));
    return (await Promise.all(found)).flat();
  }

  /** The senders of a business account, in all accounts; not cached. */
  ofBusinessAccount(businessAccountId: string): Promise<Sender[]> {
    return this.store.sendersWith('businessAccountId', [businessAccountId]);
  }

  /** The app secrets of at most `limit` senders, in order of sender id after `after`. */
  appSecrets(after: string | null, limit: number): Promise<AppSecret[]> {
    return this.secrets.get(`${after} ${limit}`, () => this.store.appSecrets(after, limit));
  }

  /** The ids of the senders for which the task is due, oldest account first; not cached. */
  due(task: SenderTaskTime, due: SenderDueTimes): Promise<string[]> {
    return this.store.sendersDue(task, due);
  }

  /** The business accounts of all senders, with their activity since then; not cached. */
  businessAccounts(since: ActiveSince): Promise<BusinessAccount[]> {
    return this.store.businessAccounts(since);
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

  /** The senders with a problem; deleted ones and those of deleted accounts are left out. */
  async withProblem(): Promise<Sender[]> {
    const own = await Promise.all([...this.refusals.keys()].map((senderId) => this.byId(senderId)));
    const read = await this.store.refusedSenders();
    const all = new Map([...own, ...read].flatMap((sender) => (sender ? [[sender.id, sender]] : [])));
    return [...all.values()].filter(
      (sender) => !sender.isDeleted && !sender.isAccountDeleted && this.problemOf(sender) !== null,
    );
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

  /** Marks the subscriptions of a deleted account as to be returned, unless they are; returns their number. */
  beginReturns(accountId: string): Promise<number> {
    return this.store.beginReturns(accountId);
  }

  /** Leases for `leaseMs` at most `limit` subscriptions of deleted senders and accounts whose return is due. */
  takeReturns(limit: number, leaseMs: number): Promise<SubscriptionToReturn[]> {
    return this.store.takeReturns(limit, leaseMs);
  }

  /** Ends the lease; they are due again after a pause that grows from a minute to half an hour. */
  postponeReturns(senders: readonly Sender[]): Promise<void> {
    return this.store.postponeReturns(senders.map(({ id }) => id));
  }

  /** Records that nothing is to be returned any more: the secrets of deleted senders are deleted. */
  endReturns(senders: readonly Sender[]): Promise<void> {
    return this.store.endReturns(senders.map(({ id }) => id));
  }

  /** Whether a subscription of the account is still to be returned. */
  hasReturns(accountId: string): Promise<boolean> {
    return this.store.hasReturns(accountId);
  }

  /** Clears the cache; must be called after a change of an account or of the ids or secrets of a sender. */
  forget(): void {
    this.single.forgetAll();
    this.ofAccounts.forgetAll();
    this.oldest.forgetAll();
    this.changes.forgetAll();
    this.secrets.forgetAll();
    this.changeHandlers.forEach((handler) => handler());
  }

  /** Drops the senders in reports that any process has changed since the last call. */
  private async dropChanged(): Promise<void> {
    const { last, changed } = await this.store.senderChanges(this.lastChange);
    this.lastChange = last;
    if (changed === null) this.reported.forgetAll();
    for (const { phoneNumberId, businessAccountId } of changed ?? []) {
      this.reported.forget(`phoneNumberId ${phoneNumberId}`);
      this.reported.forget(`businessAccountId ${businessAccountId}`);
    }
  }

  private async oldestOf(accountId: string): Promise<Sender> {
    const sender = await this.oldest.get(accountId, () => this.store.oldestSender(accountId));
    if (!sender) throw new AccountWithoutSenderError();
    if (sender.isDeleted) throw new SenderDeletedError();
    return sender;
  }

  private forgetOne({ id, accountId }: Sender): void {
    this.single.forget(id);
    this.ofAccounts.forget(accountId);
    this.oldest.forget(accountId);
  }
}

function reportedSender({ id, accountId, phoneNumberId, businessAccountId, appSecret }: Sender): ReportedSender {
  return { id, accountId, phoneNumberId, businessAccountId, appSecret };
}
