import type { MessageDto } from '../../../client/generated/types.gen';

/** Whether the message did not arrive, for good. */
export function hasFailed(status: MessageDto['status']): boolean {
  return status === 'Failed' || status === 'Undelivered' || status === 'Cancelled';
}

/** What a state of a message means, in plain words. */
export const STATUS_WORDS: Readonly<Record<MessageDto['status'], string>> = {
  Queued: 'Waits for its turn and is sent by itself',
  Sent: 'The platform accepted it',
  Delivered: 'It is on the phone',
  Read: 'The person has read it',
  Undelivered: 'The platform accepted it and reported later that it did not arrive',
  Failed: 'The platform refused it, or it was given up',
  Unknown: 'The platform has not said yet whether it took it; it is never sent twice by itself',
  Cancelled: 'Its job ended before its turn came',
  Received: 'The person wrote it',
};
