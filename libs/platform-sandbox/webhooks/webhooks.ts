import type { BusinessAccount, Directory, Sender } from '../account/directory';
import { userIdOf, waIdOf } from '../account/people';
import type { SandboxConfig } from '../config';
import { newMessageId } from '../messages/message-id';
import type { Template } from '../templates/template';
import type { SeededRandom } from '../traffic/seeded-random';
import type { Ledger } from '../traffic/ledger';
import { Deliveries } from './deliveries';
import { StatusStream } from './status-stream';
import { envelope, webhookBody, wireInteger } from './wire';

/** A message from a person to a number. */
export interface InboundMessage {
  /** Digits without a plus. */
  from: string;
  type: string;
  /** The object under the name of the type, for example `{body}` under `text`. */
  content: unknown;
  profileName: string;
  /** The username (`@mira.s`), if the person has one. */
  username?: string;
  id?: string;
  context?: unknown;
  omitPhone?: boolean;
}

/** Webhooks of the sandbox: statuses, inbound messages, account events. */
export class Webhooks {
  readonly statuses: StatusStream;
  private readonly deliveries: Deliveries;
  private isPumpScheduled = false;

  constructor(
    private readonly directory: Directory,
    ledger: Ledger,
    random: SeededRandom,
    config: () => SandboxConfig,
  ) {
    const pumpSoon = () => this.pumpSoon();
    this.statuses = new StatusStream(
      directory,
      ledger,
      random,
      config,
      (sender) => this.addressFor(sender) !== undefined,
      pumpSoon,
    );
    this.deliveries = new Deliveries(config, () => this.nextStatusWebhook());
  }

  /** Sends a message from a person to a number, which opens the service window; returns the message id. */
  inbound(sender: Sender, message: InboundMessage): string {
    const id = message.id ?? newMessageId(message.from, 'inbound');
    const userId = userIdOf(message.from);
    for (const name of [message.from, userId]) this.directory.openWindow(sender, name);
    const phone = message.omitPhone === true ? undefined : waIdOf(message.from);
    this.messagesEvent(sender, {
      contacts: [{ profile: { name: message.profileName, username: message.username }, wa_id: phone, user_id: userId }],
      messages: [
        {
          context: message.context,
          from: phone,
          from_user_id: userId,
          id,
          timestamp: String(Math.floor(Date.now() / 1000)),
          type: message.type,
          [message.type]: message.content,
        },
      ],
    });
    return id;
  }

  /** Sends a change of the field `messages`, with the number's metadata added. */
  messagesEvent(sender: Sender, value: object): boolean {
    const whole = { messaging_product: 'whatsapp', metadata: metadataOf(sender), ...value };
    const address = () => this.addressFor(sender);
    return this.post(sender.account, address, envelope(sender.account.id, 'messages', whole));
  }

  /** Sends a change of any other field; returns false without a subscriber. */
  accountEvent(account: BusinessAccount, field: string, value: unknown): boolean {
    // As on the platform, overrides apply to messages only; all other events go to the app's own URL.
    const address = () => {
      const app = this.directory.appSubscription;
      return account.subscribed && app?.fields.has(field) ? app.url : undefined;
    };
    return this.post(account, address, envelope(account.id, field, value));
  }

  /** Reports a changed template status. */
  templateStatusChanged(account: BusinessAccount, template: Template, event: string, more: object = {}): boolean {
    return this.accountEvent(account, 'message_template_status_update', {
      event,
      ...identityOf(template),
      reason: template.rejectedReason,
      message_template_category: template.category,
      ...more,
    });
  }

  /** Reports a changed quality rating of a template. */
  templateQualityChanged(account: BusinessAccount, template: Template, previous: string): boolean {
    return this.accountEvent(account, 'message_template_quality_update', {
      previous_quality_score: previous,
      new_quality_score: template.quality.score,
      ...identityOf(template),
    });
  }

  /** Reports a changed category of a template. */
  templateCategoryChanged(account: BusinessAccount, template: Template): boolean {
    return this.accountEvent(account, 'template_category_update', {
      ...identityOf(template),
      previous_category: template.previousCategory,
      new_category: template.category,
    });
  }

  /** Numbers of posted and pending webhooks. */
  snapshot(): object {
    return { ...this.deliveries.snapshot(), statusesWaiting: this.statuses.waiting };
  }

  /** Drops all undelivered webhooks. */
  clear(): void {
    this.statuses.clear();
    this.deliveries.clear();
  }

  /** Stops sending. */
  async close(): Promise<void> {
    this.statuses.clear();
    await this.deliveries.close();
  }

  private addressFor(sender: Sender): string | undefined {
    const { account } = sender;
    if (sender.override !== undefined) return sender.override.url;
    return account.subscribed ? (account.override ?? this.directory.appSubscription)?.url : undefined;
  }

  private post(account: BusinessAccount, address: () => string | undefined, body: object): boolean {
    if (address() === undefined) return false;
    this.deliveries.post({ address, appSecret: account.appSecret, body: webhookBody(body), updates: 1 });
    return true;
  }

  private nextStatusWebhook() {
    const batch = this.statuses.nextBatch();
    if (batch === undefined) return undefined;
    const { sender, statuses, contacts } = batch;
    const { account } = sender;
    const value = {
      ...{ messaging_product: 'whatsapp', metadata: metadataOf(sender) },
      ...(contacts.length > 0 && { contacts }),
      statuses,
    };
    const body = webhookBody(envelope(account.id, 'messages', value));
    return { address: () => this.addressFor(sender), appSecret: account.appSecret, body, updates: statuses.length };
  }

  private pumpSoon(): void {
    if (this.isPumpScheduled) return;
    this.isPumpScheduled = true;
    // Deferred, so that statuses due in the same tick share a body.
    setImmediate(() => {
      this.isPumpScheduled = false;
      this.deliveries.pump();
    });
  }
}

function metadataOf(sender: Sender): object {
  return { display_phone_number: sender.displayPhoneNumber.replace(/\D/g, ''), phone_number_id: sender.id };
}

function identityOf(template: Template): object {
  return {
    message_template_id: wireInteger(template.id),
    message_template_name: template.name,
    message_template_language: template.language,
  };
}
