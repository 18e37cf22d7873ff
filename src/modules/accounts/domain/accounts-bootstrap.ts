import { Injectable } from '@nestjs/common';
import { SCOPES } from '../../../kernel/caller';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { uuidV7 } from '../../../kernel/uuid';
import { AccountStore } from './account-store.port';
import { isGeneratedKey, generateApiKey, proofOf } from './api-key';
import { ApiKeyStore } from './api-key-store.port';
import { AuditLogService, serviceIn } from './audit-log.service';
import { FirstAccount, type SenderVariable } from './first-account';
import { FirstKeyFile } from './first-key-file.port';
import { Plans } from './plans';
import type { Sender } from './sender';

/** How the environment differs from the stored settings. */
export interface EnvironmentDifferences {
  accountId: string;
  /** The sender that is compared; null: the account has none. */
  senderId: string | null;
  ofSender: SenderVariable[];
  key: boolean;
}

/** Creates the first account of a new installation and applies the environment at each start; safe in concurrent processes. */
@Injectable()
export class AccountsBootstrap {
  constructor(
    private readonly accounts: AccountStore,
    private readonly keys: ApiKeyStore,
    private readonly first: FirstAccount,
    private readonly keyFile: FirstKeyFile,
    private readonly plans: Plans,
    private readonly audit: AuditLogService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Called by the framework before any request; an exception prevents the start. */
  async onModuleInit(): Promise<void> {
    if (!(await this.accounts.first())) await this.unitOfWork.run(() => this.createFirstAccount());
    await this.applyConfiguredLimits();
    await this.requireKnownPlans();
    // Reads all senders now, so that secrets that cannot be decrypted fail the start, not the first send.
    await this.accounts.senders();
  }

  /**
   * The environment variables that differ from the stored settings of the first account, which take precedence; null while there
   * is no account.
   */
  async differences(): Promise<EnvironmentDifferences | null> {
    const account = await this.accounts.first();
    if (!account) return null;
    const sender = await this.environmentSender(account.id);
    const stored: Record<SenderVariable, string | undefined> = {
      PLATFORM_PHONE_NUMBER_ID: sender?.phoneNumberId,
      PLATFORM_BUSINESS_ACCOUNT_ID: sender?.businessAccountId,
      PLATFORM_ACCESS_TOKEN: sender?.accessToken,
      PLATFORM_APP_SECRET: sender?.appSecret,
    };
    const { fromEnvironment, apiKey } = this.first;
    return {
      accountId: account.id,
      senderId: sender?.id ?? null,
      ofSender: (Object.keys(stored) as SenderVariable[]).filter(
        (name) => fromEnvironment[name] !== undefined && fromEnvironment[name] !== stored[name],
      ),
      key: apiKey !== undefined && !(await this.isKeyOf(account.id, apiKey)),
    };
  }

  /** Path of the first-key file, if it exists and its key is the only one of the first account; otherwise null. */
  async firstKeyPath(): Promise<string | null> {
    const [account, key] = [await this.accounts.first(), this.keyFile.read()?.trim()];
    if (!account || key === undefined) return null;
    const { totalCount } = await this.keys.page(account.id, { page: 1, pageSize: 1 });
    return totalCount === 1 && (await this.isKeyOf(account.id, key)) ? this.keyFile.path : null;
  }

  private async isKeyOf(accountId: string, key: string): Promise<boolean> {
    const { prefix, secretHash } = proofOf(key);
    const stored = await this.keys.byPrefix(prefix);
    return stored?.key.accountId === accountId && stored.secretHash.equals(secretHash);
  }

  private async createFirstAccount(): Promise<void> {
    await this.accounts.lockForFirst();
    // Another process may have created it before the lock.
    if (await this.accounts.first()) return;
    const accountId = uuidV7();
    const { phoneNumberId, businessAccountId, messagesPerSecond, messagingTier } = this.first;
    const account = {
      name: 'Default',
      plan: 'Enterprise',
      status: 'Active',
      sendingPaused: false,
      defaultCountry: null,
      businessPortfolioId: null,
      sender: {
        phoneNumberId,
        businessAccountId,
        displayPhoneNumber: null,
        messagesPerSecond: messagesPerSecond ?? null,
        messagingTier: messagingTier ?? null,
        accessToken: null,
        appSecret: null,
        marketingMessagesApi: false,
        businessPortfolioId: null,
      },
    } as const;
    await this.accounts.add(accountId, account);
    const fields = { name: 'First key', scopes: SCOPES, expiresAt: null, allowedIps: [] };
    const keyId = uuidV7();
    await this.keys.add(keyId, accountId, fields, proofOf(this.first.apiKey ?? this.keyFromFile()));
    const service = serviceIn(accountId);
    await this.audit.record(service, { action: 'account.created', targetId: accountId, fields: Object.keys(account) });
    await this.audit.record(service, { action: 'key.created', targetId: keyId, fields: Object.keys(fields) });
  }

  /** Writes the file before the account is committed: after a crash in between, the next start uses the key in the file. */
  private keyFromFile(): string {
    const existing = this.keyFile.read()?.trim();
    if (existing !== undefined && isGeneratedKey(existing)) return existing;
    const key = generateApiKey();
    this.keyFile.write(key);
    return key;
  }

  private async applyConfiguredLimits(): Promise<void> {
    const { messagesPerSecond, messagingTier } = this.first;
    if (messagesPerSecond === undefined && messagingTier === undefined) return;
    const account = await this.accounts.first();
    const sender = account && (await this.environmentSender(account.id));
    if (!sender) return;
    await this.accounts.changeSender(sender.id, {
      ...(messagesPerSecond !== undefined && { messagesPerSecond }),
      ...(messagingTier !== undefined && { messagingTier }),
    });
  }

  /** The sender of the account that the environment describes: the one with its phone number id, otherwise the oldest; null: none. */
  private async environmentSender(accountId: string): Promise<Sender | null> {
    const senders = await this.accounts.sendersOf(accountId);
    senders.sort((a, b) => (a.id < b.id ? -1 : 1));
    return senders.find(({ phoneNumberId }) => phoneNumberId === this.first.phoneNumberId) ?? senders[0] ?? null;
  }

  private async requireKnownPlans(): Promise<void> {
    const unknown = (await this.accounts.plansInUse()).filter((plan) => !this.plans.has(plan));
    if (unknown.length === 0) return;
    throw new Error(`Accounts use plans missing from the plans file: ${unknown.join(', ')}. Add them to PLANS_FILE.`);
  }
}
