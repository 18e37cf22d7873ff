import type { HeaderMedia } from '../../templates/domain/sendable-template';
import type { MessageProblem, MessageStatus } from './message';
import type { MessageContent, MessageType } from './message-content';

/** Which way a message went. */
export const DIRECTIONS = ['Inbound', 'Outbound'] as const;
/** See DIRECTIONS. */
export type Direction = (typeof DIRECTIONS)[number];

/** Every state of a message. */
export const MESSAGE_STATUSES = [
  'Queued',
  'Sent',
  'Delivered',
  'Read',
  'Failed',
  'Unknown',
  'Cancelled',
  'Received',
] as const satisfies readonly MessageStatus[];

/** A message of either direction as the history shows it; one that was erased is none. */
export interface KeptMessage {
  id: string;
  accountId: string;
  conversationId: string;
  direction: Direction;
  type: MessageType;
  /** Digits; null for a person who is known by `userId` alone. */
  contactPhone: string | null;
  userId: string | null;
  /** The four of a template; null for every other type. */
  templateName: string | null;
  languageCode: string | null;
  revisionId: string | null;
  parameters: string[] | null;
  headerMedia: HeaderMedia | null;
  /** What stands in a message that is no template. */
  content: MessageContent | null;
  status: MessageStatus;
  problem: MessageProblem | null;
  platformMessageId: string | null;
  reference: string | null;
  jobId: string | null;
  rowNumber: number | null;
  createdAt: Date;
  sentAt: Date | null;
  deliveredAt: Date | null;
  /** Of an inbound one: when the platform was told that it was read. */
  readAt: Date | null;
  failedAt: Date | null;
}

/** What a preview of a message is made of. */
export type MessageGist = Pick<KeptMessage, 'id' | 'type' | 'revisionId' | 'parameters' | 'content'>;

/** One state of a message, and since when; null where the moment was not kept. */
export interface StatusStep {
  status: MessageStatus;
  at: Date | null;
}

/** The states that a message went through, oldest first; the last one is its present state. */
export function statusHistory(message: KeptMessage): StatusStep[] {
  if (message.direction === 'Inbound') return [{ status: message.status, at: message.createdAt }];
  const timed: StatusStep[] = [
    { status: 'Queued', at: message.createdAt },
    { status: 'Sent', at: message.sentAt },
    { status: 'Delivered', at: message.deliveredAt },
    { status: 'Read', at: message.readAt },
    { status: 'Failed', at: message.failedAt },
  ];
  const steps = timed.filter(({ at }) => at !== null);
  return steps.at(-1)?.status === message.status ? steps : [...steps, { status: message.status, at: null }];
}

/** What stands in a message in the one shape for all types; of a template that is its header media. */
export function shownContent({ content, headerMedia }: KeptMessage): MessageContent | null {
  if (headerMedia === null) return content;
  const { id, link } = headerMedia;
  return { media: { mediaId: id ?? null, ...(link === undefined ? {} : { url: link }) } };
}
