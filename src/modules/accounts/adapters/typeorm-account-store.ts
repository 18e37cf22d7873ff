import { Injectable } from '@nestjs/common';
import { In, IsNull, Not, QueryFailedError } from 'typeorm';
import { Database } from '../../../infra/database/database';
import { SecretBox } from '../../../infra/secrets/secret-box';
import type { Page, PageRequest } from '../../../kernel/page';
import { uuidV7 } from '../../../kernel/uuid';
import type { Account, AccountChange, AccountDraft } from '../domain/account';
import { AccountStore } from '../domain/account-store.port';
import { PhoneNumberTakenError } from '../domain/accounts.errors';
import type { Sender, SenderFields, SenderLimits } from '../domain/sender';
import { AccountEntity } from './account.entity';
import { PlatformCredentials } from './platform-credentials';
import { purposeOf } from './sender-secrets';
import { SenderEntity } from './sender.entity';

const RECORD_LIMITS = `
UPDATE senders SET platform_messages_per_second = COALESCE($2::int, platform_messages_per_second),
  platform_messaging_tier = COALESCE($3::text, platform_messaging_tier)
WHERE id = $1 AND (platform_messages_per_second IS DISTINCT FROM COALESCE($2::int, platform_messages_per_second)
  OR platform_messaging_tier IS DISTINCT FROM COALESCE($3::text, platform_messaging_tier))`;

const DELETED_ACCOUNT = `
SELECT id FROM accounts WHERE status = 'Deleting' AND updated_at <= clock_timestamp() - make_interval(secs => $1)
  AND ($2::uuid IS NULL OR id >= $2) ORDER BY id LIMIT 1`;

/** Stores accounts and senders; tokens and secrets are encrypted. */
@Injectable()
export class TypeOrmAccountStore extends AccountStore {
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
      if (sender) await this.addSender(id, sender);
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
    const senders = await this.find({ accountId: In(rows.map((row) => row.id)) });
    const items = rows.map((row) => accountOf(row, senders.find((sender) => sender.accountId === row.id) ?? null));
    return { items, page, pageSize, totalCount };
  }

  async change(id: string, { sender, ...fields }: AccountChange): Promise<void> {
    await this.database.transaction(async () => {
      await this.accounts().update({ id }, { ...fields, updatedAt: new Date() });
      const row = sender && (await this.senderRows().findOneBy({ accountId: id }));
      if (!row) return;
      const columns = this.columnsOf(row.id, sender);
      if (Object.keys(columns).length > 0) await mapTakenNumber(this.senderRows().update({ id: row.id }, columns));
    });
  }

  async addSender(accountId: string, sender: SenderFields): Promise<void> {
    const id = uuidV7();
    await mapTakenNumber(this.senderRows().insert({ id, accountId, ...this.columnsOf(id, sender) }));
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

  async senderOf(accountId: string): Promise<Sender | null> {
    return (await this.find({ accountId }))[0] ?? null;
  }

  async sender(senderId: string): Promise<Sender | null> {
    return (await this.find({ id: senderId }))[0] ?? null;
  }

  senders(): Promise<Sender[]> {
    return this.find({ account: { status: Not('Deleting') } });
  }

  async beginDeletion(id: string): Promise<void> {
    await this.database.execute(`UPDATE accounts SET status = 'Deleting', updated_at = now() WHERE id = $1`, [id]);
    await this.database.execute('UPDATE api_keys SET revoked_at = now() WHERE account_id = $1 AND revoked_at IS NULL', [
      id,
    ]);
  }

  async deletedAccount(seconds: number, from: string | null): Promise<string | null> {
    const [row] = await this.database.rows<{ id: string }>(DELETED_ACCOUNT, [seconds, from]);
    return row?.id ?? null;
  }

  async remove(id: string): Promise<void> {
    await this.database.execute('DELETE FROM accounts WHERE id = $1', [id]);
  }

  async recordLimits(senderId: string, { messagesPerSecond, messagingTier }: SenderLimits): Promise<boolean> {
    const { affected } = await this.database.execute(RECORD_LIMITS, [senderId, messagesPerSecond, messagingTier]);
    return affected === 1;
  }

  async recordDisplayNumber(
    { id, phoneNumberId }: Pick<Sender, 'id' | 'phoneNumberId'>,
    displayPhoneNumber: string,
  ): Promise<void> {
    await this.senderRows().update({ id, phoneNumberId, displayPhoneNumber: IsNull() }, { displayPhoneNumber });
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
    return row && accountOf(row, await this.senderOf(row.id));
  }

  private async find(where: object): Promise<Sender[]> {
    const rows = await this.senderRows().find({
      where,
      relations: { account: true },
      order: { account: { createdAt: 'ASC', id: 'ASC' } },
    });
    return rows.map((row) => this.senderFrom(row));
  }

  private senderFrom(row: SenderEntity): Sender {
    const { account } = row;
    const open = (text: string | null, column: 'accessToken' | 'appSecret') =>
      text && this.secrets.open(text, purposeOf(row.id, column));
    return {
      id: row.id,
      accountId: row.accountId,
      phoneNumberId: row.phoneNumberId,
      businessAccountId: row.businessAccountId,
      displayPhoneNumber: row.displayPhoneNumber,
      messagesPerSecond: row.messagesPerSecond,
      messagingTier: row.messagingTier,
      accessToken: open(row.accessTokenEncrypted, 'accessToken') ?? this.environment.accessToken,
      appSecret: open(row.appSecretEncrypted, 'appSecret') ?? this.environment.appSecret,
      marketingMessagesApi: row.marketingMessagesApi,
      portfolioId: account.businessPortfolioId ?? row.businessAccountId,
      sendingPaused: account.sendingPaused || account.status !== 'Active',
      defaultCountry: account.defaultCountry,
      templatesSyncedAt: row.templatesSyncedAt,
    };
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

function accountOf(row: AccountEntity, sender: Sender | null): Account {
  return { ...row, sender };
}

async function mapTakenNumber(writing: Promise<unknown>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    const code = error instanceof QueryFailedError ? (error.driverError as { code?: string }).code : undefined;
    throw code === '23505' ? new PhoneNumberTakenError() : error;
  }
}
