import { useEffect, useRef } from 'react';
import { markConversationRead } from '../../../client/generated/sdk.gen';
import type { ConversationDto, MessageDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { useSession } from '../../app/session';
import { useOwnChange } from './own-change';

/** A conversation that was only passed through, such as with the keyboard, stays unread. */
const READ_AFTER_MS = 1500;
const PANE = '.thread-pane';
/** What a person does in the conversation when they have read it. */
const ACTIONS = ['pointerdown', 'input'];

/**
 * Marks the conversation as read up to `seen`, the latest visible message, which shows read ticks to the person. Later messages
 * stay unread. Waits until it was visible for a moment, or the person types or clicks in it.
 */
export function useMarkRead(conversation: ConversationDto, seen: MessageDto | undefined): void {
  const session = useSession();
  const marked = useRef('');
  const { id: conversationId, unreadCount } = conversation;
  const messageId = seen?.id;
  const begin = useOwnChange(conversationId);
  const canMark = session.can('messaging:manage');
  useEffect(() => {
    if (!canMark || !messageId || unreadCount === 0) return;
    const mark = () => {
      if (document.visibilityState === 'hidden' || marked.current === messageId) return;
      marked.current = messageId;
      void call(markConversationRead, { path: { conversationId }, body: { messageId } })
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
  }, [begin, conversationId, canMark, messageId, unreadCount]);
}
