import type { MessageDto } from '../../../client/generated/types.gen';

/** Whether the status is a final failure. */
export function hasFailed(status: MessageDto['status']): boolean {
  return status === 'Failed' || status === 'Undelivered' || status === 'Cancelled';
}

/** What each message status means. */
export const STATUS_LABELS: Readonly<Record<MessageDto['status'], string>> = {
  Queued: 'Waiting to be sent',
  Sent: 'Accepted by WhatsApp',
  Delivered: 'Delivered to the phone',
  Read: 'Read by the person',
  Undelivered: 'Accepted by WhatsApp, later reported as not delivered',
  Failed: 'Rejected by WhatsApp, or not sent in time',
  Unknown: 'Not confirmed by WhatsApp yet; never sent twice automatically',
  Cancelled: 'The job ended before it was sent',
  Received: 'Received from the person',
};
