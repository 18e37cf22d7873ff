import { GraphError, invalidParameter } from '../http/graph-error';
import { isObject, type JsonObject } from '../http/exchange';
import { isMessageId } from './message-id';

/** The common fields of all message types: the recipient and the callback data. */
export interface MessageEnvelope {
  type: string;
  /** As sent by the client. */
  input: string;
  /** Digits without a plus, or a business-scoped user id. */
  to: string;
  byUserId: boolean;
  callbackData: string | null;
}

const TYPES = new Set([
  'template',
  'text',
  'image',
  'video',
  'document',
  'audio',
  'sticker',
  'location',
  'contacts',
  'interactive',
  'reaction',
]);
const USER_ID = /^[A-Z]{2}\.[A-Za-z0-9]{1,128}$/;
const PHONE_DECORATION = /[+\s()-]/g;
const PHONE = /^[1-9]\d{6,14}$/;
const CALLBACK_DATA_LIMIT = 512;

/** Rejects a body without the platform's product name. */
export function checkProduct(body: JsonObject): void {
  if (body.messaging_product !== 'whatsapp') {
    throw invalidParameter(
      body.messaging_product === undefined
        ? 'The parameter messaging_product is required.'
        : 'Param messaging_product must be one of {WHATSAPP}',
    );
  }
}

/** Reads and validates the common fields of a message; `to` takes precedence over `recipient`. */
export function readEnvelope(body: JsonObject): MessageEnvelope {
  checkProduct(body);
  const { recipient_type: recipientType = 'individual', type = 'text', context } = body;
  if (recipientType !== 'individual') throw invalid('recipient_type must be individual for this business.');
  if (typeof type !== 'string' || !TYPES.has(type)) {
    throw invalidParameter(`Param type must be one of {${[...TYPES].join(', ').toUpperCase()}}`);
  }
  if (context !== undefined && !(isObject(context) && isMessageId(context.message_id))) {
    throw invalid('context.message_id is not a message id.');
  }
  return { type, ...recipientOf(body), callbackData: callbackDataOf(body.biz_opaque_callback_data) };
}

function recipientOf({ to, recipient }: JsonObject): Pick<MessageEnvelope, 'input' | 'to' | 'byUserId'> {
  if (to === undefined && recipient !== undefined) {
    if (typeof recipient !== 'string' || !USER_ID.test(recipient)) throw invalid('recipient is not a user id.');
    return { input: recipient, to: recipient, byUserId: true };
  }
  if (to === undefined || to === null || to === '') throw missing('to is required.');
  if (typeof to !== 'string') throw invalidParameter('Param to must be a string.');
  const digits = to.replace(PHONE_DECORATION, '');
  if (!PHONE.test(digits)) throw invalid('to is not a valid phone number.');
  return { input: to, to: digits, byUserId: false };
}

function callbackDataOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw invalidParameter('Param biz_opaque_callback_data must be a string.');
  if (value.length > CALLBACK_DATA_LIMIT) {
    throw invalidParameter(`Param biz_opaque_callback_data must be at most ${CALLBACK_DATA_LIMIT} characters long.`);
  }
  return value;
}

/** Code 131008: a required value is missing. */
export function missing(details: string): GraphError {
  return new GraphError(131008, { details });
}

/** Code 131009: a value is invalid. */
export function invalid(details: string): GraphError {
  return new GraphError(131009, { details });
}
