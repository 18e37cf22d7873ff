import { SANDBOX_CREDENTIALS } from '../credentials';
import type { SenderRegistration } from '../config';
import { seedTemplates } from '../templates/seeds';
import { TemplateBook, type TemplateIds } from '../templates/template-book';
import type { StoredTemplate, Template } from '../templates/template';
import { waIdOf } from './people';

/** A webhook URL and the token that verified it. */
export interface Subscription {
  url: string;
  verifyToken: string;
}

/** The app's own subscription and its fields. */
export interface AppSubscription extends Subscription {
  fields: Set<string>;
}

/** A business account (WABA): owner of templates and numbers. */
export interface BusinessAccount {
  id: string;
  name: string;
  appSecret: string;
  templates: TemplateBook;
  /** Whether the app is subscribed to this account. */
  subscribed: boolean;
  override?: Subscription;
}

/** A phone number of a business account. */
export interface Sender {
  id: string;
  account: BusinessAccount;
  displayPhoneNumber: string;
  verifiedName: string;
  quality: 'GREEN' | 'YELLOW' | 'RED' | 'NA';
  messagingLimitTier: string;
  /** Whether the number is also used in the WhatsApp Business app. */
  onBusinessApp: boolean;
  /** The sender's own limit; absent: the configured one. */
  messagesPerSecond?: number;
  override?: Subscription;
}

const ALL_ACCOUNTS = '*';
const WINDOW_MS = 24 * 3_600_000;
const MAX_WINDOWS = 1_000_000;

/** The accounts, numbers, tokens and service windows of the sandbox. */
export class Directory {
  private readonly accounts = new Map<string, BusinessAccount>();
  private readonly senders = new Map<string, Sender>();
  private readonly tokens = new Map<string, string>([[SANDBOX_CREDENTIALS.accessToken, ALL_ACCOUNTS]]);
  private readonly lastInbound = new Map<string, number>();
  /** The app's webhook URL, for accounts without an override and for all events except messages. */
  appSubscription: AppSubscription | undefined;

  constructor(private readonly ids: TemplateIds) {
    const { phoneNumberId, businessAccountId, displayPhoneNumber } = SANDBOX_CREDENTIALS;
    this.register({ phoneNumberId, businessAccountId, displayPhoneNumber });
  }

  /** Adds or updates a sender; creates its business account if it is new. */
  register(registration: SenderRegistration): Sender {
    const { phoneNumberId, businessAccountId, accessToken, appSecret } = registration;
    const account = this.accounts.get(businessAccountId) ?? this.addAccount(businessAccountId);
    if (appSecret !== undefined) account.appSecret = appSecret;
    if (accessToken !== undefined) this.tokens.set(accessToken, businessAccountId);
    const sender = this.senderFrom(registration, account);
    this.senders.set(phoneNumberId, sender);
    return sender;
  }

  /** The sender that an unknown number would become on first use, without registering it. */
  futureSender(phoneNumberId: string): Sender {
    const account = this.accountForNewNumber();
    return this.senderFrom({ phoneNumberId, businessAccountId: account.id }, account);
  }

  private senderFrom(registration: SenderRegistration, account: BusinessAccount): Sender {
    const { phoneNumberId, messagesPerSecond } = registration;
    const known = this.senders.get(phoneNumberId);
    return {
      id: phoneNumberId,
      account,
      displayPhoneNumber:
        registration.displayPhoneNumber ?? known?.displayPhoneNumber ?? `+49 30 9${phoneNumberId.slice(-8)}`,
      verifiedName: registration.verifiedName ?? known?.verifiedName ?? 'Sample Parcels',
      quality: known?.quality ?? 'GREEN',
      messagingLimitTier: registration.messagingLimitTier ?? known?.messagingLimitTier ?? 'TIER_UNLIMITED',
      onBusinessApp: registration.onBusinessApp ?? known?.onBusinessApp ?? false,
      messagesPerSecond: messagesPerSecond ?? known?.messagesPerSecond,
      override: known?.override,
    };
  }

  /** Adds a business account with the seeded templates. */
  addAccount(id: string): BusinessAccount {
    const account: BusinessAccount = {
      id,
      name: `Sample business ${id.slice(-4)}`,
      appSecret: SANDBOX_CREDENTIALS.appSecret,
      templates: new TemplateBook(this.ids),
      subscribed: false,
    };
    seedTemplates(account.templates);
    this.accounts.set(id, account);
    return account;
  }

  /** The account with this id. */
  account(id: string): BusinessAccount | undefined {
    return this.accounts.get(id);
  }

  /** The sender with this phone number id. */
  sender(id: string): Sender | undefined {
    return this.senders.get(id);
  }

  /** Every sender, in the order of registration. */
  allSenders(): Sender[] {
    return [...this.senders.values()];
  }

  /** The account of a new number: the newest account without a number, otherwise the first account. */
  accountForNewNumber(): BusinessAccount {
    const used = new Set(this.allSenders().map((sender) => sender.account.id));
    const free = [...this.accounts.values()].reverse().find((account) => !used.has(account.id));
    return free ?? this.accounts.get(SANDBOX_CREDENTIALS.businessAccountId) ?? this.addAccount('0');
  }

  /** The template with this id and its account. */
  template(id: string): { template: Template; account: BusinessAccount } | undefined {
    for (const account of this.accounts.values()) {
      const template = account.templates.get(id);
      if (template !== undefined) return { template, account };
    }
    return undefined;
  }

  /** The templates of all accounts, by account id. */
  storedTemplates(): Record<string, StoredTemplate[]> {
    const stored = ({ templates }: BusinessAccount) => templates.all().map(({ shape: _, ...template }) => template);
    return Object.fromEntries([...this.accounts.values()].map((account) => [account.id, stored(account)]));
  }

  /** Replaces the templates of these accounts. */
  restoreTemplates(stored: Readonly<Record<string, readonly StoredTemplate[]>>): void {
    for (const [id, templates] of Object.entries(stored)) {
      const account = this.accounts.get(id) ?? this.addAccount(id);
      account.templates = new TemplateBook(this.ids);
      for (const template of templates) account.templates.restore(template);
    }
  }

  /** Every business account. */
  allAccounts(): BusinessAccount[] {
    return [...this.accounts.values()];
  }

  /** Whether this is a valid access token. */
  isValidToken(token: string): boolean {
    return this.tokens.has(token);
  }

  /** Whether a valid token has access to this business account: the default token to all, a registered one to its own. */
  canAccess(token: string, account: BusinessAccount): boolean {
    const scope = this.tokens.get(token);
    return scope === ALL_ACCOUNTS || scope === account.id;
  }

  /** The possible app secrets of a token: its account's for a registered token, all for the default one. */
  *appSecretsOf(token: string): Iterable<string> {
    const scope = this.tokens.get(token);
    if (scope === ALL_ACCOUNTS) yield SANDBOX_CREDENTIALS.appSecret;
    for (const account of this.accounts.values()) {
      if (scope === ALL_ACCOUNTS || scope === account.id) yield account.appSecret;
    }
  }

  /** Records a message from a person to this number, which opens a 24-hour service window. */
  openWindow(sender: Sender, from: string): void {
    if (this.lastInbound.size >= MAX_WINDOWS) this.lastInbound.clear();
    this.lastInbound.set(`${sender.id} ${waIdOf(from)}`, Date.now());
  }

  /** Whether a person has sent this number a message within the last 24 hours. */
  isWindowOpen(sender: Sender, to: string): boolean {
    const at = this.lastInbound.get(`${sender.id} ${waIdOf(to)}`);
    return at !== undefined && Date.now() - at < WINDOW_MS;
  }

  /** Resets the templates of every account to the seeds and closes all windows; senders, tokens and subscriptions remain. */
  restart(): void {
    this.lastInbound.clear();
    this.ids.clear();
    for (const account of this.accounts.values()) {
      account.templates = new TemplateBook(this.ids);
      seedTemplates(account.templates);
    }
  }
}
