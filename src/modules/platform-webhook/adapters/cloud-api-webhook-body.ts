import { platformErrorMeaning } from '../../../infra/cloud-api/error-table';
import { parseJsonKeepingIntegers } from '../../../infra/cloud-api/parse-json';
import type { MessageProblem } from '../../messages/domain/message';
import { platformEvent } from '../domain/platform-notice';
import type { FailureScope, ReportedStatus } from '../../messages/domain/status-update';
import type { ReportedUpdate, WebhookReading, WebhookReport } from '../domain/webhook-report';
import { readInbound, WireContacts } from './cloud-api-inbound';
import { alertIn, readNotices } from './cloud-api-notices';
import { codeOf, idOf, momentOf, nameOf, objectOf, objects, textOf, type Wire } from './cloud-api-values';

const STATUSES: Readonly<Record<string, ReportedStatus>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  // Of voice messages.
  played: 'read',
  failed: 'failed',
};
const LONGEST_TEXT = 2000;
const NUMERIC_ID = /"id"\s{0,9}:\s{0,9}"?(\d{1,32})\b/g;
const MOST_IDS = 1000;
/** Of one body; further events are only counted. */
const MOST_EVENTS = 100;

/**
 * Reads a body of the platform's webhook. What it does not know is counted by kind and stored as an event. Times in the
 * future become `now`. Throws SyntaxError when the body is not JSON.
 */
export function readWebhook(body: string, now: Date): WebhookReading {
  const reading = new Reading(now);
  reading.body(parseJsonKeepingIntegers(body));
  return reading;
}

/**
 * The first numeric ids in a body, among them those of its entries: the platform writes the id of an entry before everything that
 * the entry contains. Parsing would cost as much as a signature, for a body of anybody.
 */
export function claimedBusinessAccounts(body: Buffer): ReadonlySet<string> {
  const ids = new Set<string>();
  NUMERIC_ID.lastIndex = 0;
  const text = body.toString('latin1');
  for (let looked = 0; looked < MOST_IDS; looked++) {
    const id = NUMERIC_ID.exec(text)?.[1];
    if (id === undefined) break;
    ids.add(id);
  }
  return ids;
}

/** The entry of a body that something is part of. */
interface Source {
  report: WebhookReport;
  /** The platform's own time of the entry. */
  time: unknown;
}

class Reading implements WebhookReading {
  readonly reports: WebhookReport[] = [];
  readonly ignored = new Map<string, number>();
  private events = 0;
  /** Messages of each person so far. */
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
    const { notices, isWhole } = readNotices(field ?? '', value, momentOf(source.time, this.now), this.now);
    source.report.notices.push(...notices);
    if (!isWhole) this.ignore(field ?? 'unnamed_field', change, source, field && alertIn(field, value));
  }

  private messagesAndStatuses(value: Wire, source: Source): void {
    const phoneNumberId = idOf(objectOf(value.metadata).phone_number_id) ?? '';
    const statuses = objects(value.statuses);
    for (const status of statuses) {
      const update = this.status(status, phoneNumberId);
      if (typeof update === 'string') this.ignore(update, status, source);
      else source.report.statuses.push(update);
    }
    const messages = objects(value.messages);
    const contacts = new WireContacts(messages.length > 0 ? value.contacts : []);
    for (const wire of messages) {
      const person = wire.from ?? wire.from_user_id;
      const order = this.messages.get(person) ?? 0;
      this.messages.set(person, order + 1);
      const message = readInbound(wire, contacts, phoneNumberId, { now: this.now, order });
      if (typeof message === 'string') this.ignore(message, wire, source);
      else source.report.messages.push(message);
    }
    const errors = objects(value.errors);
    for (const error of errors) this.ignore('error', error, source, `code ${codeOf(error.code) ?? 'unknown'}`);
    if (statuses.length + messages.length + errors.length === 0) this.ignore('change_without_updates', value, source);
  }

  private status(wire: Wire, phoneNumberId: string): ReportedUpdate | string {
    const platformMessageId = idOf(wire.id);
    const word = textOf(wire.status)?.toLowerCase() ?? '';
    const status = Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined;
    if (platformMessageId === null) return 'status_without_message';
    if (status === undefined) return nameOf(word) ? `status_${word}` : 'status_without_name';
    return {
      phoneNumberId,
      platformMessageId,
      status,
      at: momentOf(wire.timestamp, this.now),
      callbackData: textOf(wire.biz_opaque_callback_data),
      ...(status === 'failed' ? failureOf(objects(wire.errors)[0] ?? {}) : { problem: null, scope: null }),
    };
  }

  private ignore(kind: string, body: unknown, source: Source, alert: string | null = null): void {
    this.ignored.set(kind, (this.ignored.get(kind) ?? 0) + 1);
    if (this.events++ >= MOST_EVENTS) return;
    const { report, time } = source;
    const { businessAccountId } = report;
    report.notices.push({ kind: 'event', event: platformEvent({ kind, businessAccountId, alert }, { time, body }) });
  }
}

function failureOf(error: Wire): { problem: MessageProblem; scope: FailureScope } {
  const platformCode = codeOf(error.code);
  const { class: kind, problem, meaning } = platformErrorMeaning({ code: platformCode ?? NaN });
  const said = textOf(error.message) ?? textOf(error.title) ?? meaning;
  const details = textOf(objectOf(error.error_data).details);
  const message = (details === null ? said : `${said}: ${details}`).slice(0, LONGEST_TEXT);
  const scope = kind === 'job' || kind === 'message' ? kind : 'recipient';
  return { problem: { code: problem, message, platformCode }, scope };
}
