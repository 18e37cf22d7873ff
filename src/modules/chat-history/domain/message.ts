import type { HeaderMedia } from '../../templates/domain/sendable-template';
import type { MessageContent } from './message-content';

/** Where a message stands. Delivered and Read only follow Sent; Failed and Unknown carry a problem. */
export type MessageStatus = 'Queued' | 'Sent' | 'Delivered' | 'Read' | 'Failed' | 'Unknown' | 'Cancelled' | 'Received';

/** Why a message was not sent. */
export interface MessageProblem {
  code: string;
  message: string;
  platformCode: number | null;
}

/** What the history keeps of any message to one person. */
interface SentMessage {
  /** UUIDv7, made before the message is sent. */
  id: string;
  accountId: string;
  reference: string | null;
  jobId: string | null;
  rowNumber: number | null;
  status: MessageStatus;
  problem: MessageProblem | null;
  platformMessageId: string | null;
  /** When it was sent or queued. */
  createdAt: Date;
}

/** A template message to one person, as the history keeps it. */
export interface TemplateMessage extends SentMessage {
  type: 'Template';
  contactPhone: string;
  templateName: string;
  languageCode: string;
  /** The contents of the template that were sent. */
  revisionId: string;
  parameters: string[];
  headerMedia: HeaderMedia | null;
}

/** Kinds of messages that need no template: they may be sent within 24 h of the person's own. */
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

/** A message that was written freely, as the history keeps it. */
export interface FreeFormMessage extends SentMessage {
  type: FreeFormType;
  /** Null for a person who is known by a user id of the platform alone. */
  contactPhone: string | null;
  contactUserId: string | null;
  content: MessageContent;
}

/** A message that the account sends. */
export type OutboundMessage = TemplateMessage | FreeFormMessage;

/** A change of what is known of one message. */
export type MessageOutcome = Pick<SentMessage, 'id' | 'status' | 'problem' | 'platformMessageId'>;

/** Whom a message goes to: a phone number as digits, or the platform's user id of a person who hides it. */
export function personOf(message: OutboundMessage): string {
  return message.type === 'Template' ? message.contactPhone : (message.contactPhone ?? message.contactUserId ?? '');
}
