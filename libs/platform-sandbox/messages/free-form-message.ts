import { GraphError, invalidParameter } from '../http/graph-error';
import { isObject, type JsonObject } from '../http/exchange';
import { listOf } from '../templates/shape';
import { invalid, missing } from './envelope';
import { checkMediaReference, type MediaKindOf } from './media-reference';
import { isMessageId } from './message-id';

const TEXT_LIMIT = 4096;
const CAPTION_LIMIT = 1024;
const INTERACTIVE_TYPES = new Set([
  'button',
  'list',
  'cta_url',
  'flow',
  'location_request_message',
  'product',
  'product_list',
  'catalog_message',
]);

/** Validates the content of a free-form message (`text`, `image`, …); throws the platform's error. */
export function checkFreeFormMessage(type: string, body: JsonObject, kindOf: MediaKindOf, strictMedia: boolean): void {
  const content = body[type];
  if (type === 'contacts') {
    checkContacts(content);
    return;
  }
  if (!isObject(content)) throw missing(`${type} is required for messages of type ${type}.`);
  switch (type) {
    case 'text':
      checkString(content.body, 'text.body', TEXT_LIMIT);
      if (content.preview_url !== undefined && typeof content.preview_url !== 'boolean') {
        throw invalidParameter("Param text['preview_url'] must be a boolean.");
      }
      return;
    case 'location':
      checkNumber(content.latitude, 'location.latitude', 90);
      checkNumber(content.longitude, 'location.longitude', 180);
      return;
    case 'reaction':
      if (!isMessageId(content.message_id)) throw invalid('reaction.message_id is not a message id.');
      if (typeof content.emoji !== 'string') throw missing('reaction.emoji is required; an empty one removes it.');
      if (body.context !== undefined) throw invalid('A reaction cannot be a contextual reply.');
      return;
    case 'interactive':
      checkInteractive(content);
      return;
    default:
      checkMedia(content, type, kindOf, strictMedia);
  }
}

function checkMedia(content: JsonObject, type: string, kindOf: MediaKindOf, strictMedia: boolean): void {
  checkMediaReference(content, type, kindOf, strictMedia, type);
  if (content.caption === undefined) return;
  if (type === 'audio' || type === 'sticker') throw invalid(`${type} takes no caption.`);
  checkString(content.caption, `${type}.caption`, CAPTION_LIMIT);
}

function checkContacts(content: unknown): void {
  const contacts = listOf(content);
  if (contacts.length === 0) throw missing('contacts is required for messages of type contacts.');
  for (const contact of contacts) {
    const name = isObject(contact.name) ? contact.name : {};
    checkString(name.formatted_name, 'contacts.name.formatted_name', TEXT_LIMIT);
  }
}

function checkInteractive(content: JsonObject): void {
  const { type, action } = content;
  if (typeof type !== 'string' || !INTERACTIVE_TYPES.has(type)) throw invalid('interactive.type is unknown.');
  const body = isObject(content.body) ? content.body.text : undefined;
  if (type !== 'product') checkString(body, 'interactive.body.text', type === 'list' ? TEXT_LIMIT : 1024);
  if (isObject(content.footer)) checkString(content.footer.text, 'interactive.footer.text', 60);
  if (!isObject(action)) throw missing('interactive.action is required.');
  if (type === 'button') checkReplyButtons(action);
  if (type === 'list') checkList(action);
  if (type === 'cta_url') checkLink(action);
}

function checkReplyButtons(action: JsonObject): void {
  const buttons = listOf(action.buttons);
  if (buttons.length < 1 || buttons.length > 3) throw invalid('interactive.action.buttons must be 1 to 3.');
  const replies = buttons.map(({ reply }) => (isObject(reply) ? reply : {}));
  for (const reply of replies) {
    checkString(reply.id, 'reply.id', 256);
    checkString(reply.title, 'reply.title', 20);
  }
  checkDistinct(replies.map(({ id }) => id));
}

function checkList(action: JsonObject): void {
  checkString(action.button, 'interactive.action.button', 20);
  const sections = listOf(action.sections);
  const rows = sections.flatMap((section) => listOf(section.rows));
  if (rows.length < 1 || rows.length > 10) throw invalid('The sections of a list must hold 1 to 10 rows.');
  for (const section of sections) {
    if (listOf(section.rows).length === 0) throw invalid('Each section must hold a row.');
    if (sections.length > 1) checkString(section.title, 'section.title', 24);
  }
  for (const row of rows) {
    checkString(row.id, 'row.id', 200);
    checkString(row.title, 'row.title', 24);
    if (row.description !== undefined) checkString(row.description, 'row.description', 72);
  }
  checkDistinct(rows.map(({ id }) => id));
}

function checkLink(action: JsonObject): void {
  if (action.name !== 'cta_url') throw invalid('interactive.action.name must be cta_url.');
  const { display_text: label, url } = isObject(action.parameters) ? action.parameters : {};
  checkString(label, 'interactive.action.parameters.display_text', 20);
  if (typeof url !== 'string' || !/^https?:\/\/\S+$/.test(url)) {
    throw invalid('interactive.action.parameters.url must be a URL.');
  }
}

function checkDistinct(ids: unknown[]): void {
  if (new Set(ids).size !== ids.length) throw invalid('The ids of buttons and rows must differ.');
}

function checkString(value: unknown, name: string, limit: number): void {
  if (value === undefined || value === null || value === '') throw missing(`${name} is required.`);
  if (typeof value !== 'string') throw invalidParameter(`Param ${name} must be a string.`);
  if (value.length > limit) {
    throw new GraphError(100, { message: `(#100) Param ${name} must be at most ${limit} characters long.` });
  }
}

function checkNumber(value: unknown, name: string, bound: number): void {
  if (value === undefined) throw missing(`${name} is required.`);
  if (value === '' || !(Math.abs(Number(value)) <= bound)) throw invalid(`${name} is out of its range.`);
}
