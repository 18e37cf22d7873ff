import type { MessageDto } from '../../../client/generated/types.gen';
import { hasFailed } from '../messages/message-words';

/** Who put which emoji to a message. */
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
      message: MessageDto;
      reactions: readonly Reaction[];
      /** The message that it answers; `null`: one that is not read yet, or not kept. Absent: it answers none. */
      quoted?: MessageDto | null;
    };

/**
 * The rows of a thread, oldest first, from its messages, newest first. A reaction stands at its message where that is among
 * them; of each side the latest counts.
 */
export function threadRows(messages: readonly MessageDto[], isWhole: boolean): ThreadRow[] {
  const byPlatformId = new Map(
    messages.flatMap((one) => (one.platformMessageId ? [[one.platformMessageId, one]] : [])),
  );
  const reactions = reactionsOf(messages, byPlatformId);
  const rows: ThreadRow[] = isWhole && messages.length > 0 ? [{ kind: 'start', key: 'start' }] : [];
  let shown = '';
  for (const message of [...messages].reverse()) {
    if (isAtItsMessage(message, byPlatformId)) continue;
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

type Known = ReadonlyMap<string, MessageDto>;

function isAtItsMessage({ content, status }: MessageDto, known: Known): boolean {
  // One that was not sent shows with its reason.
  return content?.reaction !== undefined && known.has(content.reaction.platformMessageId) && !hasFailed(status);
}

function reactionsOf(messages: readonly MessageDto[], known: Known): Map<string, Reaction[]> {
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
