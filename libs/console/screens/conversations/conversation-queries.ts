import { keepPreviousData, type QueryClient, type QueryState, useQuery, useQueryClient } from '@tanstack/react-query';
import { asMessagingError, call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { type CursorList, useCursorList } from '../../app/cursor-list';
import { useLiveness, useRefresh } from '../../app/live';
import type { Range } from '../../app/merge-ranges';
import { useSession } from '../../app/session';
import { getConversation, listContacts, listConversationMessages } from '../../../client/generated/sdk.gen';
import type { ConversationDto, ConversationMessageDto } from '../../../client/generated/types.gen';
import { useChanges } from './changes';
import { type ConversationFilters, FIRST_RANGE, loadConversations } from './conversation-list-query';
import { hasNoNewMessage } from './shown-state';

/** Polling interval for changes without an event, such as messages sent by a job. */
const SLOW_POLL_MS = 15_000;
/** While messages arrive, the list is refetched no more often than this; the opened conversation at once. */
const LIST_REFRESH_MS = 3000;
/** Polling intervals without an event stream. */
const LIST_POLL_MS = 5000;
const MESSAGES_POLL_MS = 3000;
const FAST_POLL_MS = 1000;
/** Messages older than this are no longer polled quickly; their next status may take hours. */
const RECENT_MS = 90_000;

/** Statuses that usually change within seconds. */
const UNSETTLED: ReadonlySet<ConversationMessageDto['status']> = new Set(['Queued', 'Sent', 'Unknown']);

/** The matching conversations, by default latest message first. */
export function useConversations(filters: ConversationFilters): CursorList<ConversationDto> {
  const queries = useQueryClient();
  const refetchInterval = useInterval(LIST_POLL_MS);
  const refresh = useRefresh(queryKeys.conversations.lists, LIST_REFRESH_MS);
  const key = queryKeys.conversations.list(filters);
  useChanges(() => queries.getQueryData<Range<ConversationDto>>(key)?.items, refresh);
  return useCursorList<ConversationDto>({
    key,
    load: (cursor, signal) => loadConversations(filters, cursor, signal),
    idOf: ({ id }) => id,
    orderOf: ({ lastMessageAt, waitingSince }) =>
      filters.order === 'longestWaiting' ? -Date.parse(waitingSince ?? lastMessageAt) : Date.parse(lastMessageAt),
    refetchInterval,
  });
}

/** One conversation, kept up to date; at first as the list shows it. */
export function useConversation(conversationId: string) {
  const queries = useQueryClient();
  const refetchInterval = useInterval(LIST_POLL_MS);
  const refresh = useRefresh(queryKeys.conversation.one(conversationId));
  useChanges(
    () => shownIn(queries, conversationId),
    (event) => event.conversationId === conversationId && refresh(),
  );
  const listed = listedIn(queries, conversationId);
  return useQuery({
    queryKey: queryKeys.conversation.one(conversationId),
    queryFn: ({ signal }) => call(getConversation, { path: { conversationId } }, { signal }),
    refetchInterval,
    initialData: listed?.conversation,
    initialDataUpdatedAt: listed?.updatedAt,
    staleTime: SLOW_POLL_MS,
    // Events refetch the list only, once the conversation is left.
    gcTime: 0,
  });
}

function shownIn(queries: QueryClient, conversationId: string): ConversationDto[] | undefined {
  const one = queries.getQueryData<ConversationDto>(queryKeys.conversation.one(conversationId));
  return one && [one];
}

/** A conversation in the newest range of a loaded list, which is refetched. */
function listedIn(queries: QueryClient, conversationId: string) {
  return queries
    .getQueryCache()
    .findAll({ queryKey: queryKeys.conversations.lists, type: 'active' })
    .map(({ state: { data, dataUpdatedAt: updatedAt } }) => {
      const newest = (data as Range<ConversationDto> | undefined)?.items.slice(0, FIRST_RANGE);
      return { conversation: newest?.find(({ id }) => id === conversationId), updatedAt };
    })
    .find(({ conversation }) => conversation);
}

/** Whether a reply may answer a person who has opted out, and since when they have; undefined until it is known, and for other people. */
export function useOptOut({ id, optedOut, lastMessageAt }: ConversationDto) {
  const { data } = useQuery({
    queryKey: queryKeys.conversation.optOut(id, lastMessageAt),
    queryFn: ({ signal }) =>
      call(getConversation, { path: { conversationId: id }, query: { optOut: 'true' } }, { signal }),
    enabled: optedOut,
    placeholderData: keepPreviousData,
  });
  if (!optedOut || data?.optedOutAt === undefined) return undefined;
  return { at: data.optedOutAt, mayAnswer: data.wroteSinceOptOut ?? false };
}

/** The contact with the number, if it is one and the key may read contacts; `contact` is undefined until it is known. */
export function useContactOf(phone: string | null) {
  const session = useSession();
  const { data, isLoading } = useQuery({
    queryKey: queryKeys.contacts.withPhone(phone ?? ''),
    queryFn: ({ signal }) => call(listContacts, { query: { phone: phone!, limit: 1 } }, { signal }),
    enabled: phone !== null && session.can('groups:read'),
  });
  return { contact: data?.items[0], isLoading };
}

/** The messages of a conversation, newest first; loaded once it `exists`. */
export function useMessages(conversationId: string, exists: boolean): CursorList<ConversationMessageDto> {
  const queries = useQueryClient();
  const isPolling = useLiveness() === 'polling';
  const key = queryKeys.conversation.messages(conversationId);
  const refresh = useRefresh(key);
  const loaded = () => queries.getQueryData<Range<ConversationMessageDto>>(key);
  useChanges(
    () => shownIn(queries, conversationId),
    (event) => event.conversationId === conversationId && !hasNoNewMessage(loaded()?.items, event) && refresh(),
  );
  return useCursorList<ConversationMessageDto>({
    key,
    enabled: exists,
    load: (cursor, signal) =>
      call(listConversationMessages, { path: { conversationId }, query: { cursor, limit: 50 } }, { signal }),
    idOf: ({ id }) => id,
    orderOf: ({ createdAt }) => createdAt,
    refetchInterval: whileResponding(
      isPolling ? MESSAGES_POLL_MS : changesSoon(loaded()?.items ?? [], Date.now()) ? FAST_POLL_MS : SLOW_POLL_MS,
    ),
  });
}

/** The `refetchInterval` of a query that the event stream covers; `ms`: without it. */
function useInterval(ms: number) {
  return whileResponding(useLiveness() === 'polling' ? ms : SLOW_POLL_MS);
}

/** A query that fails is repeated with growing pauses instead, as all are; after a rate limit at its interval. */
function whileResponding(ms: number) {
  return ({ state }: { state: Pick<QueryState, 'status' | 'fetchFailureCount' | 'error'> }) => {
    if (state.status === 'error') return asMessagingError(state.error).statusCode === 429 && ms;
    return state.fetchFailureCount === 0 && ms;
  };
}

/** Whether any of the 50 newest messages is likely to change its status soon. */
function changesSoon(messages: readonly ConversationMessageDto[], now: number): boolean {
  return messages.slice(0, 50).some((message) => {
    return UNSETTLED.has(message.status) && now - Date.parse(message.createdAt) < RECENT_MS;
  });
}
