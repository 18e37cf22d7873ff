import { z } from 'zod';
import { parseConfigChange, parseWith } from '../config';
import { SANDBOX_CREDENTIALS } from '../credentials';
import type { BusinessAccount, Sender } from '../account/directory';
import { json, type HandlerResult } from '../http/handler-result';
import type { Exchange } from '../http/exchange';
import { isObject } from '../http/exchange';
import type { MessageEndpoint } from '../messages/message-endpoint';
import type { Sandbox } from '../sandbox-state';
import { QUALITY_SCORES, TEMPLATE_CATEGORIES, TEMPLATE_STATUSES, type Template } from '../templates/template';
import { shapeOf } from '../templates/shape';
import type { TemplateEndpoints } from '../templates/template-endpoints';
import { parseKeepingIntegers } from '../webhooks/wire';

const phone = z
  .string()
  .transform((text) => text.replace(/[+\s()-]/g, ''))
  .refine((digits) => /^\d{5,15}$/.test(digits), 'must be a phone number');

const inboundSchema = z.strictObject({
  from: phone,
  text: z.string().optional(),
  type: z.string().min(1).optional(),
  content: z.unknown().optional(),
  name: z.string().optional(),
  username: z.string().optional(),
  id: z.string().min(1).max(255).optional(),
  phoneNumberId: z.string().optional(),
  contextMessageId: z.string().optional(),
  omitPhone: z.boolean().optional(),
});

const webhookSchema = z.strictObject({
  field: z.string().min(1),
  value: z.unknown().optional(),
  phoneNumberId: z.string().optional(),
  businessAccountId: z.string().optional(),
});

const templateSchema = z.strictObject({
  name: z.string().min(1),
  language: z.string().optional(),
  businessAccountId: z.string().optional(),
  status: z.enum(TEMPLATE_STATUSES).optional(),
  quality: z.enum(QUALITY_SCORES).optional(),
  category: z.enum(TEMPLATE_CATEGORIES).optional(),
  reason: z.string().optional(),
  otherInfo: z.record(z.string(), z.unknown()).optional(),
});

const COUNT = /^\d{1,15}$/;

/** The sandbox's own endpoints under `/sandbox`, for tests and demos; they need no token. */
export class ControlEndpoints {
  constructor(
    private readonly sandbox: Sandbox,
    private readonly messages: MessageEndpoint,
    private readonly templates: TemplateEndpoints,
  ) {}

  /** Handles a request under `/sandbox`; invalid input is 400 with a message that names each invalid field. */
  handle(exchange: Exchange): HandlerResult {
    try {
      return this.route(exchange);
    } catch (error) {
      return json({ error: error instanceof Error ? error.message : String(error) }, 400);
    }
  }

  private route(exchange: Exchange): HandlerResult {
    switch (`${exchange.method} ${exchange.segments.slice(1).join('/')}`) {
      case 'GET ':
        return json({ credentials: SANDBOX_CREDENTIALS, senders: this.senders() });
      case 'GET ledger':
        return this.ledger(exchange);
      case 'GET stats':
        return json({
          ...this.sandbox.arrivals.snapshot(),
          webhooks: this.sandbox.webhooks.snapshot(),
          receipts: this.messages.receipts,
        });
      case 'GET config':
        return json(this.config());
      case 'POST config':
        this.sandbox.change(parseConfigChange(bodyOf(exchange)));
        return json(this.config());
      case 'POST reset':
        this.messages.clear();
        this.templates.clear();
        this.sandbox.restart();
        return json({ reset: true });
      case 'POST inbound':
        return this.inbound(exchange);
      case 'POST webhooks':
        return this.webhook(exchange);
      case 'POST templates':
        return this.changeTemplate(exchange);
      default:
        return json({ error: 'Unknown path or method; see the README of the sandbox.' }, 404);
    }
  }

  private ledger(exchange: Exchange): HandlerResult {
    const after = countOf(exchange, 'after', 0);
    const limit = countOf(exchange, 'limit', Number.MAX_SAFE_INTEGER);
    const chunks = this.sandbox.ledger.jsonChunks(after, limit);
    return { kind: 'stream', contentType: 'application/json; charset=UTF-8', chunks };
  }

  private inbound(exchange: Exchange): HandlerResult {
    const input = parseWith(inboundSchema, bodyOf(exchange));
    const type = input.type ?? 'text';
    if (type === 'text' && input.text === undefined && input.content === undefined)
      throw new Error('text: is required');
    const content = input.content ?? (type === 'text' ? { body: input.text } : {});
    const sender = this.senderOf(input.phoneNumberId);
    const context = input.contextMessageId === undefined ? undefined : contextOf(sender, input.contextMessageId);
    const { from, name: profileName = 'Mira S.', username, id, omitPhone } = input;
    const message = { from, type, content, profileName, username, id, context, omitPhone };
    return json({ messageId: this.sandbox.webhooks.inbound(sender, message) });
  }

  private webhook(exchange: Exchange): HandlerResult {
    const { field, value, phoneNumberId, businessAccountId } = parseWith(webhookSchema, bodyOf(exchange));
    const { webhooks } = this.sandbox;
    if (field === 'messages') {
      if (!isObject(value)) throw new Error('value: must be an object');
      return json({ sent: webhooks.messagesEvent(this.senderOf(phoneNumberId), value) });
    }
    const account =
      phoneNumberId === undefined ? this.accountOf(businessAccountId) : this.senderOf(phoneNumberId).account;
    return json({ sent: webhooks.accountEvent(account, field, value) });
  }

  private changeTemplate(exchange: Exchange): HandlerResult {
    const input = parseWith(templateSchema, bodyOf(exchange));
    const account = this.accountOf(input.businessAccountId);
    const found = account.templates
      .named(input.name)
      .filter((template) => input.language === undefined || template.language === input.language);
    if (found.length === 0) throw new Error(`name: there is no template ${input.name} in this language`);
    for (const template of found) this.applyChange(account, template, input);
    this.sandbox.templatesChanged();
    return json({ changed: found.map(({ id, name, language, status }) => ({ id, name, language, status })) });
  }

  private applyChange(account: BusinessAccount, template: Template, input: z.infer<typeof templateSchema>): void {
    const { webhooks } = this.sandbox;
    if (input.reason !== undefined) template.rejectedReason = input.reason;
    if (input.status !== undefined) {
      template.status = input.status;
      const more = input.otherInfo === undefined ? {} : { other_info: input.otherInfo };
      webhooks.templateStatusChanged(account, template, input.status, more);
      if (input.status === 'DELETED') account.templates.remove(template);
    }
    if (input.quality !== undefined) {
      const previous = template.quality.score;
      template.quality = { score: input.quality, date: Math.floor(Date.now() / 1000) };
      webhooks.templateQualityChanged(account, template, previous);
    }
    if (input.category !== undefined) {
      template.previousCategory = template.category;
      template.category = input.category;
      template.shape = shapeOf(template.components, input.category, template.subCategory);
      webhooks.templateCategoryChanged(account, template);
    }
  }

  private config(): object {
    return { ...this.sandbox.config, senders: this.senders() };
  }

  private senders(): object[] {
    return this.sandbox.directory.allSenders().map((sender) => ({
      phoneNumberId: sender.id,
      businessAccountId: sender.account.id,
      displayPhoneNumber: sender.displayPhoneNumber,
      verifiedName: sender.verifiedName,
      messagingLimitTier: sender.messagingLimitTier,
      messagesPerSecond: sender.messagesPerSecond,
      appSecret: sender.account.appSecret,
      webhook: (sender.override ?? sender.account.override ?? this.sandbox.directory.appSubscription)?.url,
    }));
  }

  private senderOf(id: string = SANDBOX_CREDENTIALS.phoneNumberId): Sender {
    const sender = this.sandbox.directory.sender(id);
    if (sender === undefined) throw new Error(`phoneNumberId: ${id} is unknown`);
    return sender;
  }

  private accountOf(id: string = SANDBOX_CREDENTIALS.businessAccountId): BusinessAccount {
    const account = this.sandbox.directory.account(id);
    if (account === undefined) throw new Error(`businessAccountId: ${id} is unknown`);
    return account;
  }
}

function bodyOf(exchange: Exchange): unknown {
  try {
    return parseKeepingIntegers(exchange.bytes.length === 0 ? '{}' : exchange.bytes.toString('utf8'));
  } catch {
    throw new Error('body: is not valid JSON');
  }
}

function contextOf(sender: Sender, id: string): object {
  return { from: sender.displayPhoneNumber.replace(/\D/g, ''), id };
}

function countOf(exchange: Exchange, name: string, fallback: number): number {
  const text = exchange.query.get(name);
  if (text === null || text === '') return fallback;
  if (!COUNT.test(text)) throw new Error(`${name}: must be an integer of at least 0`);
  return Number(text);
}
