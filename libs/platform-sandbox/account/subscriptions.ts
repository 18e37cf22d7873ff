import { randomInt } from 'node:crypto';
import { request } from 'undici';
import { SANDBOX_CREDENTIALS } from '../credentials';
import { json, success, type HandlerResult } from '../http/handler-result';
import { isObject, type Exchange, type JsonObject } from '../http/exchange';
import { GraphError, invalidParameter } from '../http/graph-error';
import type { BusinessAccount, Directory, Sender, Subscription } from './directory';
import { isUrl } from '../http/is-url';

const VERIFICATION_TIMEOUT_MS = 10_000;
const APP_OBJECT = 'whatsapp_business_account';
/** The webhook fields that an app can subscribe to. */
const APP_FIELDS = new Set([
  'messages',
  'calls',
  'account_alerts',
  'account_review_update',
  'account_update',
  'business_capability_update',
  'message_template_components_update',
  'message_template_quality_update',
  'message_template_status_update',
  'phone_number_name_update',
  'phone_number_quality_update',
  'security',
  'template_category_update',
  'user_id_update',
  'user_preferences',
]);

/** `POST /{business-account-id}/subscribed_apps`: subscribes to the account, optionally with an override URL, which is verified first. */
export async function subscribeAccount(exchange: Exchange, account: BusinessAccount): Promise<HandlerResult> {
  const input = exchange.parameters();
  if (input.override_callback_uri !== undefined) account.override = await verified(input, 'override_callback_uri');
  account.subscribed = true;
  return success();
}

/** `DELETE /{business-account-id}/subscribed_apps`: unsubscribes. */
export function unsubscribeAccount(account: BusinessAccount): HandlerResult {
  account.subscribed = false;
  account.override = undefined;
  return success();
}

/** `GET /{business-account-id}/subscribed_apps`. */
export function listSubscriptions(account: BusinessAccount): HandlerResult {
  if (!account.subscribed) return json({ data: [] });
  const app = { id: SANDBOX_CREDENTIALS.appId, name: 'Sandbox app', link: 'https://app.example.test/' };
  const override = account.override === undefined ? {} : { override_callback_uri: account.override.url };
  return json({ data: [{ whatsapp_business_api_data: app, ...override }] });
}

/** `POST /{app-id}/subscriptions`: sets the app's URL for all subscribed accounts and adds comma-separated `fields`. */
export async function subscribeApp(exchange: Exchange, directory: Directory): Promise<HandlerResult> {
  const input = exchange.parameters();
  if (input.object !== APP_OBJECT) {
    throw invalidParameter('Param object must be one of {WHATSAPP_BUSINESS_ACCOUNT}');
  }
  const fields = (typeof input.fields === 'string' ? input.fields.split(',') : []).map((field) => field.trim());
  if (fields.every((field) => field === '')) throw invalidParameter('The parameter fields is required.');
  const unknown = fields.find((field) => !APP_FIELDS.has(field));
  if (unknown !== undefined) throw invalidParameter(`Param fields must not contain ${unknown}`);
  const subscription = await verified(input, 'callback_url');
  const before = directory.appSubscription?.fields ?? [];
  directory.appSubscription = { ...subscription, fields: new Set([...before, ...fields]) };
  return success();
}

/** `GET /{app-id}/subscriptions`: the app's own subscription, if it has one. */
export function listAppSubscriptions(directory: Directory): HandlerResult {
  const { appSubscription: subscription } = directory;
  if (subscription === undefined) return json({ data: [] });
  const fields = [...subscription.fields].map((name) => ({ name, version: 'v25.0' }));
  return json({ data: [{ object: APP_OBJECT, callback_url: subscription.url, active: true, fields }] });
}

/** `POST /{phone-number-id}` with `webhook_configuration`: sets the webhook URL of one number; an empty one removes it. */
export async function configureNumber(exchange: Exchange, sender: Sender): Promise<HandlerResult> {
  const { webhook_configuration: configuration } = exchange.parameters();
  if (!isObject(configuration)) throw invalidParameter('The parameter webhook_configuration is required.');
  sender.override =
    configuration.override_callback_uri === '' ? undefined : await verified(configuration, 'override_callback_uri');
  return success();
}

async function verified(input: JsonObject, name: string): Promise<Subscription> {
  const { [name]: url, verify_token: verifyToken } = input;
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url) || !isUrl(url)) {
    throw invalidParameter(`Param ${name} must be an absolute address.`);
  }
  if (typeof verifyToken !== 'string' || verifyToken === '') {
    throw invalidParameter('The parameter verify_token is required.');
  }
  const problem = await verificationProblem(url, verifyToken);
  if (problem !== undefined) {
    throw new GraphError(2200, {
      message: `(#2200) Callback verification failed with the following errors: ${problem}`,
    });
  }
  return { url, verifyToken };
}

async function verificationProblem(url: string, verifyToken: string): Promise<string | undefined> {
  const challenge = String(randomInt(100_000_000, 2_000_000_000));
  const target = new URL(url);
  target.searchParams.set('hub.mode', 'subscribe');
  target.searchParams.set('hub.challenge', challenge);
  target.searchParams.set('hub.verify_token', verifyToken);
  try {
    const timeouts = { headersTimeout: VERIFICATION_TIMEOUT_MS, bodyTimeout: VERIFICATION_TIMEOUT_MS };
    const response = await request(target, { ...timeouts, headers: { connection: 'close' } });
    const text = await response.body.text();
    if (response.statusCode !== 200) return `HTTP Status Code = ${response.statusCode}`;
    return text.trim() === challenge ? undefined : 'The challenge was not echoed';
  } catch {
    return 'The callback address could not be reached';
  }
}
