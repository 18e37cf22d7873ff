import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../../api/call';
import { type CursorList, useCursorList } from '../../app/cursor-list';
import { useLive, usePolls } from '../../app/live';
import { getConversation, listConversationMessages, listConversations } from '../../../client/generated/sdk.gen';
import type { ConversationDto, MessageDto } from '../../../client/generated/types.gen';

/** What nothing tells of, such as a message of a job, shows after this long. */
const SLOW_MS = 15_000;
const FAST_MS = 1000;
/** A status that has not come by now may take hours. */
const SOON_MS = 90_000;
const REFRESH_MS = 500;
/** Conversations of the range that is read again and again, and of those that somebody scrolls to. */
const FIRST = 100;
const FURTHER = 200;

/** The states after which a message may still get another one within moments. */
const MOVING: ReadonlySet<MessageDto['status']> = new Set(['Queued', 'Sent', 'Unknown']);

/** The conversations that fit, the latest message first. */
export function useConversations(search: string, isUnread: boolean): CursorList<ConversationDto> {
  const polls = usePolls(true);
  const refresh = useRefresh(['conversations']);
  useLive('conversation', refresh);
  return useCursorList<ConversationDto>({
    key: ['conversations', { search, isUnread }],
    load: (cursor, signal) => {
      const limit = cursor === undefined ? FIRST : FURTHER;
      const query = { cursor, limit, ...(search && { search }), ...(isUnread && { unread: 'true' as const }) };
      return call(listConversations, { query }, { signal });
    },
    idOf: ({ id }) => id,
    orderOf: ({ lastMessageAt }) => lastMessageAt,
    refetchInterval: polls || SLOW_MS,
  });
}

/** One conversation, as it is now. */
export function useConversation(conversationId: string) {
  const polls = usePolls(true);
  const refresh = useRefresh(['conversation', conversationId]);
  useLive('conversation', (event) => event.conversationId === conversationId && refresh());
  return useQuery({
    queryKey: ['conversation', conversationId],
    queryFn: ({ signal }) => call(getConversation, { path: { conversationId } }, { signal }),
    refetchInterval: polls || SLOW_MS,
  });
}

/** What was said in it, newest first. */
export function useMessages(conversationId: string): CursorList<MessageDto> {
  const queries = useQueryClient();
  const polls = usePolls(true);
  const key = ['conversation', conversationId, 'messages'];
  const refresh = useRefresh(key);
  useLive('conversation', (event) => event.conversationId === conversationId && refresh());
  const read = queries.getQueryData<{ items: MessageDto[] }>(key);
  return useCursorList<MessageDto>({
    key,
    load: (cursor, signal) =>
      call(listConversationMessages, { path: { conversationId }, query: { cursor, limit: 50 } }, { signal }),
    idOf: ({ id }) => id,
    orderOf: ({ createdAt }) => createdAt,
    refetchInterval: movesSoon(read?.items ?? [], Date.now()) ? FAST_MS : polls || SLOW_MS,
  });
}

/** Whether one of these messages, newest first, may get another status within moments. */
function movesSoon(messages: readonly MessageDto[], now: number): boolean {
  return messages.slice(0, 50).some((message) => {
    return MOVING.has(message.status) && now - Date.parse(message.createdAt) < SOON_MS;
  });
}

/** Reads these queries again: at once, and of many calls in a short time once more at its end. */
function useRefresh(key: readonly unknown[]): () => void {
  const queries = useQueryClient();
  const waiting = useRef<ReturnType<typeof setTimeout> | null>(null);
  const again = useRef(false);
  useEffect(() => () => void (waiting.current && clearTimeout(waiting.current)), []);
  return () => {
    if (waiting.current) {
      again.current = true;
      return;
    }
    const read = () => {
      again.current = false;
      void queries.invalidateQueries({ queryKey: key });
      waiting.current = setTimeout(() => {
        waiting.current = null;
        if (again.current) read();
      }, REFRESH_MS);
    };
    read();
  };
}
