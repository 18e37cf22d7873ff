import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { markConversationRead } from '../../../client/generated/sdk.gen';
import type {
  ConversationDto,
  ConversationMessageDto,
  MessageDto,
  ReadMarkDto,
} from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import type { Range } from '../../app/merge-ranges';
import { useSession } from '../../app/session';
import { useOwnChange } from './own-change';
import { firstUnread } from './thread-rows';

/** A conversation that was only passed through, such as with the keyboard, stays unread. */
const READ_AFTER_MS = 1500;
const PANE = '.thread-pane';
/** What a person does in the conversation when they have read it. */
const ACTIONS = ['pointerdown', 'input'];

/**
 * Marks the conversation as read up to `seen`, the latest visible one of `messages`, newest first, which shows read ticks to the person. Later messages
 * stay unread. Waits until it was visible for a moment, or the person types or clicks in it.
 */
export function useMarkRead(
  conversation: ConversationDto,
  messages: readonly ConversationMessageDto[],
  seen: MessageDto | undefined,
): void {
  const queries = useQueryClient();
  const session = useSession();
  const marked = useRef('');
  const { id: conversationId, unreadCount } = conversation;
  const unreadId = firstUnread(messages, unreadCount);
  const isUnread =
    seen !== undefined &&
    messages.findIndex(({ id }) => id === seen.id) <= messages.findIndex(({ id }) => id === unreadId);
  // The latest message also ends an unread count whose messages were deleted.
  const messageId = isUnread || seen === messages[0] ? seen?.id : undefined;
  const begin = useOwnChange(conversationId);
  const canMark = session.can('messaging:manage');
  useEffect(() => {
    if (!canMark || !messageId || unreadCount === 0) return;
    const mark = () => {
      if (document.visibilityState === 'hidden' || marked.current === messageId) return;
      marked.current = messageId;
      void call(markConversationRead, { path: { conversationId }, body: { messageId } })
        .then((mark) => showMark(queries, mark))
        // Retry when the tab becomes visible again.
        .catch(() => (marked.current = ''))
        .finally(begin());
    };
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(mark, READ_AFTER_MS);
    };
    wait();
    document.addEventListener('visibilitychange', wait);
    const pane = document.querySelector(PANE);
    for (const action of ACTIONS) pane?.addEventListener(action, mark);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', wait);
      for (const action of ACTIONS) pane?.removeEventListener(action, mark);
    };
  }, [begin, conversationId, canMark, messageId, unreadCount, queries]);
}

/** Shows the unread count at once; the event that reports it takes a moment. */
function showMark(queries: QueryClient, { conversationId, unreadCount }: ReadMarkDto): void {
  const marked = (one: ConversationDto): ConversationDto =>
    one.id === conversationId ? { ...one, unreadCount, ...(unreadCount === 0 && { unreadText: undefined }) } : one;
  queries.setQueriesData<Range<ConversationDto>>(
    { queryKey: queryKeys.conversations.lists },
    (list) => list && { ...list, items: list.items.map(marked) },
  );
  queries.setQueryData<ConversationDto>(queryKeys.conversation.one(conversationId), (one) => one && marked(one));
}
