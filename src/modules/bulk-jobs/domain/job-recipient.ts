import type { PhoneNumber } from '../../../kernel/phone-number';
import type { TemplateExtras } from '../../templates/domain/template-extras';

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
  /** The phone number, or the user id if the number is unknown; as in the file if the row is invalid; empty: erased. */
  person: string;
  /** By which the recipient was given although the number is known; else null. */
  userId: string | null;
  parameters: string[];
  /** As in UnsentRecipient, as the next two. */
  own: TemplateExtras | null;
  reference: string | null;
  otherCells: string[] | null;
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
  /** One code, or several. */
  errorCode?: string | readonly string[];
  phone?: PhoneNumber;
  userId?: string;
}

/**
 * The status of a message that did not arrive. Undelivered: the platform accepted it and later reported a failure. Unknown: the
 * outcome remains unknown. Unsettled: the message is in flight, or its outcome may still be settled.
 */
export type UnsentStatus = 'Failed' | 'Undelivered' | 'Cancelled' | 'Unknown' | 'Skipped' | 'Unsettled';

/**
 * The status, or why a retry excludes the recipient. Erased: the person was erased. Invalid: the row was invalid. Reached: an earlier
 * retry reached the person, or may.
 */
export type UnsentReason = UnsentStatus | 'Invalid' | 'Erased' | 'Reached';

/** A recipient whose message the platform did not accept or did not deliver. */
export interface UnsentRecipient {
  rowNumber: number;
  /** As in JobRecipient. */
  person: string;
  userId: string | null;
  parameters: string[];
  /** Its own extras, in addition to the job's; null: none. */
  own: TemplateExtras | null;
  reference: string | null;
  /** The cells of its row in the uploaded sheet that it does not have as person, parameters and so on, by column; null: none. */
  otherCells: string[] | null;
  status: UnsentStatus;
  reason: UnsentReason;
  /** Null while the status is Unsettled. */
  errorCode: string | null;
}
