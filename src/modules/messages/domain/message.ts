import type { TemplateExtras } from '../../templates/domain/template-extras';
import type { MessageContent } from './message-content';

/**
 * The status of a message. Delivered, Read and Undelivered follow only Sent. Undelivered: the platform accepted the
 * message and later reported a failure; Failed: it was never accepted. Undelivered, Failed and Unknown have a problem.
 */
export type MessageStatus =
  'Queued' | 'Sent' | 'Delivered' | 'Read' | 'Undelivered' | 'Failed' | 'Unknown' | 'Cancelled' | 'Received';

/**
 * Why the platform holds an accepted message back: it assesses the template's quality, or the template is paused. A
 * later status reports the outcome.
 */
export const ACCEPTANCES = ['HeldForQualityAssessment', 'Paused'] as const;
/** See ACCEPTANCES. */
export type Acceptance = (typeof ACCEPTANCES)[number];

/** The platform's pricing of a message, in its own terms. */
export interface Pricing {
  billable: boolean;
  /** Such as `marketing`. */
  category: string;
  /** Such as `regular` or `free_customer_service`; null if not reported. */
  type: string | null;
}

/** Why a message was not sent. */
export interface MessageProblem {
  code: string;
  message: string;
  platformCode: number | null;
}

/** The fields of every outbound message. */
interface SentMessage {
  /** UUIDv7, created before the message is sent. */
  id: string;
  accountId: string;
  /** The sender that it is sent from; null: recorded by an early version, the oldest of the account. */
  senderId: string | null;
  /** Null if only the platform's user id is known. */
  contactPhone: string | null;
  /** Null if unknown. */
  contactUserId: string | null;
  reference: string | null;
  jobId: string | null;
  rowNumber: number | null;
  status: MessageStatus;
  problem: MessageProblem | null;
  platformMessageId: string | null;
  /** Absent or null: delivered without delay, or not accepted. */
  acceptance?: Acceptance | null;
  /** When it was sent or queued. */
  createdAt: Date;
}

/** A template message to one person. */
export interface TemplateMessage extends SentMessage {
  type: 'Template';
  templateName: string;
  languageCode: string;
  /** The revision of the template that was sent. */
  revisionId: string;
  parameters: string[];
  extras: TemplateExtras | null;
}

/** Types of messages without a template, allowed within 24 h of the person's last message. */
export const FREE_FORM_TYPES = [
  'Text',
  'Image',
  'Video',
  'Audio',
  'Document',
  'Sticker',
  'Location',
  'Reaction',
  'Interactive',
] as const;
/** See FREE_FORM_TYPES. */
export type FreeFormType = (typeof FREE_FORM_TYPES)[number];

/** A message without a template. */
export interface FreeFormMessage extends SentMessage {
  type: FreeFormType;
  content: MessageContent;
}

/** A message that the account sends. */
export type OutboundMessage = TemplateMessage | FreeFormMessage;

/** The outcome of one message. */
export type MessageOutcome = Pick<SentMessage, 'id' | 'status' | 'problem' | 'platformMessageId' | 'acceptance'> & {
  /** It was recorded as Failed before. */
  wasFailed?: boolean;
};

/** Whether a message replies to the person; a reaction does not. */
export function isReply(message: OutboundMessage): boolean {
  return message.type === 'Template' ? message.extras?.isReply === true : message.type !== 'Reaction';
}

/** The recipient: a phone number as digits, or the platform's user id if the number is unknown. */
export function personOf({ contactPhone, contactUserId }: OutboundMessage): string {
  return contactPhone ?? contactUserId ?? '';
}
