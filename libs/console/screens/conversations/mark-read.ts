import { useEffect, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { markConversationRead } from '../../../client/generated/sdk.gen';
import type { ConversationDto, MessageDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { useSession } from '../../app/session';

/**
 * Marks the conversation as read up to `seen`, the latest message that somebody has before their eyes; the person sees the ticks
 * then. What comes after it stays unread. A hidden tab has no eyes.
 */
export function useMarkRead(conversation: ConversationDto, seen: MessageDto | undefined): void {
  const session = useSession();
  const queries = useQueryClient();
  const marked = useRef('');
  const { id: conversationId, unreadCount } = conversation;
  const messageId = seen?.id;
  const mayMark = session.can('messaging:manage');
  useEffect(() => {
    if (!mayMark || !messageId || unreadCount === 0) return;
    const mark = () => {
      if (document.visibilityState === 'hidden' || marked.current === messageId) return;
      marked.current = messageId;
      call(markConversationRead, { path: { conversationId }, body: { messageId } }).then(
        () => {
          void queries.invalidateQueries({ queryKey: ['conversation', conversationId], exact: true });
          void queries.invalidateQueries({ queryKey: ['conversations'] });
        },
        // The next look marks it.
        () => (marked.current = ''),
      );
    };
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [conversationId, mayMark, messageId, queries, unreadCount]);
}
