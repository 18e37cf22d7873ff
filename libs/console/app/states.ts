import type { BulkJobDto, JobRecipientDto, MessageDto } from '../../client/generated/types.gen';
import { t } from '../language/translate';

/** A state of a job, a recipient or a message. */
export type State = BulkJobDto['status'] | JobRecipientDto['status'] | MessageDto['status'];

/** The word for each state, the same on every screen. */
export const STATE_WORDS: Readonly<Record<State, string>> = {
  Scheduled: t('Scheduled'),
  Queued: t('Queued'),
  Processing: t('Sending'),
  Paused: t('Paused'),
  Completed: t('Completed'),
  Failed: t('Failed'),
  Cancelled: t('Cancelled'),
  Pending: t('Not sent yet'),
  Sent: t('Sent'),
  Delivered: t('Delivered'),
  Read: t('Read'),
  Undelivered: t('Not delivered'),
  Skipped: t('Opted out'),
  Unknown: t('Unconfirmed'),
  Received: t('Received'),
};

/** What each state of a message means. */
export const MESSAGE_MEANINGS: Readonly<Record<MessageDto['status'], string>> = {
  Queued: t('Waiting to be sent; sent automatically'),
  Sent: t('Accepted by WhatsApp'),
  Delivered: t('Delivered to the phone'),
  Read: t('Read by the person'),
  Undelivered: t('Accepted by WhatsApp, later reported as not delivered'),
  Failed: t('Rejected by WhatsApp, or not sent in time'),
  Unknown: t('Not confirmed by WhatsApp yet; never sent twice automatically'),
  Cancelled: t('The job ended before it was sent'),
  Received: t('Received from the person'),
};

/** Choices of a filter: all states, or one of `states`. */
export function stateChoices<S extends State>(all: string, states: readonly S[]): { value: S | ''; label: string }[] {
  return [{ value: '', label: all }, ...states.map((value) => ({ value, label: STATE_WORDS[value] }))];
}

/** Whether the status of a message is a final failure. */
export function hasFailed(status: MessageDto['status']): boolean {
  return status === 'Failed' || status === 'Undelivered' || status === 'Cancelled';
}
