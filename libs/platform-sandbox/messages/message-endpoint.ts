import type { Sender } from '../account/directory';
import { badGateway, CUT, json, SILENCE, success, type Answer } from '../http/answer';
import { GraphError } from '../http/graph-error';
import { type Exchange, isObject, type JsonObject } from '../http/exchange';
import type { Sandbox } from '../sandbox-state';
import type { MessageKind } from '../traffic/ledger';
import type { Template } from '../templates/template';
import { TimeWheel } from '../traffic/time-wheel';
import type { StatusPlan } from '../webhooks/status-stream';
import { endingOf, type Ending } from './endings';
import { checkProduct, invalid, readEnvelope, type MessageEnvelope } from './envelope';
import { checkFreeFormMessage } from './free-form-message';
import { isMessageId, newMessageId } from './message-id';
import { checkTemplateMessage, type CheckedTemplateMessage } from './template-message';

const READ_EVERY = 3;
/** The first version with a separate code for templates that are still being synchronised. */
const SYNCHRONISING_CODE_SINCE = 23;

/** `POST /{phone-number-id}/messages` and `…/marketing_messages`: applies validation, limits, special recipients and faults, in this order, before accepting a message. */
export class MessageEndpoint {
  private readonly throttledOnce = new Set<string>();
  private readonly kinds = new Map<string, MessageKind>();
  private readonly stopReplies: TimeWheel<{ sender: Sender; from: string }>;
  private ordinary = 0;

  constructor(private readonly sandbox: Sandbox) {
    this.stopReplies = new TimeWheel(({ sender, from }) => this.answerStop(sender, from));
  }

  /** Handles one request of a sender; `marketingOnly`: on the endpoint for marketing messages. */
  handle(exchange: Exchange, sender: Sender, marketingOnly: boolean): Answer {
    const { arrivals } = this.sandbox;
    arrivals.arrived(sender.id);
    try {
      return this.faultBefore() ?? this.process(exchange, sender, marketingOnly);
    } catch (error) {
      if (error instanceof GraphError) arrivals.refusedWith(error.code);
      throw error;
    }
  }

  /** Number of read receipts without and with a typing indicator. */
  readonly receipts = { read: 0, typing: 0 };

  /** Clears throttled recipients and pending STOP messages. */
  clear(): void {
    this.throttledOnce.clear();
    this.kinds.clear();
    this.stopReplies.clear();
    this.ordinary = 0;
    this.receipts.read = this.receipts.typing = 0;
  }

  private process(exchange: Exchange, sender: Sender, marketingOnly: boolean): Answer {
    const body = exchange.jsonBody();
    if (body.status === 'read') return this.markRead(body);
    const envelope = readEnvelope(body);
    const checked = this.check(body, envelope, sender, marketingOnly);
    if (checked) this.checkLimited(checked.template, exchange, marketingOnly);
    this.applyLimits(sender, envelope);
    const ending = envelope.byUserId ? undefined : endingOf(envelope.to);
    const answer = this.endingBefore(ending, envelope.to);
    return answer ?? this.accept(sender, envelope, checked, ending);
  }

  private markRead(body: JsonObject): Answer {
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

  private checkLimited(template: Template, { version }: Exchange, marketingOnly: boolean): void {
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

  private faultBefore(): Answer | undefined {
    const { dice, config } = this.sandbox;
    const { faults, refuseNext } = config;
    if (refuseNext.count > 0) {
      refuseNext.count -= 1;
      throw refusalOf(refuseNext.code);
    }
    if (dice.hits(faults.cutBefore)) return this.faulted('cutBefore', CUT);
    if (dice.hits(faults.html502Before)) return this.faulted('html502Before', badGateway());
    if (dice.hits(faults.hang)) return this.faulted('hang', SILENCE);
    if (dice.hits(faults.error131000)) throw refusalOf(131000);
    if (dice.hits(faults.throttle)) throw throttled();
    for (const [code, share] of Object.entries(faults.refuse)) {
      if (dice.hits(share)) throw refusalOf(Number(code));
    }
    return undefined;
  }

  private endingBefore(ending: Ending | undefined, to: string): Answer | undefined {
    switch (ending) {
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
    sender: Sender,
    envelope: MessageEnvelope,
    checked: CheckedTemplateMessage | undefined,
    ending: Ending | undefined,
  ): Answer {
    const { ledger, arrivals, config, dice } = this.sandbox;
    const { to, callbackData } = envelope;
    const messageId = newMessageId(to, 'outbound');
    const kind = this.kindOf(sender, envelope.type, checked);
    const { parameters = [], header, payloads } = checked ?? {};
    const seq = ledger.append({ kind, to, messageId, callbackData, parameters, header, payloads }, Date.now());
    arrivals.accepted(sender.id);
    this.follow(seq, sender, envelope, ending);
    const fault = this.faultAfter(ending);
    if (fault !== undefined) return fault;
    const held = checked !== undefined && dice.hits(config.faults.held);
    return json({
      messaging_product: 'whatsapp',
      contacts: [envelope.byUserId ? { input: envelope.input, user_id: to } : { input: envelope.input, wa_id: to }],
      messages: [
        checked === undefined
          ? { id: messageId }
          : { id: messageId, message_status: held ? 'held_for_quality_assessment' : 'accepted' },
      ],
    });
  }

  private faultAfter(ending: Ending | undefined): Answer | undefined {
    const { dice, config } = this.sandbox;
    const { faults } = config;
    if (ending === 'never-answered' || dice.hits(faults.hangAfterAccept)) {
      return this.faulted('hangAfterAccept', SILENCE);
    }
    if (ending === 'cut-after-acceptance' || dice.hits(faults.cutAfterAccept)) {
      return this.faulted('cutAfterAccept', CUT);
    }
    if (dice.hits(faults.html502AfterAccept)) return this.faulted('html502AfterAccept', badGateway());
    return undefined;
  }

  private faulted(name: string, answer: Answer): Answer {
    this.sandbox.arrivals.faulted(name);
    return answer;
  }

  private follow(seq: number, sender: Sender, { to, type }: MessageEnvelope, ending: Ending | undefined): void {
    const { webhooks, config, dice } = this.sandbox;
    if (ending === 'answers-stop') this.stopReplies.add({ sender, from: to }, config.stopDelayMs);
    if (ending === 'fails-later') return webhooks.statuses.follow(seq, 'failed');
    for (const [code, share] of Object.entries(config.faults.failLater)) {
      if (dice.hits(share)) return webhooks.statuses.follow(seq, 'failed', Number(code));
    }
    webhooks.statuses.follow(seq, this.planFor(type, ending));
  }

  private planFor(type: string, ending: Ending | undefined): StatusPlan {
    const unanswered = ending === 'never-answered' || ending === 'cut-after-acceptance';
    if (ending === 'no-status' || (unanswered && !this.sandbox.config.statusesForUnanswered)) return 'none';
    if (type === 'reaction') return 'sent';
    if (ending !== undefined && ending !== 'throttled-once') return 'delivered';
    this.ordinary += 1;
    return this.ordinary % READ_EVERY === 0 ? 'read' : 'delivered';
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

  private answerStop(sender: Sender, from: string): void {
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
