/** The events that an endpoint can subscribe to. */
export const EVENT_TYPES = [
  'message.sent',
  'message.delivered',
  'message.read',
  'message.undelivered',
  'message.failed',
  'message.received',
  'job.started',
  'job.paused',
  'job.throttled',
  'job.completed',
  'job.failed',
  'job.cancelled',
  'template.status_changed',
  'contact.opted_out',
  'contact.opted_in',
] as const;

/** One of EVENT_TYPES. */
export type EventType = (typeof EVENT_TYPES)[number];

/** An inbound message. */
export interface ReceivedEventDetail {
  messageId: string;
  conversationId: string;
  phone: string | null;
  userId: string | null;
  type: string;
  text: string | null;
  /** The payload or id of the pressed button or chosen row. */
  buttonPayload: string | null;
  /** The account's message that the person replied to; null if unknown. */
  replyTo: { messageId: string; reference: string | null } | null;
  /** The answers of a form. */
  flowResponse: Record<string, unknown> | null;
}

/** A job after a change. */
export interface JobEventDetail {
  jobId: string;
  status: string;
  kind: string;
  templateName: string;
  languageCode: string;
  reference: string | null;
  totalRecipients: number;
  successfullySent: number;
  failed: number;
  /** Why it is paused, failed, throttled or was cancelled by the service; `until` in ISO 8601, null: unknown. */
  reason: { code: string; message: string | null; until: string | null } | null;
}

/** A template whose status changed. */
export interface TemplateEventDetail {
  templateId: string;
  templateName: string;
  languageCode: string;
  status: string;
  previousStatus: string;
}

/** A person who opted out or opted in. */
export interface ContactEventDetail {
  phone: string | null;
  userId: string | null;
  scope: string;
  source: string;
}

/**
 * An event of an account. The statements that change outbound messages write their events, and triggers record those of jobs, see
 * docs/architecture.md.
 */
export type AccountEvent = { accountId: string; at: Date } & (
  | { type: 'message.received'; data: ReceivedEventDetail }
  | { type: 'template.status_changed'; data: TemplateEventDetail }
  | { type: 'contact.opted_out' | 'contact.opted_in'; data: ContactEventDetail }
);

/** Type of the event sent by `POST /webhook-endpoints/{id}/test`; it needs no subscription. */
export const TEST_EVENT = 'webhook.test';

/** The JSON of one event: `{type, timestamp, data}`. */
export function eventText(type: EventType | typeof TEST_EVENT, at: Date, data: object): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}

/** The distinct types of the events in a body. */
export function typesIn(body: string): string[] {
  const read = JSON.parse(body) as { type: string } | { events: { type: string }[] };
  return [...new Set(('events' in read ? read.events : [read]).map(({ type }) => type))];
}
