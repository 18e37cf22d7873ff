import type { ReportedInbound } from '../../messages/domain/inbound-message';
import type { ContactCard, MessageContent, OrderItem } from '../../messages/domain/message-content';
import {
  beginningOf,
  codeOf,
  idOf,
  momentOf,
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
const LONGEST_TEXT = 65_536;
/** A message reported within this time is ordered by its arrival; later reports may come in any order. */
const AT_ONCE_MS = 10_000;
const LONGEST_NAME = 128;
const LONGEST_LABEL = 1024;
const LONGEST_URL = 4096;
const MOST_PARTS = 100;

type Reader = (part: unknown) => MessageContent;
type Kind = ReportedInbound['type'];

const KINDS: Readonly<Record<string, [Kind, Reader]>> = {
  text: ['Text', (part) => ({ text: long(objectOf(part).body) })],
  image: ['Image', mediaIn],
  video: ['Video', mediaIn],
  audio: ['Audio', mediaIn],
  document: ['Document', mediaIn],
  sticker: ['Sticker', mediaIn],
  location: ['Location', locationIn],
  contacts: ['Contacts', (part) => ({ contacts: objects(part).slice(0, MOST_PARTS).map(cardIn) })],
  button: ['Button', buttonIn],
  interactive: ['Interactive', choiceIn],
  reaction: ['Reaction', reactionIn],
  order: ['Order', orderIn],
  system: ['System', (part) => ({ text: long(objectOf(part).body) })],
  unsupported: ['Unsupported', (part) => ({ kind: nameOf(objectOf(part).type) ?? undefined })],
  // An earlier name of the same.
  unknown: ['Unsupported', () => ({})],
};

/** Why a message cannot be recorded. */
export type Unreadable = 'message_without_id' | 'message_without_sender' | 'message_of_a_group';

/** The contacts that a change names besides its messages. */
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

  /** The recipient of a status, if number and user id are named. */
  recipientOf(status: Wire): { phone: string; userId: string } | null {
    const named = { phone: phoneOf(status.recipient_id), userId: userIdOf(status.recipient_user_id) };
    const contact = this.of(named.phone, named.userId);
    const phone = named.phone ?? phoneOf(contact.wa_id);
    const userId = named.userId ?? userIdOf(contact.user_id);
    return phone === null || userId === null ? null : { phone, userId };
  }

  /** The contact who wrote a message; a single contact is meant when the message names nobody else. */
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
 * Reads one inbound message; fields that are missing or wrong are left out, except its id and sender. `order` is its index,
 * from 0, among the messages of the person in the body.
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
  const phone = phoneOf(wire.from) ?? phoneOf(contact.wa_id);
  const userId = userIdOf(wire.from_user_id) ?? userIdOf(contact.user_id);
  if (phone === null && userId === null) return 'message_without_sender';
  const profile = objectOf(contact.profile);
  const name = beginningOf(profile.name, LONGEST_NAME)?.trim();
  const seconds = numberOf(wire.timestamp) ?? 0;
  const at = momentOf(wire.timestamp, now);
  const arrivedAtOnce = now.getTime() - at.getTime() < AT_ONCE_MS;
  return {
    phoneNumberId,
    platformMessageId,
    phone,
    userId,
    profileName: name ? name : null,
    username: beginningOf(profile.username, LONGEST_NAME) ?? null,
    ...bodyOf(wire),
    at,
    orderedAt: new Date((arrivedAtOnce ? now : at).getTime() + Math.min(order, 999)),
    timestampMs: seconds > 0 ? Math.floor(seconds) * 1000 : 0,
  };
}

/** An edit has the content of the new message; a revoke has none. */
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
    ...given('text', long(media.caption)),
    media: {
      mediaId: idOf(media.id),
      ...given('mimeType', beginningOf(media.mime_type, LONGEST_NAME)),
      ...given('fileName', beginningOf(media.filename, LONGEST_LABEL)),
      ...given('sha256', beginningOf(media.sha256, LONGEST_NAME)),
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
      ...given('name', label(place.name)),
      ...given('address', label(place.address)),
      ...given('url', beginningOf(place.url, LONGEST_URL)),
    },
  };
}

function cardIn(card: Wire): ContactCard {
  const { formatted_name: formatted, first_name: first, last_name: last } = objectOf(card.name);
  const parts = [label(first), label(last)].filter((part) => part !== undefined);
  const phones = objects(card.phones).map(({ phone, wa_id: waId }) => label(phone) ?? label(waId));
  return {
    name: label(formatted) ?? parts.join(' '),
    phones: phones.filter((phone) => phone !== undefined).slice(0, MOST_PARTS),
  };
}

function buttonIn(part: unknown): MessageContent {
  const { text, payload } = objectOf(part);
  return { ...given('text', long(text)), choice: { id: label(payload) ?? null } };
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
    ...given('text', long(title) ?? long(body)),
    choice: {
      id: label(id) ?? label(name) ?? label(response) ?? null,
      ...given('description', label(description)),
      ...given('form', long(form)),
    },
  };
}

function reactionIn(part: unknown): MessageContent {
  const { message_id: messageId, emoji } = objectOf(part);
  const id = idOf(messageId);
  return id === null ? {} : { reaction: { platformMessageId: id, emoji: beginningOf(emoji, 64) ?? null } };
}

function orderIn(part: unknown): MessageContent {
  const { text, catalog_id: catalogId, product_items: products } = objectOf(part);
  const items = objects(products)
    .slice(0, MOST_PARTS)
    .map(({ product_retailer_id: id, quantity, item_price: price, currency }): OrderItem => ({
      productId: label(id) ?? '',
      quantity: numberOf(quantity) ?? 0,
      price: numberOf(price),
      currency: label(currency) ?? null,
    }));
  return { ...given('text', long(text)), order: { catalogId: idOf(catalogId), items } };
}

/** A type that the platform added later: the text is searched in the usual fields. */
function otherIn(word: string, part: unknown): MessageContent {
  const { body, caption, text, message } = objectOf(part);
  const inner = objectOf(message);
  const texts = [body, text, caption, objectOf(text).body, objectOf(inner.text).body, inner.body, part];
  return {
    ...given('kind', word === '' ? undefined : word),
    ...given(
      'text',
      texts.map(long).find((found) => found !== undefined),
    ),
  };
}

function referralIn(part: unknown): MessageContent['referral'] {
  const referral = objectOf(part);
  const found = {
    ...given('sourceType', label(referral.source_type)),
    ...given('sourceId', label(referral.source_id)),
    ...given('sourceUrl', beginningOf(referral.source_url, LONGEST_URL)),
    ...given('headline', label(referral.headline)),
    ...given('clickId', label(referral.ctwa_clid)),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}

function problemIn(error: Wire | undefined): MessageContent['problem'] {
  if (!error) return undefined;
  const summary = label(error.message) ?? label(error.title) ?? 'The platform gave no reason.';
  const details = label(objectOf(error.error_data).details);
  return { platformCode: codeOf(error.code), message: details === undefined ? summary : `${summary}: ${details}` };
}

function long(value: unknown): string | undefined {
  return beginningOf(value, LONGEST_TEXT);
}

function label(value: unknown): string | undefined {
  return beginningOf(value, LONGEST_LABEL);
}

/** An object with the field, or without it when the value is undefined. */
function given<Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<Name, Value>>);
}
