import type { WebhookEndpointDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';

/** An event that an endpoint can subscribe to. */
export type WebhookEvent = WebhookEndpointDto['events'][number];

/** When each event is sent. */
export const EVENT_LABELS: Record<WebhookEvent, string> = {
  'message.sent': t('a message was accepted by WhatsApp'),
  'message.delivered': t('a message reached the phone'),
  'message.read': t('a message was read'),
  'message.undelivered': t('a message could not be delivered'),
  'message.failed': t('a message could not be sent'),
  'message.received': t('a message was received'),
  'job.started': t('a job started sending'),
  'job.paused': t('a job was paused'),
  'job.throttled': t('a job is waiting for a limit'),
  'job.completed': t('all messages of a job were attempted'),
  'job.failed': t('a job failed'),
  'job.cancelled': t('a job was cancelled'),
  'template.status_changed': t('a template was approved, rejected or paused'),
  'contact.opted_out': t('a contact opted out'),
  'contact.opted_in': t('a contact opted in again'),
};

/** All events. */
export const EVENTS = Object.keys(EVENT_LABELS) as WebhookEvent[];

/** Why an endpoint is disabled. */
export const DISABLED_REASONS: Record<NonNullable<WebhookEndpointDto['disabledReason']>, string> = {
  disabled_by_client: t('It was disabled in the console or through the API.'),
  endpoint_gone: t('It responded with 410 Gone.'),
  secret_unreadable: t('Its secret can no longer be decrypted. Rotate the secret, then enable the endpoint.'),
  endpoint_failing: t('All deliveries failed for 5 days.'),
  backlog_full: t('Too many events were waiting for it.'),
};
