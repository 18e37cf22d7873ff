import { createHmac, randomUUID } from 'node:crypto';
import type { Accepted } from './platform';
import type { Service } from './service';

/** The sandbox's first sender, as in settings and webhooks. */
export const FIRST_SENDER = {
  phoneNumberId: '109876543210001',
  businessAccountId: '204876543210002',
  appSecret: 'sandbox-app-secret',
};

/** A webhook body with these statuses of one phone number. */
export function reportOf(statuses: readonly object[], of: Partial<typeof FIRST_SENDER> = {}): string {
  const { phoneNumberId, businessAccountId } = { ...FIRST_SENDER, ...of };
  const value = { messaging_product: 'whatsapp', metadata: { phone_number_id: phoneNumberId }, statuses };
  return bodyOf([{ id: businessAccountId, changes: [{ field: 'messages', value }] }]);
}

/** A webhook body with an inbound message to the first sender, with a unique id; by default a text. */
export function inboundOf(
  from: string,
  content: object = { type: 'text', text: { body: 'Hello' } },
  name = 'Ann',
): string {
  const { phoneNumberId, businessAccountId } = FIRST_SENDER;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const value = {
    messaging_product: 'whatsapp',
    metadata: { phone_number_id: phoneNumberId },
    contacts: [{ wa_id: from, profile: { name } }],
    messages: [{ from, id: `wamid.${randomUUID()}`, timestamp, ...content }],
  };
  return bodyOf([{ id: businessAccountId, changes: [{ field: 'messages', value }] }]);
}

/** A webhook body with these entries. */
export function bodyOf(entry: readonly object[]): string {
  return JSON.stringify({ object: 'whatsapp_business_account', entry });
}

/** A status of a message, as in the platform's ledger. */
export function statusOf(
  { messageId, callbackData }: Pick<Accepted, 'messageId'> & Partial<Accepted>,
  status: string,
  code = 131026,
): object {
  return {
    id: messageId,
    status,
    timestamp: String(Math.floor(Date.now() / 1000)),
    ...(callbackData !== undefined && { biz_opaque_callback_data: callbackData }),
    ...(status === 'failed' && { errors: [{ code, title: 'Message undeliverable' }] }),
  };
}

/** The signature of a body, as in `X-Hub-Signature-256`. */
export function signatureOf(body: string, secret = FIRST_SENDER.appSecret): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Posts a body to the webhook of a service; a null `signature` sends none. */
export function postWebhook(
  service: Pick<Service, 'url'>,
  body: string,
  signature: string | null = signatureOf(body),
): Promise<Response> {
  return fetch(`${service.url}/webhooks/platform`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(signature !== null && { 'x-hub-signature-256': signature }) },
    body,
  });
}
