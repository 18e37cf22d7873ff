import { useEffect, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { markConversationRead } from '../../../client/generated/sdk.gen';
import type { ConversationDto, MessageDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';

/**
 * Marks the conversation as read up to `seen`, the latest visible message, which shows read ticks to the person. Later messages
 * stay unread. Waits while the tab is hidden.
 */
export function useMarkRead(conversation: ConversationDto, seen: MessageDto | undefined): void {
  const session = useSession();
  const queries = useQueryClient();
  const marked = useRef('');
  const { id: conversationId, unreadCount } = conversation;
  const messageId = seen?.id;
  const canMark = session.can('messaging:manage');
  useEffect(() => {
    if (!canMark || !messageId || unreadCount === 0) return;
    const mark = () => {
      if (document.visibilityState === 'hidden' || marked.current === messageId) return;
      marked.current = messageId;
      call(markConversationRead, { path: { conversationId }, body: { messageId } }).then(
        () => {
          void queries.invalidateQueries({ queryKey: queryKeys.conversation.one(conversationId), exact: true });
          void queries.invalidateQueries({ queryKey: queryKeys.conversations.all });
        },
        // Retry when the tab becomes visible again.
        () => (marked.current = ''),
      );
    };
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [conversationId, canMark, messageId, queries, unreadCount]);
}
