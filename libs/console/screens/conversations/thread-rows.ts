import type { ConversationMessageDto, MessageDto } from '../../../client/generated/types.gen';
import { hasFailed } from '../../app/states';

/** Types that the service does not count as unread. */
const NOT_COUNTED: ReadonlySet<MessageDto['type']> = new Set(['System', 'Reaction']);

/** A reaction to a message. */
export interface Reaction {
  direction: MessageDto['direction'];
  emoji: string;
}

/** One row of a thread. */
export type ThreadRow =
  | { kind: 'start'; key: string }
  | { kind: 'day'; key: string; day: Date }
  /** Above the first unread message. */
  | { kind: 'unread'; key: string }
  | {
      kind: 'message';
      key: string;
      message: ConversationMessageDto;
      reactions: readonly Reaction[];
      /** The message it replies to; null: not loaded or no longer stored. Absent: not a reply. */
      quoted?: MessageDto | null;
      /** Whether it is a failed reply whose text was sent again later. */
      isRepeated: boolean;
    };

/**
 * Builds the rows of a thread, oldest first, from messages, newest first. Reactions are attached to their message if it is
 * loaded; only the latest of each side counts. `unreadId`: the first unread message.
 */
export function threadRows(
  messages: readonly ConversationMessageDto[],
  isComplete: boolean,
  unreadId?: string | null,
): ThreadRow[] {
  const byPlatformId = new Map(
    messages.flatMap((one) => (one.platformMessageId ? [[one.platformMessageId, one]] : [])),
  );
  const reactions = reactionsOf(messages, byPlatformId);
  const repeated = repeatedOf(messages);
  const rows: ThreadRow[] = isComplete && messages.length > 0 ? [{ kind: 'start', key: 'start' }] : [];
  let shown = '';
  for (const message of [...messages].reverse()) {
    if (message.id === unreadId) rows.push({ kind: 'unread', key: 'unread' });
    if (isShownAsReaction(message, byPlatformId)) continue;
    const day = new Date(message.createdAt);
    if (day.toDateString() !== shown) {
      shown = day.toDateString();
      rows.push({ kind: 'day', key: shown, day });
    }
    const answered = message.content?.replyTo;
    rows.push({
      kind: 'message',
      key: message.id,
      message,
      reactions: reactions.get(message.id) ?? [],
      isRepeated: repeated.has(message.id),
      ...(answered !== undefined && { quoted: byPlatformId.get(answered) ?? null }),
    });
  }
  return rows;
}

/** The id of the first of the unread messages among the loaded ones, newest first; null: none. */
export function firstUnread(messages: readonly ConversationMessageDto[], unreadCount: number): string | null {
  const received = messages.filter(({ direction, type }) => direction === 'Inbound' && !NOT_COUNTED.has(type));
  return received.slice(0, unreadCount).at(-1)?.id ?? null;
}

/** Whether it is a reply whose text can be written again; files, templates and reactions are not in the text. */
export function isFailedText({ direction, type, status }: MessageDto): boolean {
  return direction === 'Outbound' && type === 'Text' && hasFailed(status);
}

/** The ids of the failed replies with a later attempt of the same text. */
function repeatedOf(messages: readonly MessageDto[]): Set<string> {
  const texts = new Set<string | null>();
  const repeated = new Set<string>();
  for (const message of messages) {
    if (message.direction !== 'Outbound' || message.type !== 'Text') continue;
    if (isFailedText(message) && texts.has(message.renderedText)) repeated.add(message.id);
    texts.add(message.renderedText);
  }
  return repeated;
}

/** How many messages of the person arrived after the one with the id `seenId`. */
export function receivedAfter(rows: readonly ThreadRow[], seenId: string | undefined): number {
  const seen = rows.findIndex(({ key }) => key === seenId);
  return seen === -1
    ? 0
    : rows
        .slice(seen)
        .filter((row) => row.kind === 'message' && row.message.direction === 'Inbound' && row.key !== seenId).length;
}

type MessagesByPlatformId = ReadonlyMap<string, MessageDto>;

function isShownAsReaction({ content, status }: MessageDto, known: MessagesByPlatformId): boolean {
  // A failed reaction is shown as a message, with its error.
  return content?.reaction !== undefined && known.has(content.reaction.platformMessageId) && !hasFailed(status);
}

function reactionsOf(messages: readonly MessageDto[], known: MessagesByPlatformId): Map<string, Reaction[]> {
  const latest = new Map<string, Map<MessageDto['direction'], string | null>>();
  for (const message of [...messages].reverse()) {
    const reaction = message.content?.reaction;
    const target = reaction && known.get(reaction.platformMessageId);
    if (!reaction || !target || hasFailed(message.status)) continue;
    const sides = latest.get(target.id) ?? new Map<MessageDto['direction'], string | null>();
    latest.set(target.id, sides.set(message.direction, reaction.emoji));
  }
  return new Map(
    [...latest].map(([id, sides]) => [
      id,
      [...sides].flatMap(([direction, emoji]) => (emoji ? [{ direction, emoji }] : [])),
    ]),
  );
}
