import type { TemplateExtras } from '../../templates/domain/template-extras';
import type { MessageContent } from './message-content';

/**
 * The status of a message. Delivered, Read and Undelivered only follow Sent. Undelivered: the platform accepted the message and
 * reported later that it failed; Failed: it was never accepted. Undelivered, Failed and Unknown have a problem.
 */
export type MessageStatus =
  'Queued' | 'Sent' | 'Delivered' | 'Read' | 'Undelivered' | 'Failed' | 'Unknown' | 'Cancelled' | 'Received';

/**
 * What the platform said of a message that it accepted but does not deliver at once: it waits for the quality of its template, or the
 * template is paused. A later status tells what became of it.
 */
export const ACCEPTANCES = ['HeldForQualityAssessment', 'Paused'] as const;
/** See ACCEPTANCES. */
export type Acceptance = (typeof ACCEPTANCES)[number];

/** What the platform says that a message costs, in its own words. */
export interface Pricing {
  billable: boolean;
  /** Such as `marketing`. */
  category: string;
  /** Such as `regular` or `free_customer_service`; null where the platform does not say. */
  type: string | null;
}

/** Why a message was not sent. */
export interface MessageProblem {
  code: string;
  message: string;
  platformCode: number | null;
}

/** What is recorded of every outbound message. */
interface SentMessage {
  /** UUIDv7, created before the message is sent. */
  id: string;
  accountId: string;
  reference: string | null;
  jobId: string | null;
  rowNumber: number | null;
  status: MessageStatus;
  problem: MessageProblem | null;
  platformMessageId: string | null;
  /** Absent or null: the platform delivers it at once, or has not accepted it. */
  acceptance?: Acceptance | null;
  /** When it was sent or queued. */
  createdAt: Date;
}

/** A template message to one person. */
export interface TemplateMessage extends SentMessage {
  type: 'Template';
  contactPhone: string;
  templateName: string;
  languageCode: string;
  /** The revision of the template that was sent. */
  revisionId: string;
  parameters: string[];
  extras: TemplateExtras | null;
}

/** Types of messages without a template, which may be sent within 24 h of the person's last message. */
export const FREE_FORM_TYPES = [
  'Text',
  'Image',
  'Video',
  'Audio',
  'Document',
  'Sticker',
  'Location',
  'Reaction',
] as const;
/** See FREE_FORM_TYPES. */
export type FreeFormType = (typeof FREE_FORM_TYPES)[number];

/** A message without a template. */
export interface FreeFormMessage extends SentMessage {
  type: FreeFormType;
  /** Null for a person who is known only by a user id of the platform. */
  contactPhone: string | null;
  contactUserId: string | null;
  content: MessageContent;
}

/** A message that the account sends. */
export type OutboundMessage = TemplateMessage | FreeFormMessage;

/** The outcome of one message. */
export type MessageOutcome = Pick<SentMessage, 'id' | 'status' | 'problem' | 'platformMessageId' | 'acceptance'>;

/** The recipient: a phone number as digits, or the platform's user id of a person who hides the number. */
export function personOf(message: OutboundMessage): string {
  return message.type === 'Template' ? message.contactPhone : (message.contactPhone ?? message.contactUserId ?? '');
}
