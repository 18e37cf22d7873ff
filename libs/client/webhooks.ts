import { WebhookVerificationError } from './errors';
import type { Webhooks } from './generated/types.gen';

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';
const VERSION = 'v1,';

/** The event that `POST /webhook-endpoints/{id}/test` sends. */
export interface TestEvent {
  type: 'webhook.test';
  timestamp: string;
  data: { endpointId: string };
}

/** An event, discriminated by `type`. Ignore unknown types, which newer services may send. */
export type WebhookEvent = Webhooks['body'] | TestEvent;

/** A request received by a webhook endpoint. */
export interface WebhookRequest {
  /** The endpoint's secret, `whsec_…`; both secrets during a rotation. */
  secret: string | readonly string[];
  /** The request headers: a Headers object, or an object with lowercase names. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The raw body, before JSON parsing: with Express, `express.raw({ type: 'application/json' })`. */
  body: string | Uint8Array;
  /** Maximum difference between its timestamp and now, in seconds, in either direction (default 300). */
  toleranceSeconds?: number;
}

/**
 * Verifies a webhook request in constant time and returns its events; throws WebhookVerificationError if the signature or
 * timestamp is invalid, the body already parsed or the secret empty. Works in Node and browsers. Events are delivered at least once: store `webhook-id` for some days and skip
 * duplicates.
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
  const body = textOf(request.body);
  const secrets = [request.secret].flat();
  const keys = await Promise.all(secrets.map(keyOf));
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  // Also true if the timestamp is not a number.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw verificationError('its timestamp is too far from now: a replayed request, or a wrong clock');
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const candidates = signatures
    .filter((text) => text.startsWith(VERSION))
    .flatMap((text) => fromBase64(text.slice(VERSION.length)) ?? []);
  const checks = keys.flatMap((key) => candidates.map((one) => crypto.subtle.verify('HMAC', key, one, signed)));
  if (!(await Promise.all(checks)).includes(true))
    throw verificationError('no signature matches its body and this secret');
  const content = JSON.parse(body) as WebhookEvent | { events: WebhookEvent[] };
  return 'events' in content ? content.events : [content];
}

function headerOf(headers: WebhookRequest['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string') throw verificationError(`the ${name} header is missing`);
  return value;
}

/** The body as text. Types do not keep a parsed one away: frameworks have it as `any`. */
function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  // Avoids `instanceof`, as buffers may come from another realm.
  if (!ArrayBuffer.isView(body) && Object.prototype.toString.call(body) !== '[object ArrayBuffer]')
    throw verificationError('its body is not raw: pass the raw body, as text or bytes, before JSON parsing');
  return new TextDecoder().decode(body as Uint8Array);
}

function keyOf(secret: string | undefined) {
  if (!secret || secret === SECRET_PREFIX)
    throw verificationError('the secret is empty: pass the one that the endpoint was created with');
  const bytes = fromBase64(secret.replace(new RegExp(`^${SECRET_PREFIX}`), ''));
  if (!bytes) throw verificationError('the secret is malformed: it must be whsec_ followed by base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function verificationError(reason: string): WebhookVerificationError {
  return new WebhookVerificationError('webhook_not_verified', `The webhook is not verified: ${reason}.`);
}
