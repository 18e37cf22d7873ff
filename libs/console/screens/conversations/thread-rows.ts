import type { ConversationMessageDto, MessageDto } from '../../../client/generated/types.gen';
import { hasFailed } from '../../app/states';

/** A reaction to a message. */
export interface Reaction {
  direction: MessageDto['direction'];
  emoji: string;
}

/** One row of a thread. */
export type ThreadRow =
  | { kind: 'start'; key: string }
  | { kind: 'day'; key: string; day: Date }
  | {
      kind: 'message';
      key: string;
      message: ConversationMessageDto;
      reactions: readonly Reaction[];
      /** The message it replies to; null: not loaded or no longer stored. Absent: not a reply. */
      quoted?: MessageDto | null;
    };

/**
 * Builds the rows of a thread, oldest first, from messages, newest first. Reactions are attached to their message if it is
 * loaded; only the latest of each side counts.
 */
export function threadRows(messages: readonly ConversationMessageDto[], isComplete: boolean): ThreadRow[] {
  const byPlatformId = new Map(
    messages.flatMap((one) => (one.platformMessageId ? [[one.platformMessageId, one]] : [])),
  );
  const reactions = reactionsOf(messages, byPlatformId);
  const rows: ThreadRow[] = isComplete && messages.length > 0 ? [{ kind: 'start', key: 'start' }] : [];
  let shown = '';
  for (const message of [...messages].reverse()) {
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
      ...(answered !== undefined && { quoted: byPlatformId.get(answered) ?? null }),
    });
  }
  return rows;
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
