import type { WebhookEndpointDto } from '../../../client/generated/types.gen';

/** What an endpoint can be told. */
export type WebhookEvent = WebhookEndpointDto['events'][number];

/** When each event comes. */
export const EVENT_WORDS: Record<WebhookEvent, string> = {
  'message.sent': 'the platform took a message',
  'message.delivered': 'it reached the phone',
  'message.read': 'somebody read it',
  'message.undelivered': 'the platform could not deliver it',
  'message.failed': 'it could not be sent',
  'message.received': 'somebody wrote to you',
  'job.started': 'a job began to send',
  'job.paused': 'a job stopped and waits for you',
  'job.throttled': 'a job waits for a limit',
  'job.completed': 'all messages of a job were tried',
  'job.failed': 'a job cannot go on',
  'job.cancelled': 'somebody cancelled a job',
  'template.status_changed': 'a template was approved or refused',
  'contact.opted_out': 'somebody wants no messages',
  'contact.opted_in': 'somebody wants messages again',
};

/** All events. */
export const EVENTS = Object.keys(EVENT_WORDS) as WebhookEvent[];

/** Why an endpoint gets nothing. */
export const DISABLED_WORDS: Record<NonNullable<WebhookEndpointDto['disabledReason']>, string> = {
  disabled_by_client: 'It was disabled here or by a program.',
  endpoint_gone: 'It answered 410 “Gone”, which says that it wants nothing more.',
  secret_unreadable: 'Its secret cannot be read any more: rotate the secret, then enable it.',
  endpoint_failing: 'Every delivery failed for 5 days.',
};
