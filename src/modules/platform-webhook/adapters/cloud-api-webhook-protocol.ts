import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { platformErrorMeaning } from '../../../infra/cloud-api/error-table';
import { parseJsonKeepingIntegers } from '../../../infra/cloud-api/parse-json';
import type { MessageProblem, Pricing } from '../../messages/domain/message';
import { platformEvent } from '../domain/platform-notice';
import type { FailureScope, ReportedStatus } from '../../messages/domain/status-update';
import {
  type ReportedUpdate,
  type WebhookReading,
  type WebhookReport,
  type WebhookRequest,
  WebhookProtocol,
} from '../domain/webhook-protocol.port';
import { readInbound, WireContacts } from './cloud-api-inbound';
import { identityChangeIn } from './cloud-api-identities';
import { alertIn, readNotices } from './cloud-api-notices';
import { codeOf, idOf, timeOf, nameOf, objectOf, objects, textOf, type Wire } from './cloud-api-values';

const STATUSES: Readonly<Record<string, ReportedStatus>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  // For voice messages.
  played: 'read',
  failed: 'failed',
};
const MAX_TEXT = 2000;
const NUMERIC_ID = /"id"\s{0,9}:\s{0,9}"?(\d{1,32})\b/g;
const BYTES_WITH_IDS = 16 * 1024;
/** Per body; further events are only counted. */
const MAX_EVENTS = 100;
const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

/** The webhook of the Cloud API: `hub.challenge`, `X-Hub-Signature-256`, and bodies of entries and changes. */
export class CloudApiWebhookProtocol extends WebhookProtocol {
  constructor(private readonly verifyToken: string) {
    super();
  }

  verificationAnswer(query: Readonly<Record<string, unknown>>): string | null {
    const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = query;
    const isOurs = mode === 'subscribe' && typeof token === 'string' && isSameSecret(token, this.verifyToken);
    return isOurs && typeof challenge === 'string' ? challenge : null;
  }

  /**
   * The numeric ids at the start of a body, including that of its first entry, which the platform writes first. Parsing
   * an unverified body would cost more than checking its signature.
   */
  claimedAccounts({ body }: WebhookRequest): ReadonlySet<string> {
    const ids = new Set<string>();
    for (const [, id = ''] of body.toString('latin1', 0, BYTES_WITH_IDS).matchAll(NUMERIC_ID)) ids.add(id);
    return ids;
  }

  signingSecret({ body, headers }: WebhookRequest, secrets: Iterable<string>): string | null {
    const signature = headers['x-hub-signature-256'];
    return signingSecret(body, typeof signature === 'string' ? signature : undefined, secrets);
  }

  read({ body }: WebhookRequest, now: Date): WebhookReading {
    return readWebhook(body.toString('utf8'), now);
  }
}

/**
 * The secret that signed exactly these bytes (HMAC-SHA256, header `X-Hub-Signature-256`), or null. Compares in constant
 * time.
 */
export function signingSecret(body: Buffer, header: string | undefined, secrets: Iterable<string>): string | null {
  const digest = SIGNATURE.exec(header ?? '')?.[1];
  if (digest === undefined) return null;
  const given = Buffer.from(digest, 'hex');
  for (const secret of secrets) {
    // An empty secret would validate any signature.
    if (secret !== '' && timingSafeEqual(createHmac('sha256', secret).update(body).digest(), given)) return secret;
  }
  return null;
}

/** Whether two texts are equal, compared in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/**
 * Reads a webhook body. Unknown parts are counted by kind and stored as events. Times in the future become `now`.
 * Throws SyntaxError if the body is not JSON.
 */
export function readWebhook(body: string, now: Date): WebhookReading {
  const reading = new Reading(now);
  reading.body(parseJsonKeepingIntegers(body));
  return { reports: reading.reports, ignored: reading.ignored };
}

/** Such as `authentication-international`. */
const PRICING_WORD = /^[\w-]{1,50}$/;

/** The entry that a part of the body belongs to. */
interface Source {
  report: WebhookReport;
  /** The platform's time of the entry. */
  time: unknown;
}

class Reading {
  readonly reports: WebhookReport[] = [];
  readonly ignored = new Map<string, number>();
  private events = 0;
  /** Number of messages per person so far. */
  private readonly messages = new Map<unknown, number>();

  constructor(private readonly now: Date) {}

  body(body: unknown): void {
    const entries = objects(body instanceof Object && 'entry' in body ? body.entry : undefined);
    if (entries.length === 0) this.ignore('body_without_entries', body, this.source('', null));
    for (const entry of entries) this.entry(entry);
  }

  private source(businessAccountId: string, time: unknown): Source {
    const report: WebhookReport = { businessAccountId, statuses: [], messages: [], notices: [] };
    this.reports.push(report);
    return { report, time };
  }

  private entry(entry: Wire): void {
    const source = this.source(idOf(entry.id) ?? '', entry.time);
    const changes = objects(entry.changes);
    if (changes.length === 0) this.ignore('entry_without_changes', entry, source);
    for (const change of changes) this.change(change, source);
  }

  private change(change: Wire, source: Source): void {
    const field = nameOf(change.field);
    const value = objectOf(change.value);
    if (field === 'messages') {
      this.messagesAndStatuses(value, source);
      return;
    }
    if (field === 'calls' && this.incomingCalls(value, source)) return;
    const { notices, isWhole } = readNotices(field ?? '', value, timeOf(source.time, this.now), this.now);
    source.report.notices.push(...notices);
    if (!isWhole) this.ignore(field ?? 'unnamed_field', change, source, field && alertIn(field, value));
  }

  /** A person's call opens the 24 h window like a message; returns false if the change contains other calls. */
  private incomingCalls(value: Wire, source: Source): boolean {
    const phoneNumberId = idOf(objectOf(value.metadata).phone_number_id) ?? '';
    const calls = objects(value.calls).map((call) => {
      const isIncoming = call.event === 'connect' && call.direction === 'USER_INITIATED';
      if (!isIncoming) return 'call';
      const contacts = new WireContacts(value.contacts);
      return readInbound({ ...call, type: 'call' }, contacts, phoneNumberId, { now: this.now, order: 0 });
    });
    const messages = calls.filter((call) => typeof call !== 'string');
    source.report.messages.push(...messages);
    return messages.length > 0 && messages.length === calls.length;
  }

  private messagesAndStatuses(value: Wire, source: Source): void {
    const phoneNumberId = idOf(objectOf(value.metadata).phone_number_id) ?? '';
    const statuses = objects(value.statuses);
    const contacts = new WireContacts(value.contacts);
    for (const status of statuses) {
      const update = this.status(status, phoneNumberId, contacts);
      if (typeof update === 'string') this.ignore(update, status, source);
      else source.report.statuses.push(update);
    }
    const messages = objects(value.messages);
    for (const wire of messages) {
      const person = wire.from ?? wire.from_user_id;
      const order = this.messages.get(person) ?? 0;
      this.messages.set(person, order + 1);
      const message = readInbound(wire, contacts, phoneNumberId, { now: this.now, order });
      const change = wire.type === 'system' ? identityChangeIn(wire) : null;
      if (change) source.report.notices.push({ kind: 'identity', change });
      if (change && message === 'message_without_sender') continue;
      if (typeof message === 'string') this.ignore(message, wire, source);
      else source.report.messages.push(message);
    }
    const errors = objects(value.errors);
    for (const error of errors) this.ignore('error', error, source, `code ${codeOf(error.code) ?? 'unknown'}`);
    if (statuses.length + messages.length + errors.length === 0) this.ignore('change_without_updates', value, source);
  }

  private status(wire: Wire, phoneNumberId: string, contacts: WireContacts): ReportedUpdate | string {
    const platformMessageId = idOf(wire.id);
    const word = textOf(wire.status)?.toLowerCase() ?? '';
    const status = Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined;
    if (platformMessageId === null) return 'status_without_message';
    if (status === undefined) return nameOf(word) ? `status_${word}` : 'status_without_name';
    return {
      phoneNumberId,
      platformMessageId,
      status,
      at: timeOf(wire.timestamp, this.now),
      callbackData: textOf(wire.biz_opaque_callback_data),
      recipient: contacts.recipientOf(wire),
      pricing: pricingOf(objectOf(wire.pricing)),
      ...(status === 'failed' ? failureOf(objects(wire.errors)[0] ?? {}) : { problem: null, scope: null }),
    };
  }

  private ignore(kind: string, body: unknown, source: Source, alert: string | null = null): void {
    this.ignored.set(kind, (this.ignored.get(kind) ?? 0) + 1);
    if (this.events++ >= MAX_EVENTS) return;
    const { report, time } = source;
    const { businessAccountId } = report;
    report.notices.push({ kind: 'event', event: platformEvent({ kind, businessAccountId, alert }, { time, body }) });
  }
}

function pricingOf({ billable, category, type }: Wire): Pricing | null {
  const word = (value: unknown) => (typeof value === 'string' && PRICING_WORD.test(value) ? value : null);
  const rate = word(category);
  return typeof billable === 'boolean' && rate !== null ? { billable, category: rate, type: word(type) } : null;
}

function failureOf(error: Wire): { problem: MessageProblem; scope: FailureScope } {
  const platformCode = codeOf(error.code);
  const { class: kind, problem, meaning } = platformErrorMeaning({ code: platformCode ?? NaN });
  const summary = textOf(error.message) ?? textOf(error.title) ?? meaning;
  const details = textOf(objectOf(error.error_data).details);
  const message = (details === null ? summary : `${summary}: ${details}`).slice(0, MAX_TEXT);
  const scope = kind === 'job' || kind === 'message' ? kind : 'recipient';
  return { problem: { code: problem, message, platformCode }, scope };
}
