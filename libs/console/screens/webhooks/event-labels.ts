import type { WebhookEndpointDto } from '../../../client/generated/types.gen';

/** An event that an endpoint can subscribe to. */
export type WebhookEvent = WebhookEndpointDto['events'][number];

/** When each event is sent. */
export const EVENT_LABELS: Record<WebhookEvent, string> = {
  'message.sent': 'a message was accepted by the platform',
  'message.delivered': 'a message reached the phone',
  'message.read': 'a message was read',
  'message.undelivered': 'a message could not be delivered',
  'message.failed': 'a message could not be sent',
  'message.received': 'a message was received',
  'job.started': 'a job started sending',
  'job.paused': 'a job was paused',
  'job.throttled': 'a job is waiting for a limit',
  'job.completed': 'all messages of a job were attempted',
  'job.failed': 'a job failed',
  'job.cancelled': 'a job was cancelled',
  'template.status_changed': 'a template was approved, rejected or paused',
  'contact.opted_out': 'a contact opted out',
  'contact.opted_in': 'a contact opted in again',
};

/** All events. */
export const EVENTS = Object.keys(EVENT_LABELS) as WebhookEvent[];

/** Why an endpoint is disabled. */
export const DISABLED_REASONS: Record<NonNullable<WebhookEndpointDto['disabledReason']>, string> = {
  disabled_by_client: 'It was disabled in the console or through the API.',
  endpoint_gone: 'It responded with 410 Gone.',
  secret_unreadable: 'Its secret can no longer be decrypted. Rotate the secret, then enable the endpoint.',
  endpoint_failing: 'All deliveries failed for 5 days.',
  backlog_full: 'Too many events were waiting for it.',
};
