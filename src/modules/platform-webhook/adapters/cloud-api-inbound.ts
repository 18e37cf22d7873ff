import type { ReportedInbound } from '../../messages/domain/inbound-message';
import type { ContactCard, MessageContent, OrderItem } from '../../messages/domain/message-content';
import {
  truncated,
  codeOf,
  idOf,
  timeOf,
  nameOf,
  numberOf,
  objectOf,
  objects,
  phoneOf,
  textOf,
  userIdOf,
  type Wire,
} from './cloud-api-values';

/** Longer than the platform allows. */
const MAX_TEXT = 65_536;
/** A message reported within this time is ordered by arrival; later reports may arrive in any order. */
const PROMPT_MS = 10_000;
const MAX_NAME = 128;
const MAX_LABEL = 1024;
const MAX_URL = 4096;
const MAX_PARTS = 100;

type Reader = (part: unknown) => MessageContent;
type Kind = ReportedInbound['type'];

const KINDS: Readonly<Record<string, [Kind, Reader]>> = {
  text: ['Text', (part) => ({ text: longText(objectOf(part).body) })],
  image: ['Image', mediaIn],
  video: ['Video', mediaIn],
  audio: ['Audio', mediaIn],
  document: ['Document', mediaIn],
  sticker: ['Sticker', mediaIn],
  location: ['Location', locationIn],
  contacts: ['Contacts', (part) => ({ contacts: objects(part).slice(0, MAX_PARTS).map(cardIn) })],
  button: ['Button', buttonIn],
  interactive: ['Interactive', choiceIn],
  reaction: ['Reaction', reactionIn],
  order: ['Order', orderIn],
  system: ['System', (part) => ({ text: longText(objectOf(part).body) })],
  unsupported: ['Unsupported', (part) => ({ kind: nameOf(objectOf(part).type) ?? undefined })],
  // Former name of `unsupported`.
  unknown: ['Unsupported', () => ({})],
};

/** Why a message cannot be recorded. */
export type Unreadable = 'message_without_id' | 'message_without_sender' | 'message_of_a_group';

/** The contacts listed in a change besides its messages. */
export class WireContacts {
  private readonly all: Wire[];
  private readonly byPerson = new Map<string, Wire>();

  constructor(contacts: unknown) {
    this.all = objects(contacts);
    for (const contact of this.all) {
      for (const person of [phoneOf(contact.wa_id), userIdOf(contact.user_id)]) {
        if (person !== null) this.byPerson.set(person, contact);
      }
    }
  }

  /** The recipient of a status, if both number and user id are given. */
  recipientOf(status: Wire): { phone: string; userId: string } | null {
    const named = { phone: phoneOf(status.recipient_id), userId: userIdOf(status.recipient_user_id) };
    const contact = this.of(named.phone, named.userId);
    const phone = named.phone ?? phoneOf(contact.wa_id);
    const userId = named.userId ?? userIdOf(contact.user_id);
    return phone === null || userId === null ? null : { phone, userId };
  }

  /** The contact who wrote a message; a single contact also matches if the message identifies no one else. */
  of(phone: string | null, userId: string | null): Wire {
    for (const person of [phone, userId]) {
      const known = person === null ? undefined : this.byPerson.get(person);
      if (known) return known;
    }
    const [only] = this.all;
    if (!only || this.all.length > 1) return {};
    const isAnother =
      (phone !== null && phoneOf(only.wa_id) !== null) || (userId !== null && userIdOf(only.user_id) !== null);
    return isAnother ? {} : only;
  }
}

/**
 * Reads one inbound message; missing or invalid fields are omitted, except id and sender, which are required. `order`
 * is its index among the person's messages in the body.
 */
export function readInbound(
  wire: Wire,
  contacts: WireContacts,
  phoneNumberId: string,
  { now, order }: { now: Date; order: number },
): ReportedInbound | Unreadable {
  const platformMessageId = idOf(wire.id);
  if (platformMessageId === null) return 'message_without_id';
  if (textOf(wire.group_id) !== null) return 'message_of_a_group';
  const contact = contacts.of(phoneOf(wire.from), userIdOf(wire.from_user_id));
  const phone = phoneOf(wire.from) ?? phoneOf(contact.wa_id) ?? sharedPhone(wire);
  const userId = userIdOf(wire.from_user_id) ?? userIdOf(contact.user_id);
  if (phone === null && userId === null) return 'message_without_sender';
  const profile = objectOf(contact.profile);
  const name = truncated(profile.name, MAX_NAME)?.trim();
  const seconds = numberOf(wire.timestamp) ?? 0;
  const at = timeOf(wire.timestamp, now);
  const isPrompt = now.getTime() - at.getTime() < PROMPT_MS;
  return {
    phoneNumberId,
    platformMessageId,
    phone,
    userId,
    profileName: name ? name : null,
    username: truncated(profile.username, MAX_NAME) ?? null,
    ...bodyOf(wire),
    at,
    orderedAt: new Date((isPrompt ? now : at).getTime() + Math.min(order, 999)),
    timestampMs: seconds > 0 ? Math.floor(seconds) * 1000 : 0,
  };
}

/** The number that the person shared by a "share contact info" button. */
function sharedPhone({ type, origin, contacts }: Wire): string | null {
  if (type !== 'contacts') return null;
  const own = objects(contacts).filter((card) => origin === 'contact_request' || card.origin === 'contact_request');
  const phones = own.flatMap((card) => objects(card.phones));
  const numbers = phones.map(
    ({ wa_id: waId, phone }) => phoneOf(waId) ?? phoneOf(textOf(phone)?.replace(/[^+\d]/g, '')),
  );
  return numbers.find((number) => number !== null) ?? null;
}

/** An edit has the new content; a revocation has none. */
function bodyOf(wire: Wire): Pick<ReportedInbound, 'type' | 'content' | 'changes'> {
  const kind = wire.type;
  const change = kind === 'edit' || kind === 'revoke' ? objectOf(wire[kind]) : {};
  const platformMessageId = idOf(change.original_message_id);
  if (platformMessageId === null) return { ...contentOf(wire), changes: null };
  if (kind === 'revoke') return { type: 'Other', content: {}, changes: { kind, platformMessageId } };
  return { ...contentOf(objectOf(change.message)), changes: { kind: 'edit', platformMessageId } };
}

function contentOf(wire: Wire): Pick<ReportedInbound, 'type' | 'content'> {
  const word = nameOf(wire.type) ?? '';
  const [type, reader] = Object.hasOwn(KINDS, word)
    ? KINDS[word]!
    : ['Other' as const, () => otherIn(word, wire[word])];
  const context = objectOf(wire.context);
  const isForwarded = context.forwarded === true || context.frequently_forwarded === true;
  return {
    type,
    content: {
      ...reader(wire[word]),
      ...given('replyTo', idOf(context.id) ?? undefined),
      ...given('forwarded', isForwarded || undefined),
      ...given('referral', referralIn(wire.referral)),
      ...given('problem', problemIn(objects(wire.errors)[0])),
    },
  };
}

function mediaIn(part: unknown): MessageContent {
  const media = objectOf(part);
  return {
    ...given('text', longText(media.caption)),
    media: {
      mediaId: idOf(media.id),
      ...given('mimeType', truncated(media.mime_type, MAX_NAME)),
      ...given('fileName', truncated(media.filename, MAX_LABEL)),
      ...given('sha256', truncated(media.sha256, MAX_NAME)),
      ...given('voice', media.voice === true || undefined),
      ...given('animated', media.animated === true || undefined),
    },
  };
}

function locationIn(part: unknown): MessageContent {
  const place = objectOf(part);
  const latitude = numberOf(place.latitude);
  const longitude = numberOf(place.longitude);
  if (latitude === null || longitude === null) return {};
  return {
    location: {
      latitude,
      longitude,
      ...given('name', shortText(place.name)),
      ...given('address', shortText(place.address)),
      ...given('url', truncated(place.url, MAX_URL)),
    },
  };
}

function cardIn(card: Wire): ContactCard {
  const { formatted_name: formatted, first_name: first, last_name: last } = objectOf(card.name);
  const parts = [shortText(first), shortText(last)].filter((part) => part !== undefined);
  const phones = objects(card.phones).map(({ phone, wa_id: waId }) => shortText(phone) ?? shortText(waId));
  return {
    name: shortText(formatted) ?? parts.join(' '),
    phones: phones.filter((phone) => phone !== undefined).slice(0, MAX_PARTS),
  };
}

function buttonIn(part: unknown): MessageContent {
  const { text, payload } = objectOf(part);
  return { ...given('text', longText(text)), choice: { id: shortText(payload) ?? null } };
}

function choiceIn(part: unknown): MessageContent {
  const interactive = objectOf(part);
  const {
    id,
    name,
    title,
    body,
    description,
    response_json: form,
    response,
  } = objectOf(interactive[nameOf(interactive.type) ?? '']);
  return {
    ...given('text', longText(title) ?? longText(body)),
    choice: {
      id: shortText(id) ?? shortText(name) ?? shortText(response) ?? null,
      ...given('description', shortText(description)),
      ...given('form', longText(form)),
    },
  };
}

function reactionIn(part: unknown): MessageContent {
  const { message_id: messageId, emoji } = objectOf(part);
  const id = idOf(messageId);
  return id === null ? {} : { reaction: { platformMessageId: id, emoji: truncated(emoji, 64) ?? null } };
}

function orderIn(part: unknown): MessageContent {
  const { text, catalog_id: catalogId, product_items: products } = objectOf(part);
  const items = objects(products)
    .slice(0, MAX_PARTS)
    .map(({ product_retailer_id: id, quantity, item_price: price, currency }): OrderItem => ({
      productId: shortText(id) ?? '',
      quantity: numberOf(quantity) ?? 0,
      price: numberOf(price),
      currency: shortText(currency) ?? null,
    }));
  return { ...given('text', longText(text)), order: { catalogId: idOf(catalogId), items } };
}

/** A type that the platform added later: looks for text in the usual fields. */
function otherIn(word: string, part: unknown): MessageContent {
  const { body, caption, text, message } = objectOf(part);
  const inner = objectOf(message);
  const texts = [body, text, caption, objectOf(text).body, objectOf(inner.text).body, inner.body, part];
  return {
    ...given('kind', word === '' ? undefined : word),
    ...given(
      'text',
      texts.map(longText).find((found) => found !== undefined),
    ),
  };
}

function referralIn(part: unknown): MessageContent['referral'] {
  const referral = objectOf(part);
  const found = {
    ...given('sourceType', shortText(referral.source_type)),
    ...given('sourceId', shortText(referral.source_id)),
    ...given('sourceUrl', truncated(referral.source_url, MAX_URL)),
    ...given('headline', shortText(referral.headline)),
    ...given('clickId', shortText(referral.ctwa_clid)),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}

function problemIn(error: Wire | undefined): MessageContent['problem'] {
  if (!error) return undefined;
  const summary = shortText(error.message) ?? shortText(error.title) ?? 'The platform gave no reason.';
  const details = shortText(objectOf(error.error_data).details);
  return { platformCode: codeOf(error.code), message: details === undefined ? summary : `${summary}: ${details}` };
}

function longText(value: unknown): string | undefined {
  return truncated(value, MAX_TEXT);
}

function shortText(value: unknown): string | undefined {
  return truncated(value, MAX_LABEL);
}

/** An object with the field, or an empty one if the value is undefined. */
function given<Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<Name, Value>>);
}
