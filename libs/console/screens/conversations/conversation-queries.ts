import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { type CursorList, useCursorList } from '../../app/cursor-list';
import { useLive, usePollInterval, useRefresh } from '../../app/live';
import { useSession } from '../../app/session';
import {
  getConversation,
  listContacts,
  listConversationMessages,
  listConversations,
} from '../../../client/generated/sdk.gen';
import type {
  ConversationDto,
  ConversationMessageDto,
  ListConversationsData,
} from '../../../client/generated/types.gen';

/** Polling interval for changes without an event, such as messages sent by a job. */
const SLOW_POLL_MS = 15_000;
const FAST_POLL_MS = 1000;
/** Messages older than this are no longer polled quickly; their next status may take hours. */
const RECENT_MS = 90_000;
/** Range sizes: the first range, which is refetched often, and further ones loaded on scrolling. */
const FIRST_PAGE_SIZE = 100;
const NEXT_PAGE_SIZE = 200;

/** Statuses that usually change within seconds. */
const UNSETTLED: ReadonlySet<ConversationMessageDto['status']> = new Set(['Queued', 'Sent', 'Unknown']);

/** Filters of the list, as the API takes them. */
type ConversationFilters = Pick<NonNullable<ListConversationsData['query']>, 'search' | 'unread' | 'state'>;

/** The matching conversations, latest message first. */
export function useConversations(filters: ConversationFilters): CursorList<ConversationDto> {
  const pollInterval = usePollInterval(true);
  const refresh = useRefresh(queryKeys.conversations.all);
  useLive('conversation', refresh);
  return useCursorList<ConversationDto>({
    key: queryKeys.conversations.list(filters),
    load: (cursor, signal) => {
      const limit = cursor === undefined ? FIRST_PAGE_SIZE : NEXT_PAGE_SIZE;
      return call(listConversations, { query: { cursor, limit, ...filters } }, { signal });
    },
    idOf: ({ id }) => id,
    orderOf: ({ lastMessageAt }) => lastMessageAt,
    refetchInterval: pollInterval || SLOW_POLL_MS,
  });
}

/** One conversation, kept up to date. */
export function useConversation(conversationId: string) {
  const pollInterval = usePollInterval(true);
  const refresh = useRefresh(queryKeys.conversation.one(conversationId));
  useLive('conversation', (event) => event.conversationId === conversationId && refresh());
  return useQuery({
    queryKey: queryKeys.conversation.one(conversationId),
    queryFn: ({ signal }) => call(getConversation, { path: { conversationId } }, { signal }),
    refetchInterval: pollInterval || SLOW_POLL_MS,
  });
}

/** The contact with the number, if it is one and the key may read contacts; `contact` is undefined until it is known. */
export function useContactOf(phone: string) {
  const session = useSession();
  const { data, isLoading } = useQuery({
    queryKey: queryKeys.contacts.withPhone(phone),
    queryFn: ({ signal }) => call(listContacts, { query: { phone, limit: 1 } }, { signal }),
    enabled: session.can('groups:read'),
  });
  return { contact: data?.items[0], isLoading };
}

/** The messages of a conversation, newest first. */
export function useMessages(conversationId: string): CursorList<ConversationMessageDto> {
  const queries = useQueryClient();
  const pollInterval = usePollInterval(true);
  const key = queryKeys.conversation.messages(conversationId);
  const refresh = useRefresh(key);
  useLive('conversation', (event) => event.conversationId === conversationId && refresh());
  const cached = queries.getQueryData<{ items: ConversationMessageDto[] }>(key);
  return useCursorList<ConversationMessageDto>({
    key,
    load: (cursor, signal) =>
      call(listConversationMessages, { path: { conversationId }, query: { cursor, limit: 50 } }, { signal }),
    idOf: ({ id }) => id,
    orderOf: ({ createdAt }) => createdAt,
    refetchInterval: changesSoon(cached?.items ?? [], Date.now()) ? FAST_POLL_MS : pollInterval || SLOW_POLL_MS,
  });
}

/** Whether any of the 50 newest messages is likely to change its status soon. */
function changesSoon(messages: readonly ConversationMessageDto[], now: number): boolean {
  return messages.slice(0, 50).some((message) => {
    return UNSETTLED.has(message.status) && now - Date.parse(message.createdAt) < RECENT_MS;
  });
}
