/** Every event that an endpoint can choose. */
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

/** A message that a person wrote. */
export interface ReceivedEventDetail {
  messageId: string;
  conversationId: string;
  phone: string | null;
  userId: string | null;
  type: string;
  text: string | null;
}

/** A template whose status changed. */
export interface TemplateEventDetail {
  templateId: string;
  templateName: string;
  languageCode: string;
  status: string;
  previousStatus: string;
}

/** A person who wants no more messages, or wants them again. */
export interface ContactEventDetail {
  phone: string | null;
  userId: string | null;
  scope: string;
  source: string;
}

/**
 * Something that happened in an account. Events of jobs and of messages that the account sends are written by the statements that change
 * them, see docs/architecture.md.
 */
export type AccountEvent = { accountId: string; at: Date } & (
  | { type: 'message.received'; data: ReceivedEventDetail }
  | { type: 'template.status_changed'; data: TemplateEventDetail }
  | { type: 'contact.opted_out' | 'contact.opted_in'; data: ContactEventDetail }
);

/** Type of the event that `POST /webhook-endpoints/{id}/test` sends; nobody chooses it. */
export const TEST_EVENT = 'webhook.test';

/** The JSON of one event: `{type, timestamp, data}`. */
export function eventText(type: EventType | typeof TEST_EVENT, at: Date, data: object): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}

/** The types of the events in a body, each once. */
export function typesIn(body: string): string[] {
  const read = JSON.parse(body) as { type: string } | { events: { type: string }[] };
  return [...new Set(('events' in read ? read.events : [read]).map(({ type }) => type))];
}
