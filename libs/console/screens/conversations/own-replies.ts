import type { ConversationDto, SentReplyDto } from '../../../client/generated/types.gen';

/** How long a reply is watched after it was sent. */
const WATCHED_MS = 10 * 60_000;

type Listed = Pick<ConversationDto, 'id' | 'lastFailure' | 'lastMessageAt'>;

/** A failure that was shown for so long in its conversation is known. */
const SEEN_MS = 2000;

/** The conversations in which this tab replied, with the time of its latest reply, and since when its failure is shown there. */
const replies = new Map<string, { at: string; shownSince?: number }>();

/** Remembers a reply, until it is known to have failed or is old. */
export function rememberReply(conversationId: string, { createdAt }: Pick<SentReplyDto, 'createdAt'>): void {
  replies.set(conversationId, { at: createdAt });
}

/** Whether a reply is still watched whose conversation is not in the list, which would tell of its failure. */
export function watchesUnlisted(listed: readonly Pick<Listed, 'id'>[], now: number): boolean {
  for (const [id, { at }] of replies) if (now - Date.parse(at) > WATCHED_MS) replies.delete(id);
  const ids = new Set(listed.map(({ id }) => id));
  return [...replies.keys()].some((id) => !ids.has(id));
}

/** The conversations whose watched reply failed, each once; the opened one, which shows it, only if it is left at once. `now` in ms. */
export function takeFailed<T extends Listed>(listed: readonly T[], openedId: string, now: number): T[] {
  return listed.filter(({ id, lastFailure, lastMessageAt }) => {
    const reply = replies.get(id);
    // A failure is that of the latest message, which may be somebody else's.
    if (!reply || !lastFailure || Date.parse(lastMessageAt) !== Date.parse(reply.at)) return false;
    if (id === openedId) {
      reply.shownSince ??= now;
      return false;
    }
    return replies.delete(id) && now - (reply.shownSince ?? now) < SEEN_MS;
  });
}
