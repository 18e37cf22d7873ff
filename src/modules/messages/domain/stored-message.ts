import type { TimeCursor } from '../../../kernel/time-cursor';
import type { TemplateExtras } from '../../templates/domain/template-extras';
import type { Acceptance, MessageProblem, MessageStatus, Pricing } from './message';
import type { MessageContent, MessageType } from './message-content';

/** The direction of a message. */
export const DIRECTIONS = ['Inbound', 'Outbound'] as const;
/** See DIRECTIONS. */
export type Direction = (typeof DIRECTIONS)[number];

/** Every state of a message. */
export const MESSAGE_STATUSES = [
  'Queued',
  'Sent',
  'Delivered',
  'Read',
  'Undelivered',
  'Failed',
  'Unknown',
  'Cancelled',
  'Received',
] as const satisfies readonly MessageStatus[];

/** A message of either direction that was not erased. */
export interface StoredMessage {
  id: string;
  accountId: string;
  conversationId: string;
  /** The sender that it was sent from or came to; null: recorded by an early version, the oldest of the account. */
  senderId: string | null;
  direction: Direction;
  type: MessageType;
  /** Digits; null if only `userId` is known. */
  contactPhone: string | null;
  userId: string | null;
  /** The next fields are for templates; null for every other type. */
  templateName: string | null;
  languageCode: string | null;
  revisionId: string | null;
  parameters: string[] | null;
  extras: TemplateExtras | null;
  /** The content of every type except Template. */
  content: MessageContent | null;
  status: MessageStatus;
  problem: MessageProblem | null;
  platformMessageId: string | null;
  acceptance: Acceptance | null;
  /** Set on delivery. */
  pricing: Pricing | null;
  reference: string | null;
  jobId: string | null;
  rowNumber: number | null;
  createdAt: Date;
  sentAt: Date | null;
  deliveredAt: Date | null;
  /** For an inbound message: when the platform accepted the read receipt. */
  readAt: Date | null;
  failedAt: Date | null;
}

/** Matching messages, possibly fewer than requested; `next` is where the list continues, null at its end. */
export interface MessageRange {
  messages: StoredMessage[];
  next: TimeCursor | null;
}

/** A message and its position in the conversation. */
export interface PositionedMessage {
  message: StoredMessage;
  position: TimeCursor;
}

/** A message whose content and person were erased. */
export type ErasedMessage = Pick<StoredMessage, 'id' | 'direction'>;

/** The messages erased by one step; `isAll`: none are left. */
export interface ErasedMessages {
  erased: ErasedMessage[];
  isAll: boolean;
}

/** The fields that a preview needs. */
export type MessagePreview = Pick<StoredMessage, 'id' | 'type' | 'revisionId' | 'parameters' | 'content' | 'status'>;

/** A status of a message and its time; null if not recorded. */
export interface StatusStep {
  status: MessageStatus;
  at: Date | null;
}

/**
 * The statuses of a message, oldest first; the last is the current one. Clocks differ and webhooks arrive in any order,
 * so times are raised to keep the list chronological.
 */
export function statusHistory(message: StoredMessage): StatusStep[] {
  if (message.direction === 'Inbound') return [{ status: message.status, at: message.createdAt }];
  const timed: StatusStep[] = [
    { status: 'Queued', at: message.createdAt },
    { status: 'Sent', at: message.sentAt },
    { status: 'Delivered', at: message.deliveredAt },
    { status: 'Read', at: message.readAt },
    { status: message.sentAt === null ? 'Failed' : 'Undelivered', at: message.failedAt },
  ];
  const steps: StatusStep[] = [];
  let latest = message.createdAt;
  for (const { status, at } of timed) {
    if (at === null) continue;
    if (at > latest) latest = at;
    steps.push({ status, at: latest });
  }
  return steps.at(-1)?.status === message.status ? steps : [...steps, { status: message.status, at: null }];
}

/** The content of a message; for a template, its header media, location and payloads. */
export function shownContent({ content, extras }: StoredMessage): MessageContent | null {
  if (extras === null) return content;
  const { id, link, fileName, location, payloads } = extras;
  const hasMedia = id !== undefined || link !== undefined;
  return {
    ...(hasMedia && {
      media: {
        mediaId: id ?? null,
        ...(link !== undefined && { url: link }),
        ...(fileName !== undefined && { fileName }),
      },
    }),
    ...(location && { location }),
    ...(payloads && { quickReplyPayloads: payloads }),
  };
}
