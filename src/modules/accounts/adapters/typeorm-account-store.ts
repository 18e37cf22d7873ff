import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Database } from '../../../infra/database/database';
import { isUniqueViolation } from '../../../infra/database/unique-violation';
import { SecretBox } from '../../../infra/secrets/secret-box';
import type { Page, PageRequest } from '../../../kernel/page';
import { uuidV7 } from '../../../kernel/uuid';
import type { Account, AccountChange, AccountDraft, DeletedAccount } from '../domain/account';
import {
  AccountStore,
  type AppSecret,
  type ChangedSender,
  type PlatformId,
  type SenderChanges,
  type SubscriptionToReturn,
} from '../domain/account-store.port';
import { PhoneNumberTakenError } from '../domain/accounts.errors';
import type {
  ActiveSince,
  BusinessAccount,
  Sender,
  SenderDueTimes,
  SenderFields,
  SenderLimits,
  SenderProblem,
  SenderReading,
  SenderTaskTime,
} from '../domain/sender';
import { AccountEntity } from './account.entity';
import { PlatformCredentials } from './platform-credentials';
import { purposeOf } from './sender-secrets';
import { SenderEntity } from './sender.entity';
import * as sql from './senders.sql';

/** Decrypted secrets kept in memory; twice the number of senders of a large installation. */
const MAX_OPENED = 50_000;

/** A row of `senders` and its account. */
type SenderRow = Omit<Sender, 'accessToken' | 'appSecret' | 'tokenProblem'> & {
  accessTokenEncrypted: string | null;
  appSecretEncrypted: string | null;
  problem: StoredProblem | null;
};

type Access = Pick<Sender, 'accessToken' | 'appSecret'>;

/** A problem, and the token and secret that have it. */
interface StoredProblem extends SenderProblem {
  access: string;
}

const DELETED_ACCOUNTS = `
SELECT id, extract(epoch FROM clock_timestamp() - updated_at)::float8 AS seconds FROM accounts
WHERE status = 'Deleting' AND updated_at <= clock_timestamp() - make_interval(secs => $1) ORDER BY updated_at, id LIMIT 1000`;

/** Stores accounts and senders; tokens and secrets are encrypted. */
@Injectable()
export class TypeOrmAccountStore extends AccountStore {
  private readonly opened = new Map<string, string>();

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly environment: PlatformCredentials,
  ) {
    super();
  }

  async add(id: string, { sender, ...fields }: AccountDraft): Promise<void> {
    await this.database.transaction(async () => {
      const now = new Date();
      await this.accounts().insert({ id, ...fields, createdAt: now, updatedAt: now });
      if (sender) await this.addSender(id, uuidV7(), sender);
    });
  }

  async byId(id: string): Promise<Account | null> {
    return this.one(await this.accounts().findOneBy({ id }));
  }

  async page({ page, pageSize }: PageRequest): Promise<Page<Account>> {
    const [rows, totalCount] = await this.accounts().findAndCount({
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: (page - 1) * pageSize,
      take: pageSize,
    });
    const senders = await this.find(sql.DEFAULT_SENDERS, [rows.map((row) => row.id)]);
    const items = rows.map((row) => accountOf(row, senders.find((sender) => sender.accountId === row.id) ?? null));
    return { items, page, pageSize, totalCount };
  }

  async change(id: string, { sender, ...fields }: AccountChange): Promise<void> {
    await this.database.transaction(async () => {
      await this.accounts().update({ id }, { ...fields, updatedAt: new Date() });
      const row = sender && (await this.senderRows().findOneBy({ accountId: id, isDefault: true }));
      if (row) await this.changeSender(row.id, sender);
    });
  }

  async lock(id: string): Promise<void> {
    await this.database.execute('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [id]);
  }

  async addSender(accountId: string, id: string, sender: SenderFields): Promise<void> {
    const isDefault = !(await this.senderRows().existsBy({ accountId, isDefault: true }));
    await mapTakenNumber(this.senderRows().insert({ id, accountId, isDefault, ...this.columnsOf(id, sender) }));
  }

  async changeSender(id: string, change: Partial<SenderFields>): Promise<void> {
    const columns = this.columnsOf(id, change);
    if (Object.keys(columns).length > 0) await mapTakenNumber(this.senderRows().update({ id }, columns));
  }

  async makeDefault(accountId: string, id: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.senderRows().update({ accountId, isDefault: true }, { isDefault: false });
      await this.senderRows().update({ accountId, id }, { isDefault: true });
    });
  }

  async deleteSender(id: string): Promise<void> {
    await this.database.execute(sql.DELETE_SENDER, [id]);
  }

  async beginReturns(accountId: string): Promise<number> {
    return (await this.database.execute(sql.BEGIN_RETURNS, [accountId])).affected;
  }

  async takeReturns(limit: number, leaseMs: number): Promise<SubscriptionToReturn[]> {
    const taken = await this.database.rows<{ id: string; isLast: boolean }>(sql.TAKE_RETURNS, [limit, leaseMs]);
    const last = new Set(taken.flatMap(({ id, isLast }) => (isLast ? [id] : [])));
    const senders = await this.sendersById(taken.map(({ id }) => id));
    return senders.map((sender) => ({ sender, isLast: last.has(sender.id) }));
  }

  async postponeReturns(senderIds: readonly string[]): Promise<void> {
    await this.database.execute(sql.POSTPONE_RETURNS, [senderIds]);
  }

  async endReturns(senderIds: readonly string[]): Promise<void> {
    await this.database.execute(sql.END_RETURNS, [senderIds]);
  }

  async hasReturns(accountId: string): Promise<boolean> {
    const [row] = await this.database.rows<{ hasReturns: boolean }>(sql.HAS_RETURNS, [accountId]);
    return row!.hasReturns;
  }

  async first(): Promise<Account | null> {
    const [row] = await this.accounts().find({ order: { createdAt: 'ASC', id: 'ASC' }, take: 1 });
    return this.one(row ?? null);
  }

  async lockForFirst(): Promise<void> {
    await this.database.execute('LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE');
  }

  async plansInUse(): Promise<string[]> {
    const rows = await this.database.rows<{ plan: string }>('SELECT DISTINCT plan FROM accounts ORDER BY plan');
    return rows.map((row) => row.plan);
  }

  sendersOf(accountId: string): Promise<Sender[]> {
    return this.find(sql.SENDERS_OF_ACCOUNT, [accountId]);
  }

  async sender(senderId: string): Promise<Sender | null> {
    return (await this.sendersById([senderId]))[0] ?? null;
  }

  sendersById(senderIds: readonly string[]): Promise<Sender[]> {
    return this.find(sql.SENDERS_BY_ID, [senderIds]);
  }

  async oldestSender(accountId: string): Promise<Sender | null> {
    return (await this.find(sql.OLDEST_SENDER, [accountId]))[0] ?? null;
  }

  senders(): Promise<Sender[]> {
    return this.find(sql.SENDERS, []);
  }

  async sendersDue(task: SenderTaskTime, due: SenderDueTimes): Promise<string[]> {
    const { quiet, reported, reportedSince, idle, activeSince } = due;
    const times = [quiet, reported, reportedSince, idle, activeSince.at, activeSince.id];
    const rows = await this.database.rows<{ id: string }>(sql.SENDERS_DUE[task], times);
    return rows.map(({ id }) => id);
  }

  businessAccounts(since: ActiveSince): Promise<BusinessAccount[]> {
    return this.database.rows<BusinessAccount>(sql.BUSINESS_ACCOUNTS, [since.at, since.id]);
  }

  sendersWith(field: PlatformId, ids: readonly string[]): Promise<Sender[]> {
    const statement = field === 'phoneNumberId' ? sql.SENDERS_BY_NUMBER : sql.SENDERS_BY_BUSINESS_ACCOUNT;
    return this.find(statement, [ids]);
  }

  async senderChanges(after: string | null): Promise<SenderChanges> {
    const rows = await this.database.rows<ChangedSender & { id: string }>(sql.SENDER_CHANGES, [after]);
    const [first] = rows;
    // Its row has been deleted meanwhile, or a standby that took over lacks it.
    if (first === undefined) return { last: (await this.senderChanges(null)).last, changed: null };
    const changed = first.id === after ? rows.slice(1) : null;
    return { last: rows.at(-1)!.id, changed };
  }

  async appSecrets(after: string | null, limit: number): Promise<AppSecret[]> {
    const rows = await this.database.rows<Pick<SenderRow, 'id' | 'appSecretEncrypted'>>(sql.APP_SECRETS, [
      after,
      limit,
    ]);
    return rows.map((row) => ({ senderId: row.id, appSecret: this.appSecretOf(row) }));
  }

  async beginDeletion(id: string): Promise<void> {
    await this.database.execute(`UPDATE accounts SET status = 'Deleting', updated_at = now() WHERE id = $1`, [id]);
    await this.database.execute('UPDATE api_keys SET revoked_at = now() WHERE account_id = $1 AND revoked_at IS NULL', [
      id,
    ]);
  }

  deletedAccounts(seconds: number): Promise<DeletedAccount[]> {
    return this.database.rows<DeletedAccount>(DELETED_ACCOUNTS, [seconds]);
  }

  async remove(id: string): Promise<void> {
    await this.database.execute('DELETE FROM accounts WHERE id = $1', [id]);
  }

  async recordLimits(senderId: string, { messagesPerSecond, messagingTier }: SenderLimits): Promise<boolean> {
    const { affected } = await this.database.execute(sql.RECORD_LIMITS, [senderId, messagesPerSecond, messagingTier]);
    return affected === 1;
  }

  async recordDisplayNumber(
    { id, phoneNumberId }: Pick<Sender, 'id' | 'phoneNumberId'>,
    displayPhoneNumber: string,
  ): Promise<void> {
    await this.senderRows().update({ id, phoneNumberId, displayPhoneNumber: IsNull() }, { displayPhoneNumber });
  }

  async recordReading(sender: Sender, { at, qualityRating, problem }: SenderReading): Promise<void> {
    const stored = problem && JSON.stringify({ ...problem, access: hashOf(sender) } satisfies StoredProblem);
    await this.database.execute(sql.RECORD_READING, [sender.id, at, qualityRating, stored]);
  }

  async leaseReading(senderId: string, leaseMs: number): Promise<boolean> {
    return (await this.database.execute(sql.LEASE_READING, [senderId, leaseMs])).affected === 1;
  }

  refusedSenders(): Promise<Sender[]> {
    return this.find(sql.REFUSED_SENDERS, []);
  }

  async markTemplatesSynced(senderId: string, at: Date): Promise<void> {
    await this.senderRows().update({ id: senderId }, { templatesSyncedAt: at });
  }

  private accounts() {
    return this.database.repository(AccountEntity);
  }

  private senderRows() {
    return this.database.repository(SenderEntity);
  }

  private async one(row: AccountEntity | null): Promise<Account | null> {
    return row && accountOf(row, (await this.sendersOf(row.id))[0] ?? null);
  }

  private async find(statement: string, parameters: unknown[]): Promise<Sender[]> {
    const rows = await this.database.rows<SenderRow>(statement, parameters);
    return rows.map((row) => {
      const { accessTokenEncrypted, appSecretEncrypted, problem, ...fields } = row;
      const token = accessTokenEncrypted && this.open(accessTokenEncrypted, purposeOf(row.id, 'accessToken'));
      const appSecret = this.appSecretOf({ id: row.id, appSecretEncrypted });
      const access = { accessToken: token ?? this.environment.accessToken, appSecret };
      return { ...fields, ...access, tokenProblem: problem && problemOf(problem, access) };
    });
  }

  private appSecretOf({ id, appSecretEncrypted }: Pick<SenderRow, 'id' | 'appSecretEncrypted'>): string {
    const secret = appSecretEncrypted && this.open(appSecretEncrypted, purposeOf(id, 'appSecret'));
    return secret ?? this.environment.appSecret;
  }

  /** Decrypts each secret once: senders are read every second. */
  private open(sealed: string, purpose: string): string {
    const key = `${purpose} ${sealed}`;
    const known = this.opened.get(key);
    if (known !== undefined) return known;
    const secret = this.secrets.open(sealed, purpose);
    if (this.opened.size >= MAX_OPENED) this.opened.clear();
    this.opened.set(key, secret);
    return secret;
  }

  private columnsOf(
    senderId: string,
    { accessToken, appSecret, messagesPerSecond, messagingTier, ...fields }: Partial<SenderFields>,
  ): Partial<SenderEntity> {
    const seal = (secret: string | null, column: 'accessToken' | 'appSecret') =>
      secret && this.secrets.seal(secret, purposeOf(senderId, column));
    return {
      ...fields,
      ...(messagesPerSecond !== undefined && { configuredMessagesPerSecond: messagesPerSecond }),
      ...(messagingTier !== undefined && { configuredMessagingTier: messagingTier }),
      ...(accessToken !== undefined && { accessTokenEncrypted: seal(accessToken, 'accessToken') }),
      ...(appSecret !== undefined && { appSecretEncrypted: seal(appSecret, 'appSecret') }),
    };
  }
}

/** The problem, unless it is that of an earlier token or secret. */
function problemOf({ code, message, access }: StoredProblem, current: Access): SenderProblem | null {
  return access === hashOf(current) ? { code, message } : null;
}

function hashOf({ accessToken, appSecret }: Access): string {
  return createHash('sha256')
    .update(JSON.stringify([accessToken, appSecret]))
    .digest('hex');
}

function accountOf(row: AccountEntity, sender: Sender | null): Account {
  return { ...row, sender };
}

async function mapTakenNumber(writing: Promise<unknown>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    throw isUniqueViolation(error, 'senders_by_phone_number') ? new PhoneNumberTakenError() : error;
  }
}
