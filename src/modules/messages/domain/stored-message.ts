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
  direction: Direction;
  type: MessageType;
  /** Digits; null for a person who is known by `userId` alone. */
  contactPhone: string | null;
  userId: string | null;
  /** These four are of a template; null for every other type. */
  templateName: string | null;
  languageCode: string | null;
  revisionId: string | null;
  parameters: string[] | null;
  extras: TemplateExtras | null;
  /** The content of every type but Template. */
  content: MessageContent | null;
  status: MessageStatus;
  problem: MessageProblem | null;
  platformMessageId: string | null;
  acceptance: Acceptance | null;
  /** Known once it is delivered. */
  pricing: Pricing | null;
  reference: string | null;
  jobId: string | null;
  rowNumber: number | null;
  createdAt: Date;
  sentAt: Date | null;
  deliveredAt: Date | null;
  /** Of an inbound message: when the platform accepted the read receipt. */
  readAt: Date | null;
  failedAt: Date | null;
}

/** Some of the messages that match, perhaps fewer than asked for; `next` is where the list continues, null at its end. */
export interface MessageRange {
  messages: StoredMessage[];
  next: TimeCursor | null;
}

/** A message and its position among those of its conversation. */
export interface PositionedMessage {
  message: StoredMessage;
  position: TimeCursor;
}

/** A message whose content and person were erased. */
export type ErasedMessage = Pick<StoredMessage, 'id' | 'direction'>;

/** Messages that one step erased, and whether there were no more. */
export interface ErasedMessages {
  erased: ErasedMessage[];
  isAll: boolean;
}

/** The fields that a preview needs. */
export type MessagePreview = Pick<StoredMessage, 'id' | 'type' | 'revisionId' | 'parameters' | 'content'>;

/** One status of a message and since when; null when the time was not recorded. */
export interface StatusStep {
  status: MessageStatus;
  at: Date | null;
}

/**
 * The statuses of a message, oldest first; the last one is its current status. The clocks of the platform and of this service
 * differ, and webhooks come in any order: no step is earlier than the one before it.
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

/** The content of a message in one shape for all types; of a template what it took beside its values. */
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
