/** Every state of a recipient that a client can see. */
export const RECIPIENT_STATUSES = [
  'Pending',
  'Sent',
  'Delivered',
  'Read',
  'Failed',
  'Skipped',
  'Unknown',
  'Cancelled',
] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

/** One recipient of a job and what became of it. */
export interface JobRecipient {
  position: number;
  rowNumber: number;
  phone: string;
  parameters: string[];
  status: RecipientStatus;
  errorCode: string | null;
  errorMessage: string | null;
  platformCode: number | null;
  /** Null for those that were never attempted: they have no message. */
  messageId: string | null;
  platformMessageId: string | null;
  attempts: number;
  updatedAt: Date;
}

/** Which recipients of a job are wanted. */
export interface RecipientFilter {
  status?: RecipientStatus;
  errorCode?: string;
}

/**
 * Why a recipient was not sent to. Erased: the person is known no more. Invalid: it could not be, from the start. Unknown: for good. Unsettled: it is still
 * on its way, or may still turn out to have been sent to.
 */
export type UnsentReason = 'Failed' | 'Cancelled' | 'Unknown' | 'Skipped' | 'Invalid' | 'Erased' | 'Unsettled';

/** A recipient that the platform did not accept a message for. */
export interface UnsentRecipient {
  rowNumber: number;
  phone: string;
  parameters: string[];
  reason: UnsentReason;
  errorCode: string | null;
}
