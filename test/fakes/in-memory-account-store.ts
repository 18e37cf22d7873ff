import type { Page, PageRequest } from '../../src/kernel/page';
import { uuidV7 } from '../../src/kernel/uuid';
import type { Account, AccountChange, AccountDraft, DeletedAccount } from '../../src/modules/accounts/domain/account';
import {
  AccountStore,
  type AppSecret,
  type ChangedSender,
  type PlatformId,
  type SenderChanges,
  type SubscriptionToReturn,
} from '../../src/modules/accounts/domain/account-store.port';
import { PhoneNumberTakenError } from '../../src/modules/accounts/domain/accounts.errors';
import {
  type ActiveSince,
  type BusinessAccount,
  isIdle,
  isTaskDue,
  type Sender,
  type SenderDueTimes,
  type SenderFields,
  type SenderLimits,
  type SenderReading,
  type SenderTaskTime,
} from '../../src/modules/accounts/domain/sender';

type AccountRow = Omit<Account, 'sender'>;
type SenderRow = SenderFields & {
  id: string;
  accountId: string;
  isDefault: boolean;
  isDeleted: boolean;
  templatesSyncedAt: Date | null;
  platform: SenderLimits;
  reading: (SenderReading & { access: string }) | null;
};

const accessOf = ({ accessToken, appSecret }: Sender): string => JSON.stringify([accessToken, appSecret]);

/** Accounts in memory, in order of creation. */
export class InMemoryAccountStore extends AccountStore {
  private readonly accounts = new Map<string, AccountRow>();
  private readonly senderRows: SenderRow[] = [];
  /** Senders whose reading is leased; without a time limit. */
  readonly leases = new Set<string>();
  private lastSenders = new Map<string, ChangedSender & Pick<Sender, 'appSecret'>>();
  private readonly changeLog: ChangedSender[] = [];
  /** By sender, the return of its subscription; without times. */
  readonly returns = new Map<string, 'due' | 'leased' | 'postponed' | 'ended'>();
  isLastReturn = false;
  /** When the platform last reported on the senders. */
  traffic: Pick<Sender, 'lastAcceptedAt' | 'lastReportedAt'> = { lastAcceptedAt: null, lastReportedAt: null };

  constructor(private readonly environment = { accessToken: 'environment-token', appSecret: 'environment-secret' }) {
    super();
  }

  async add(id: string, { sender, ...fields }: AccountDraft): Promise<void> {
    if (sender) await this.addSender(id, uuidV7(), sender);
    const now = new Date();
    this.accounts.set(id, { id, ...fields, createdAt: now, updatedAt: now });
  }

  byId(id: string): Promise<Account | null> {
    const row = this.accounts.get(id);
    return Promise.resolve(row ? this.accountOf(row) : null);
  }

  page({ page, pageSize }: PageRequest): Promise<Page<Account>> {
    const newestFirst = [...this.accounts.values()].reverse().map((row) => this.accountOf(row));
    const items = newestFirst.slice((page - 1) * pageSize, page * pageSize);
    return Promise.resolve({ items, page, pageSize, totalCount: newestFirst.length });
  }

  change(id: string, { sender, ...fields }: AccountChange): Promise<void> {
    const row = this.senderRows.find(({ accountId, isDefault }) => accountId === id && isDefault);
    if (row && sender) {
      if (this.isTaken(sender.phoneNumberId, row.id)) return Promise.reject(new PhoneNumberTakenError());
      Object.assign(row, sender);
    }
    Object.assign(this.accounts.get(id) ?? {}, fields, { updatedAt: new Date() });
    return Promise.resolve();
  }

  lock(): Promise<void> {
    return Promise.resolve();
  }

  addSender(accountId: string, id: string, sender: SenderFields): Promise<void> {
    if (this.isTaken(sender.phoneNumberId, id)) return Promise.reject(new PhoneNumberTakenError());
    const platform = { messagesPerSecond: null, messagingTier: null };
    const isDefault = !this.senderRows.some((row) => row.accountId === accountId && row.isDefault);
    const state = { isDefault, isDeleted: false, templatesSyncedAt: null, platform, reading: null };
    this.senderRows.push({ id, accountId, ...sender, ...state });
    return Promise.resolve();
  }

  changeSender(senderId: string, change: Partial<SenderFields>): Promise<void> {
    if (this.isTaken(change.phoneNumberId, senderId)) return Promise.reject(new PhoneNumberTakenError());
    return this.set(senderId, change);
  }

  makeDefault(accountId: string, senderId: string): Promise<void> {
    for (const row of this.senderRows) if (row.accountId === accountId) row.isDefault = row.id === senderId;
    return Promise.resolve();
  }

  deleteSender(senderId: string): Promise<void> {
    this.returns.set(senderId, 'due');
    return this.set(senderId, { isDefault: false, isDeleted: true });
  }

  beginReturns(accountId: string): Promise<number> {
    const rows = this.senderRows.filter((row) => row.accountId === accountId && !this.returns.has(row.id));
    for (const { id } of rows) this.returns.set(id, 'due');
    return Promise.resolve(rows.length);
  }

  async takeReturns(limit: number): Promise<SubscriptionToReturn[]> {
    const due = [...this.returns].flatMap(([id, state]) => (state === 'due' ? [id] : [])).slice(0, limit);
    for (const id of due) this.returns.set(id, 'leased');
    return (await this.sendersById(due)).map((sender) => ({ sender, isLast: this.isLastReturn }));
  }

  postponeReturns(senderIds: readonly string[]): Promise<void> {
    for (const id of senderIds) this.returns.set(id, 'postponed');
    return Promise.resolve();
  }

  async endReturns(senderIds: readonly string[]): Promise<void> {
    for (const id of senderIds) {
      this.returns.set(id, 'ended');
      const isDeleted = this.senderRows.some((row) => row.id === id && row.isDeleted);
      if (isDeleted) await this.set(id, { accessToken: null, appSecret: null });
    }
  }

  hasReturns(accountId: string): Promise<boolean> {
    const own = this.senderRows.filter((row) => row.accountId === accountId).map(({ id }) => this.returns.get(id));
    return Promise.resolve(own.some((state) => state !== undefined && state !== 'ended'));
  }

  first(): Promise<Account | null> {
    const [row] = this.accounts.values();
    return Promise.resolve(row ? this.accountOf(row) : null);
  }

  lockForFirst(): Promise<void> {
    return Promise.resolve();
  }

  plansInUse(): Promise<string[]> {
    return Promise.resolve([...new Set([...this.accounts.values()].map(({ plan }) => plan))].sort());
  }

  sendersOf(accountId: string): Promise<Sender[]> {
    const rows = this.senderRows.filter((row) => row.accountId === accountId && !row.isDeleted);
    rows.sort((a, b) => Number(b.isDefault) - Number(a.isDefault) || (a.id < b.id ? -1 : 1));
    return Promise.resolve(rows.flatMap((row) => this.senderWhere(({ id }) => id === row.id) ?? []));
  }

  sender(senderId: string): Promise<Sender | null> {
    return Promise.resolve(this.senderWhere((row) => row.id === senderId));
  }

  async sendersById(senderIds: readonly string[]): Promise<Sender[]> {
    return (await Promise.all(senderIds.map((id) => this.sender(id)))).flatMap((sender) => sender ?? []);
  }

  oldestSender(accountId: string): Promise<Sender | null> {
    return Promise.resolve(this.senderWhere((row) => row.accountId === accountId));
  }

  async sendersDue(task: SenderTaskTime, due: SenderDueTimes): Promise<string[]> {
    return (await this.senders()).filter((sender) => isTaskDue(sender[task], sender, due)).map(({ id }) => id);
  }

  async businessAccounts(since: ActiveSince): Promise<BusinessAccount[]> {
    const found = new Map<string, BusinessAccount>();
    for (const sender of await this.senders()) {
      const { businessAccountId: id, lastReportedAt } = sender;
      const other = found.get(id);
      const isReported = lastReportedAt !== null && lastReportedAt >= since.at;
      found.set(id, {
        id,
        isReported: isReported || other?.isReported === true,
        isIdle: isIdle(sender, since) && other?.isIdle !== false,
        newestSender: other && other.newestSender > sender.id ? other.newestSender : sender.id,
      });
    }
    return [...found.values()];
  }

  senders(): Promise<Sender[]> {
    const ids = [...this.accounts.values()].filter(({ status }) => status !== 'Deleting').map(({ id }) => id);
    const rows = this.senderRows
      .filter(({ accountId, isDeleted }) => ids.includes(accountId) && !isDeleted)
      .sort((a, b) => ids.indexOf(a.accountId) - ids.indexOf(b.accountId));
    return Promise.resolve(rows.flatMap((row) => this.senderWhere(({ id }) => id === row.id) ?? []));
  }

  /** Whether keys are revoked is tested with a database. */
  beginDeletion(id: string): Promise<void> {
    return this.change(id, { status: 'Deleting' });
  }

  deletedAccounts(seconds: number): Promise<DeletedAccount[]> {
    const deleted = [...this.accounts.values()]
      .filter(({ status }) => status === 'Deleting')
      .map(({ id, updatedAt }) => ({ id, seconds: (Date.now() - updatedAt.getTime()) / 1000 }))
      .filter((account) => account.seconds >= seconds);
    return Promise.resolve(deleted.sort((one, other) => other.seconds - one.seconds));
  }

  remove(id: string): Promise<void> {
    this.accounts.delete(id);
    return Promise.resolve();
  }

  async sendersWith(field: PlatformId, ids: readonly string[]): Promise<Sender[]> {
    return (await this.senders()).filter((sender) => ids.includes(sender[field]));
  }

  /** Compares the senders with those at the last call by anyone. */
  async senderChanges(after: string | null): Promise<SenderChanges> {
    const now = new Map(
      (await this.senders()).map(({ id, phoneNumberId, businessAccountId, appSecret }) => [
        id,
        { phoneNumberId, businessAccountId, appSecret },
      ]),
    );
    for (const id of new Set([...this.lastSenders.keys(), ...now.keys()])) {
      const [before, current] = [this.lastSenders.get(id), now.get(id)];
      if (JSON.stringify(before) !== JSON.stringify(current)) {
        this.changeLog.push(...[before, current].flatMap((one) => one ?? []));
      }
    }
    this.lastSenders = now;
    const changed = after === null ? null : this.changeLog.slice(Number(after));
    return { last: String(this.changeLog.length), changed };
  }

  async appSecrets(after: string | null, limit: number): Promise<AppSecret[]> {
    return (await this.senders())
      .filter(({ id }) => after === null || id > after)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map(({ id, appSecret }) => ({ senderId: id, appSecret }));
  }

  recordLimits(senderId: string, limits: SenderLimits): Promise<boolean> {
    const row = this.senderRows.find(({ id }) => id === senderId);
    const before = JSON.stringify(row?.platform);
    if (row) {
      row.platform = {
        messagesPerSecond: limits.messagesPerSecond ?? row.platform.messagesPerSecond,
        messagingTier: limits.messagingTier ?? row.platform.messagingTier,
      };
    }
    return Promise.resolve(JSON.stringify(row?.platform) !== before);
  }

  recordDisplayNumber(
    { id, phoneNumberId }: Pick<Sender, 'id' | 'phoneNumberId'>,
    displayPhoneNumber: string,
  ): Promise<void> {
    const row = this.senderRows.find((one) => one.id === id && one.phoneNumberId === phoneNumberId);
    if (row) row.displayPhoneNumber ??= displayPhoneNumber;
    return Promise.resolve();
  }

  recordReading(sender: Sender, reading: SenderReading): Promise<void> {
    for (const row of this.senderRows) if (row.id === sender.id) row.reading = { ...reading, access: accessOf(sender) };
    this.leases.delete(sender.id);
    return Promise.resolve();
  }

  /** Leases end with the reading. */
  leaseReading(senderId: string): Promise<boolean> {
    const isFree = !this.leases.has(senderId);
    this.leases.add(senderId);
    return Promise.resolve(isFree);
  }

  async refusedSenders(): Promise<Sender[]> {
    return (await this.senders()).filter(({ tokenProblem }) => tokenProblem !== null);
  }

  markTemplatesSynced(senderId: string, at: Date): Promise<void> {
    for (const row of this.senderRows) if (row.id === senderId) row.templatesSyncedAt = at;
    return Promise.resolve();
  }

  private accountOf(row: AccountRow): Account {
    return { ...row, sender: this.senderWhere(({ accountId, isDefault }) => accountId === row.id && isDefault) };
  }

  private senderWhere(matches: (row: SenderRow) => boolean): Sender | null {
    const found = this.senderRows.find(matches);
    const account = found && this.accounts.get(found.accountId);
    if (!found || !account) return null;
    const { platform, reading, ...row } = found;
    const sender = {
      ...row,
      messagesPerSecond: row.messagesPerSecond ?? platform.messagesPerSecond ?? 80,
      messagingTier: row.messagingTier ?? platform.messagingTier ?? 'Unlimited',
      accessToken: row.accessToken ?? this.environment.accessToken,
      appSecret: row.appSecret ?? this.environment.appSecret,
      portfolioId: row.businessPortfolioId ?? account.businessPortfolioId ?? row.businessAccountId,
      sendingPaused: account.sendingPaused || account.status !== 'Active' || row.isDeleted,
      isAccountDeleted: account.status === 'Deleting',
      defaultCountry: account.defaultCountry,
      limitsReadAt: reading?.at ?? null,
      qualityRating: reading?.qualityRating ?? null,
      tokenProblem: null,
      ...this.traffic,
    };
    return { ...sender, tokenProblem: reading?.access === accessOf(sender) ? reading.problem : null };
  }

  private set(senderId: string, change: Partial<SenderRow>): Promise<void> {
    for (const row of this.senderRows) if (row.id === senderId) Object.assign(row, change);
    return Promise.resolve();
  }

  private isTaken(phoneNumberId: string | undefined, senderId: string): boolean {
    return this.senderRows.some((row) => row.phoneNumberId === phoneNumberId && row.id !== senderId && !row.isDeleted);
  }
}
