import type { ConversationDto, ConversationMessageDto } from '../../../client/generated/types.gen';
import type { LiveEvents } from '../../app/live';

/** What a list shows of a conversation that is also part of an event. */
export type Shown = Pick<ConversationDto, 'id' | 'unreadCount' | 'lastMessageAt'>;

/** Whether the state in an event is already shown. */
export function isShown(
  shown: readonly Shown[],
  { conversationId, unreadCount, lastMessageAt }: LiveEvents['conversation'],
): boolean {
  const one = shown.find(({ id }) => id === conversationId);
  // A stream does not start with conversations that are read: such an event is a change, maybe of the state only.
  return unreadCount > 0 && one?.unreadCount === unreadCount && one.lastMessageAt === lastMessageAt;
}

/** Whether an event reports a message later than those loaded: of its conversation or, if that is not loaded, of any. */
export function isNewer(
  loaded: readonly Shown[],
  { conversationId, lastMessageAt }: LiveEvents['conversation'],
): boolean {
  const one = loaded.find(({ id }) => id === conversationId);
  return loaded.every((other) => (one && other !== one) || other.lastMessageAt < lastMessageAt);
}

/** Whether an event reports no new message: the conversation was read, or its state changed. `messages`: the loaded ones, newest first. */
export function hasNoNewMessage(
  messages: readonly Pick<ConversationMessageDto, 'createdAt'>[] | undefined,
  { unreadCount, lastMessageAt }: LiveEvents['conversation'],
): boolean {
  // A message can arrive later than a newer one.
  return unreadCount === 0 && messages?.[0] !== undefined && messages[0].createdAt >= lastMessageAt;
}
