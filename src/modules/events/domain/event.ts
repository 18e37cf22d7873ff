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
  /** The sender that it came to; present if the account has several. */
  senderId?: string;
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
export type AccountEvent = {
  accountId: string;
  at: Date;
  /** The trace of what caused it; absent: that of another event of the account written with it, or of the current context. */
  traceparent?: string;
} & (
  | { type: 'message.received'; data: ReceivedEventDetail }
  | { type: 'template.status_changed'; data: TemplateEventDetail }
  | { type: 'contact.opted_out' | 'contact.opted_in'; data: ContactEventDetail }
);

/** Type of the event sent by `POST /webhook-endpoints/{id}/test`; it needs no subscription. */
export const TEST_EVENT = 'webhook.test';

/** The sent message and the job of an event; null if there is none. */
export interface EventSubject {
  messageId: string | null;
  jobId: string | null;
}

/** The distinct types of the events in a body, and their sent messages and jobs. */
export function contentsOf(body: string): { types: string[]; subjects: EventSubject[] } {
  const events = eventsIn(body);
  const subjects = events.flatMap(({ type, data: { messageId = null, jobId = null } = {} }) =>
    type === 'message.received' || (messageId ?? jobId) === null ? [] : [{ messageId, jobId }],
  );
  return { types: [...new Set(events.map(({ type }) => type))], subjects };
}

interface SentEvent {
  type: string;
  data?: { messageId?: string; jobId?: string | null };
}

function eventsIn(body: string): SentEvent[] {
  const read = JSON.parse(body) as SentEvent | { events: SentEvent[] };
  return 'events' in read ? read.events : [read];
}
