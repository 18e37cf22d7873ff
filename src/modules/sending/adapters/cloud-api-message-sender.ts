import { Injectable } from '@nestjs/common';
import { CloudApiClient } from '../../../infra/cloud-api/cloud-api-client';
import type { CloudApiReply, PlatformError } from '../../../infra/cloud-api/cloud-api-reply';
import { Clock } from '../../../kernel/clock';
import { requestContext } from '../../../kernel/request-context';
import type { Sender } from '../../accounts/domain/sender';
import type { Acceptance } from '../../messages/domain/message';
import type { MessageContent } from '../../messages/domain/message-content';
import type {
  ButtonAction,
  FilledComponent,
  FilledParameter,
  FilledTemplate,
} from '../../templates/domain/filled-template';
import type { ButtonProducts, HeaderMedia } from '../../templates/domain/template-extras';
import type { Answer, ThrottleScope } from '../domain/answer';
import { withTrace } from '../domain/attempt-trace';
import { MessageSender } from '../domain/message-sender.port';
import type { OutgoingContent, OutgoingMessage } from '../domain/outgoing-message';
import { MarketingPreparations } from './marketing-preparations';

const PACE_EXCEEDED = 130429;
const PAIR_EXCEEDED = 131056;
/** Scopes of template throttles; other messages of the sender continue. */
const TEMPLATE_SCOPES: Readonly<Partial<Record<number, ThrottleScope>>> = {
  131064: 'templates',
  132069: 'template',
  134101: 'template',
};
const VALUE_INVALID = 131009;
/** Failures without a reason, possibly specific to one recipient. All other outages concern the platform. */
const UNEXPLAINED_FAILURES: readonly number[] = [1, 131000];
/** Real ids have less than 100 characters; an index cannot hold much longer ones. */
const MAX_ID_LENGTH = 512;
const MAX_TEXT_LENGTH = 2000;
/** Reasons to hold an accepted message back. */
const ACCEPTANCES: Readonly<Partial<Record<string, Acceptance>>> = {
  held_for_quality_assessment: 'HeldForQualityAssessment',
  paused: 'Paused',
};
const SUB_TYPES: Record<ButtonAction, string> = {
  url: 'url',
  copyCode: 'copy_code',
  quickReply: 'quick_reply',
  flow: 'flow',
  catalog: 'catalog',
  multiProduct: 'mpm',
};
const MAX_CODE = 2 ** 31 - 1;

/**
 * Sends over the Cloud API, `POST /{phone-number-id}/messages`; marketing templates of senders with
 * `marketingMessagesApi` over the Marketing Messages API, `…/marketing_messages`, with the same body.
 */
@Injectable()
export class CloudApiMessageSender extends MessageSender {
  private readonly preparations: MarketingPreparations;

  constructor(
    private readonly client: CloudApiClient,
    clock: Clock,
  ) {
    super();
    this.preparations = new MarketingPreparations(clock);
  }

  async send(sender: Sender, message: OutgoingMessage): Promise<Answer> {
    const endpoint = endpointFor(sender, message.content);
    const reply = await this.client.call({
      method: 'POST',
      path: `/${sender.phoneNumberId}/${endpoint}`,
      access: sender,
      canStillSend: message.canStillSend,
      body: {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        ...toWireRecipient(message.to),
        ...toWireContent(message.content),
        biz_opaque_callback_data: withTrace(message.callbackData, requestContext().traceparent),
      },
    });
    const answer = toAnswer(reply);
    if (endpoint === 'messages' || message.content.kind !== 'template') return answer;
    return this.throttledWhilePreparing(answer, sender, message.content.template);
  }

  /**
   * Before version 23 the marketing endpoint returns 131009 both for a template that it still prepares and for an
   * invalid value.
   */
  private throttledWhilePreparing(answer: Answer, sender: Sender, { name, languageCode }: FilledTemplate): Answer {
    const template = `${sender.businessAccountId} ${languageCode} ${name}`;
    if (answer.kind === 'accepted') this.preparations.accepted(template);
    if (answer.kind !== 'refused' || answer.platformCode !== VALUE_INVALID) return answer;
    if (!this.preparations.mayBePreparing(template)) return answer;
    return { kind: 'throttled', scope: 'template', message: answer.message, platformCode: VALUE_INVALID };
  }
}

function endpointFor({ marketingMessagesApi }: Sender, content: OutgoingContent): 'messages' | 'marketing_messages' {
  const isMarketing = content.kind === 'template' && content.template.category === 'Marketing';
  return marketingMessagesApi && isMarketing ? 'marketing_messages' : 'messages';
}

function toAnswer(reply: CloudApiReply): Answer {
  switch (reply.kind) {
    case 'answer': {
      const { id, message_status: status } = acceptedMessage(reply.body);
      if (typeof id === 'string' && id !== '') {
        const acceptance = ACCEPTANCES[String(status)];
        return { kind: 'accepted', platformMessageId: storable(id, MAX_ID_LENGTH), ...(acceptance && { acceptance }) };
      }
      return { kind: 'unknown', reason: `HTTP ${reply.status} without a message id` };
    }
    case 'refusal':
      return toRefusal(reply.error);
    case 'not_sent':
      return { kind: 'not_sent', reason: reply.reason };
    case 'no_answer':
      return { kind: 'unknown', reason: reply.reason };
  }
}

function toRefusal(error: PlatformError): Answer {
  const message = storable(error.details ? `${error.message}: ${error.details}` : error.message);
  switch (error.class) {
    case 'throttle':
      return { kind: 'throttled', scope: throttleScope(error.code), message, platformCode: error.code };
    case 'outage': {
      const suspect = UNEXPLAINED_FAILURES.includes(error.code) ? 'recipient' : 'platform';
      return { kind: 'outage', suspect, problem: error.problem, message, platformCode: storableCode(error.code) };
    }
    default:
      return {
        kind: 'refused',
        scope: error.class,
        problem: error.problem,
        message,
        platformCode: storableCode(error.code),
      };
  }
}

/** An answer that the database cannot store would be retried forever and block all others. */
function storable(text: string, maxLength = MAX_TEXT_LENGTH): string {
  return text.replaceAll('\u0000', '\uFFFD').slice(0, maxLength);
}

function storableCode(code: number): number | null {
  return Math.abs(code) <= MAX_CODE ? code : null;
}

function throttleScope(code: number): ThrottleScope {
  if (code === PACE_EXCEEDED) return 'pace';
  if (code === PAIR_EXCEEDED) return 'pair';
  return TEMPLATE_SCOPES[code] ?? 'account';
}

function acceptedMessage(body: unknown): { id?: unknown; message_status?: unknown } {
  return (body as { messages?: { id?: unknown; message_status?: unknown }[] } | null)?.messages?.[0] ?? {};
}

/** The recipient in Cloud API format. */
export function toWireRecipient(to: string): object {
  // Without the plus the platform may read the number as one of the business's own country.
  return /^\d+$/.test(to) ? { to: `+${to}` } : { recipient: to };
}

/** `type`, the object of that name, and the `context` of a reply, in Cloud API format. */
export function toWireContent(outgoing: OutgoingContent): object {
  if (outgoing.kind === 'template') return { type: 'template', template: toWireTemplate(outgoing.template) };
  const { content } = outgoing;
  const context = content.replyTo !== undefined && { context: { message_id: content.replyTo } };
  switch (outgoing.type) {
    case 'Text':
      return { ...context, type: 'text', text: { body: content.text, preview_url: content.previewUrl ?? false } };
    case 'Location':
      return { ...context, type: 'location', location: toWireLocation(content) };
    case 'Interactive':
      return { ...context, type: 'interactive', interactive: toWireInteractive(content) };
    case 'Reaction': {
      const { platformMessageId: message_id, emoji = null } = content.reaction ?? {};
      return { type: 'reaction', reaction: { message_id, emoji: emoji ?? '' } };
    }
    default: {
      const type = outgoing.type.toLowerCase();
      return { ...context, type, [type]: toWireMedia(content) };
    }
  }
}

function toWireLocation({ location }: MessageContent): object {
  const { latitude, longitude, name, address } = location ?? {};
  return { latitude, longitude, name, address };
}

function toWireInteractive({ text, interactive = {} }: MessageContent): object {
  const { buttons, list, link, footer } = interactive;
  const texts = { body: { text }, ...(footer !== undefined && { footer: { text: footer } }) };
  if (list) {
    const sections = list.sections.map(({ title, rows }) => ({ title, rows }));
    return { type: 'list', ...texts, action: { button: list.buttonText, sections } };
  }
  if (link) {
    const parameters = { display_text: link.title, url: link.url };
    return { type: 'cta_url', ...texts, action: { name: 'cta_url', parameters } };
  }
  const replies = (buttons ?? []).map(({ id, title }) => ({ type: 'reply', reply: { id, title } }));
  return { type: 'button', ...texts, action: { buttons: replies } };
}

function toWireMedia({ media, text }: MessageContent): object {
  const { mediaId, url, fileName } = media ?? {};
  return { ...(mediaId ? { id: mediaId } : { link: url }), caption: text, filename: fileName };
}

/** The `template` object in Cloud API format. */
function toWireTemplate(template: FilledTemplate): object {
  return {
    name: template.name,
    language: { code: template.languageCode },
    ...(template.components.length > 0 && { components: template.components.map(toWireComponent) }),
  };
}

function toWireComponent(component: FilledComponent): object {
  switch (component.part) {
    case 'offer': {
      const limited_time_offer = { expiration_time_ms: component.expiresAt.getTime() };
      return { type: 'limited_time_offer', parameters: [{ type: 'limited_time_offer', limited_time_offer }] };
    }
    case 'tapTarget': {
      const { title, url } = component.target;
      const parameter = { type: 'tap_target_configuration', tap_target_configuration: [{ url, title }] };
      return { type: 'tap_target_configuration', parameters: [parameter] };
    }
    case 'carousel': {
      const cards = component.cards.map((card, card_index) => ({ card_index, components: card.map(toWireComponent) }));
      return { type: 'carousel', cards };
    }
    case 'button': {
      const { action, index, parameters } = component;
      return {
        ...{ type: 'button', sub_type: SUB_TYPES[action], index: String(index) },
        parameters: parameters.map(toWireParameter),
      };
    }
    default:
      return { type: component.part, parameters: component.parameters.map(toWireParameter) };
  }
}

function toWireParameter(parameter: FilledParameter): object {
  switch (parameter.kind) {
    case 'text':
      return { type: 'text', ...(parameter.name && { parameter_name: parameter.name }), text: parameter.text };
    case 'couponCode':
      return { type: 'coupon_code', coupon_code: parameter.code };
    case 'payload':
      return { type: 'payload', payload: parameter.payload };
    case 'location':
      return { type: 'location', location: parameter.location };
    case 'media':
      return { type: parameter.mediaType, [parameter.mediaType]: toWireMediaReference(parameter.media) };
    case 'product': {
      const { catalogId, productId } = parameter.product;
      return { type: 'product', product: { catalog_id: catalogId, product_retailer_id: productId } };
    }
    case 'flow': {
      const { token, data } = parameter.flow;
      return { type: 'action', action: { flow_token: token, ...(data && { flow_action_data: data }) } };
    }
    case 'products':
      return { type: 'action', action: toWireProducts(parameter.products) };
  }
}

function toWireProducts({ thumbnailProductId, sections }: ButtonProducts): object {
  return {
    ...(thumbnailProductId !== undefined && { thumbnail_product_retailer_id: thumbnailProductId }),
    ...(sections && {
      sections: sections.map(({ title, productIds }) => ({
        ...(title !== '' && { title }),
        product_items: productIds.map((product_retailer_id) => ({ product_retailer_id })),
      })),
    }),
  };
}

function toWireMediaReference({ id, link, fileName: filename }: HeaderMedia): object {
  return { id, link, filename };
}
