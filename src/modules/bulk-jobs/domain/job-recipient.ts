import type { PhoneNumber } from '../../../kernel/phone-number';

/** The statuses of a recipient. */
export const RECIPIENT_STATUSES = [
  'Pending',
  'Sent',
  'Delivered',
  'Read',
  'Undelivered',
  'Failed',
  'Skipped',
  'Unknown',
  'Cancelled',
] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

/** One recipient of a job and its outcome. */
export interface JobRecipient {
  position: number;
  rowNumber: number;
  phone: string;
  parameters: string[];
  status: RecipientStatus;
  errorCode: string | null;
  errorMessage: string | null;
  platformCode: number | null;
  /** Null if there was no attempt, and therefore no message. */
  messageId: string | null;
  platformMessageId: string | null;
  attempts: number;
  /** When the platform accepted the message; null: it did not, or this is unknown. */
  sentAt: Date | null;
  deliveredAt: Date | null;
  readAt: Date | null;
  updatedAt: Date;
}

/** A filter of recipients. */
export interface RecipientFilter {
  status?: RecipientStatus;
  errorCode?: string;
  /** In any form of the number. */
  phone?: PhoneNumber;
}

/**
 * How a message ended that did not arrive. Undelivered: the platform accepted it and reported later that it failed. Unknown: the
 * outcome stays unknown. Unsettled: the message is in flight, or its outcome may still become known.
 */
export type UnsentStatus = 'Failed' | 'Undelivered' | 'Cancelled' | 'Unknown' | 'Skipped' | 'Unsettled';

/** The status, or what keeps a retry from the recipient. Erased: the person was erased. Invalid: the row was invalid. */
export type UnsentReason = UnsentStatus | 'Invalid' | 'Erased';

/** A recipient whose message the platform did not accept or did not deliver. */
export interface UnsentRecipient {
  rowNumber: number;
  phone: string;
  parameters: string[];
  status: UnsentStatus;
  reason: UnsentReason;
  /** Null while the status is Unsettled. */
  errorCode: string | null;
}
