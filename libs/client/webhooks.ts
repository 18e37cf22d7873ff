import { WebhookVerificationError } from './errors';
import type { Webhooks } from './generated/types.gen';

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';
const VERSION = 'v1,';

/** What `POST /webhook-endpoints/{id}/test` sends. */
export interface TestEvent {
  type: 'webhook.test';
  timestamp: string;
  data: { endpointId: string };
}

/** Something that happened, told by its `type`. Types that this version does not know arrive, too: ignore them. */
export type WebhookEvent = Webhooks['body'] | TestEvent;

/** A request that came to a webhook endpoint. */
export interface WebhookRequest {
  /** The endpoint's `whsec_…`; while it is being rotated, both. */
  secret: string | readonly string[];
  /** The headers as your server has them: a Headers, or an object with names in small letters. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The body as it came, before any JSON parser. */
  body: string | Uint8Array;
  /** How far its time may be from now, in seconds, in both directions (300). */
  toleranceSeconds?: number;
}

/**
 * The events of a webhook request, if it is one of the service; otherwise throws WebhookVerificationError. In Node and in
 * browsers; compares in constant time. Each event comes at least once: remember `webhook-id` for some days, skip what you know.
 *
 * @example
 * async function onRequest(request: Request): Promise<Response> {
 *   const body = await request.text();
 *   try {
 *     const events = await verifyWebhook({ secret: process.env.WEBHOOK_SECRET!, headers: request.headers, body });
 *     for (const event of events) {
 *       if (event.type === 'message.failed') console.log(event.data.messageId, event.data.errorCode);
 *     }
 *     return new Response(null, { status: 204 });
 *   } catch (error) {
 *     if (error instanceof WebhookVerificationError) return new Response(error.message, { status: 400 });
 *     throw error;
 *   }
 * }
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent[]> {
  const { headers, toleranceSeconds = TOLERANCE_SECONDS } = request;
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  // A timestamp that is no number is not within the tolerance either.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw failed('its timestamp is too far from now: a replayed request or a wrong clock');
  const body = typeof request.body === 'string' ? request.body : new TextDecoder().decode(request.body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const secrets = typeof request.secret === 'string' ? [request.secret] : request.secret;
  const keys = await Promise.all(secrets.map(keyOf));
  const offered = signatures
    .filter((text) => text.startsWith(VERSION))
    .flatMap((text) => fromBase64(text.slice(VERSION.length)) ?? []);
  const checks = keys.flatMap((key) => offered.map((one) => crypto.subtle.verify('HMAC', key, one, signed)));
  if (!(await Promise.all(checks)).includes(true)) throw failed('no signature matches its body and this secret');
  const content = JSON.parse(body) as WebhookEvent | { events: WebhookEvent[] };
  return 'events' in content ? content.events : [content];
}

function headerOf(headers: WebhookRequest['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string') throw failed(`it has no ${name}`);
  return value;
}

function keyOf(secret: string) {
  const bytes = fromBase64(secret.replace(new RegExp(`^${SECRET_PREFIX}`), ''));
  if (!bytes) throw failed('the secret is not an endpoint secret: whsec_ and base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function failed(why: string): WebhookVerificationError {
  return new WebhookVerificationError('webhook_not_verified', `The webhook is not verified: ${why}.`);
}
