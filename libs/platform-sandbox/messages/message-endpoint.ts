import type { Sender } from '../account/directory';
import { waIdOf } from '../account/people';
import { badGateway, CUT, json, SILENCE, success, type HandlerResult } from '../http/handler-result';
import { GraphError } from '../http/graph-error';
import { type Exchange, isObject, type JsonObject } from '../http/exchange';
import type { Sandbox } from '../sandbox-state';
import type { MessageKind } from '../traffic/ledger';
import type { Template } from '../templates/template';
import { TimeWheel } from '../traffic/time-wheel';
import type { StatusPlan } from '../webhooks/status-stream';
import { specialBehaviourOf, type SpecialBehaviour } from './special-numbers';
import { checkProduct, invalid, readEnvelope, type MessageEnvelope } from './envelope';
import { checkFreeFormMessage } from './free-form-message';
import { isMessageId, newMessageId } from './message-id';
import { checkTemplateMessage, type CheckedTemplateMessage } from './template-message';

const READ_EVERY_NTH = 3;
/** The first version with a separate code for templates that are still being synchronised. */
const SYNCHRONISING_CODE_SINCE = 23;

/**
 * `POST /{phone-number-id}/messages` and `…/marketing_messages`. Order: faults before acceptance, validation, limits, special
 * recipients, acceptance, faults after acceptance.
 */
export class MessageEndpoint {
  private readonly throttledOnce = new Set<string>();
  private readonly kinds = new Map<string, MessageKind>();
  private readonly pendingStops: TimeWheel<{ sender: Sender; from: string }>;
  private regularCount = 0;

  constructor(private readonly sandbox: Sandbox) {
    this.pendingStops = new TimeWheel(({ sender, from }) => this.replyStop(sender, from));
  }

  /** Handles one request of a sender; `marketingOnly`: it was received on `marketing_messages`. */
  handle(exchange: Exchange, sender: Sender, marketingOnly: boolean): HandlerResult {
    const { arrivals } = this.sandbox;
    arrivals.arrived(sender.id);
    try {
      return this.faultBeforeAcceptance() ?? this.process(exchange, sender, marketingOnly);
    } catch (error) {
      if (error instanceof GraphError) arrivals.refusedWith(error.code);
      throw error;
    }
  }

  /** Number of read receipts without and with a typing indicator. */
  readonly receipts = { read: 0, typing: 0 };

  /** Resets counts and throttled recipients, and cancels pending STOP messages. */
  clear(): void {
    this.throttledOnce.clear();
    this.kinds.clear();
    this.pendingStops.clear();
    this.regularCount = 0;
    this.receipts.read = this.receipts.typing = 0;
  }

  private process(exchange: Exchange, sender: Sender, marketingOnly: boolean): HandlerResult {
    const body = exchange.jsonBody();
    if (body.status === 'read') return this.markRead(body);
    const envelope = readEnvelope(body);
    const checked = this.check(body, envelope, sender, marketingOnly);
    if (checked) this.checkAvailability(checked.template, exchange, marketingOnly);
    this.applyLimits(sender, envelope);
    const special = envelope.byUserId ? undefined : specialBehaviourOf(envelope.to);
    const response = this.behaviourBeforeAcceptance(special, envelope.to);
    return response ?? this.accept(exchange, sender, envelope, checked, special);
  }

  private markRead(body: JsonObject): HandlerResult {
    checkProduct(body);
    if (!isMessageId(body.message_id)) throw invalid('message_id is not a message id.');
    const { typing_indicator: typing } = body;
    if (typing !== undefined && !(isObject(typing) && typing.type === 'text')) {
      throw invalid('typing_indicator needs the type text.');
    }
    this.receipts[typing === undefined ? 'read' : 'typing']++;
    return success();
  }

  private check(
    body: JsonObject,
    envelope: MessageEnvelope,
    sender: Sender,
    marketingOnly: boolean,
  ): CheckedTemplateMessage | undefined {
    const { media, config, directory } = this.sandbox;
    const kindOf = (id: string) => media.kindOf(id);
    if (envelope.to === sender.displayPhoneNumber.replace(/\D/g, '')) {
      throw new GraphError(131021, { details: 'Recipient phone number is the sender phone number.' });
    }
    if (envelope.type !== 'template') {
      if (marketingOnly) throw new GraphError(134100);
      checkFreeFormMessage(envelope.type, body, kindOf, config.strictMedia);
      if (!directory.isWindowOpen(sender, envelope.to)) {
        throw new GraphError(131047, {
          details: 'More than 24 hours have passed since the customer last replied to this number.',
        });
      }
      return undefined;
    }
    const checked = checkTemplateMessage(body.template, sender.account.templates, kindOf, config.strictMedia);
    const isMarketing = checked.template.category === 'MARKETING';
    if (marketingOnly && !isMarketing) throw new GraphError(134100);
    if (isMarketing && !marketingOnly && config.marketingApiOnly) throw new GraphError(131063);
    if (envelope.byUserId && checked.template.category === 'AUTHENTICATION') throw new GraphError(131062);
    return checked;
  }

  private checkAvailability(template: Template, { version }: Exchange, marketingOnly: boolean): void {
    const { templatesLimited, marketingPreparationMs } = this.sandbox.config;
    if (templatesLimited) throw new GraphError(131064, { details: 'Template messages of the account are limited.' });
    if (!marketingOnly || Date.now() - template.createdAt >= marketingPreparationMs) return;
    const code = Number(/^v(\d+)/.exec(version)?.[1] ?? Infinity) < SYNCHRONISING_CODE_SINCE ? 131009 : 134101;
    throw new GraphError(code, { details: 'The template is still being synchronised. Try again in a few minutes.' });
  }

  private applyLimits(sender: Sender, { to }: MessageEnvelope): void {
    const { limits, config } = this.sandbox;
    if (!limits.takeThroughput(sender.id, sender.messagesPerSecond ?? config.messagesPerSecond)) throw throttled();
    if (!limits.takePair(sender.id, to, config.pairLimit)) {
      throw new GraphError(131056, { details: 'Too many messages from this number to the same recipient.' });
    }
  }

  private faultBeforeAcceptance(): HandlerResult | undefined {
    const { random, config } = this.sandbox;
    const { faults, refuseNext } = config;
    if (refuseNext.count > 0) {
      refuseNext.count -= 1;
      throw refusalOf(refuseNext.code);
    }
    if (random.chance(faults.cutBefore)) return this.faulted('cutBefore', CUT);
    if (random.chance(faults.html502Before)) return this.faulted('html502Before', badGateway());
    if (random.chance(faults.hang)) return this.faulted('hang', SILENCE);
    if (random.chance(faults.error131000)) throw refusalOf(131000);
    if (random.chance(faults.throttle)) throw throttled();
    for (const [code, share] of Object.entries(faults.refuse)) {
      if (random.chance(share)) throw refusalOf(Number(code));
    }
    return undefined;
  }

  private behaviourBeforeAcceptance(special: SpecialBehaviour | undefined, to: string): HandlerResult | undefined {
    switch (special) {
      case 'undeliverable':
        throw new GraphError(131026, { details: 'Recipient cannot receive this message.' });
      case 'throttled-once':
        if (this.throttledOnce.has(to)) return undefined;
        this.throttledOnce.add(to);
        throw throttled();
      case 'bad-gateway':
        return this.faulted('html502Before', badGateway());
      case 'unknown-failure':
        throw refusalOf(131000);
      default:
        return undefined;
    }
  }

  private accept(
    exchange: Exchange,
    sender: Sender,
    envelope: MessageEnvelope,
    checked: CheckedTemplateMessage | undefined,
    special: SpecialBehaviour | undefined,
  ): HandlerResult {
    const { ledger, arrivals, config, random } = this.sandbox;
    const { to, callbackData } = envelope;
    const messageId = newMessageId(to, 'outbound');
    const kind = this.kindOf(sender, envelope.type, checked);
    const { parameters = [], header, payloads } = checked ?? {};
    const traceparent = exchange.header('traceparent') || undefined;
    const seq = ledger.append(
      { kind, to, messageId, callbackData, parameters, header, payloads, traceparent },
      Date.now(),
    );
    arrivals.accepted(sender.id);
    this.scheduleStatuses(seq, sender, envelope, special);
    const fault = this.faultAfterAcceptance(special);
    if (fault !== undefined) return fault;
    const held = checked !== undefined && random.chance(config.faults.held);
    return json({
      messaging_product: 'whatsapp',
      contacts: [
        envelope.byUserId ? { input: envelope.input, user_id: to } : { input: envelope.input, wa_id: waIdOf(to) },
      ],
      messages: [
        checked === undefined
          ? { id: messageId }
          : { id: messageId, message_status: held ? 'held_for_quality_assessment' : 'accepted' },
      ],
    });
  }

  private faultAfterAcceptance(special: SpecialBehaviour | undefined): HandlerResult | undefined {
    const { random, config } = this.sandbox;
    const { faults } = config;
    if (special === 'no-response' || random.chance(faults.hangAfterAccept)) {
      return this.faulted('hangAfterAccept', SILENCE);
    }
    if (special === 'cut-after-acceptance' || random.chance(faults.cutAfterAccept)) {
      return this.faulted('cutAfterAccept', CUT);
    }
    if (random.chance(faults.html502AfterAccept)) return this.faulted('html502AfterAccept', badGateway());
    return undefined;
  }

  private faulted(name: string, response: HandlerResult): HandlerResult {
    this.sandbox.arrivals.faulted(name);
    return response;
  }

  private scheduleStatuses(
    seq: number,
    sender: Sender,
    { to, type }: MessageEnvelope,
    special: SpecialBehaviour | undefined,
  ): void {
    const { webhooks, config, random } = this.sandbox;
    if (special === 'replies-stop') this.pendingStops.add({ sender, from: to }, config.stopDelayMs);
    if (special === 'fails-later') return webhooks.statuses.schedule(seq, 'failed');
    for (const [code, share] of Object.entries(config.faults.failLater)) {
      if (random.chance(share)) return webhooks.statuses.schedule(seq, 'failed', Number(code));
    }
    webhooks.statuses.schedule(seq, this.statusPlanOf(type, special));
  }

  private statusPlanOf(type: string, special: SpecialBehaviour | undefined): StatusPlan {
    const unanswered = special === 'no-response' || special === 'cut-after-acceptance';
    if (special === 'no-status' || (unanswered && !this.sandbox.config.statusesForUnanswered)) return 'none';
    if (type === 'reaction') return 'sent';
    if (special !== undefined && special !== 'throttled-once') return 'delivered';
    this.regularCount += 1;
    return this.regularCount % READ_EVERY_NTH === 0 ? 'read' : 'delivered';
  }

  private kindOf(sender: Sender, type: string, checked: CheckedTemplateMessage | undefined): MessageKind {
    const { name = null, language = null, category = 'SERVICE' } = checked?.template ?? {};
    const key = `${sender.id} ${type} ${name} ${language} ${category}`;
    let kind = this.kinds.get(key);
    if (kind === undefined) {
      kind = { phoneNumberId: sender.id, type, template: name, language, category: category.toLowerCase() };
      this.kinds.set(key, kind);
    }
    return kind;
  }

  private replyStop(sender: Sender, from: string): void {
    this.sandbox.webhooks.inbound(sender, { from, type: 'text', content: { body: 'STOP' }, profileName: 'Mira S.' });
  }
}

function throttled(): GraphError {
  return new GraphError(130429, { details: 'Sender throughput exhausted for this second.' });
}

function refusalOf(code: number): GraphError {
  if (code === 190) {
    return new GraphError(190, {
      message: 'Error validating access token: the session is no longer valid.',
      subcode: 463,
    });
  }
  return new GraphError(code, { details: `The sandbox is configured to respond with ${code}.` });
}
