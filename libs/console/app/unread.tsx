import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import { listConversations } from '../../client/generated/sdk.gen';
import { call } from '../api/call';
import { queryKeys } from '../api/query-keys';
import { TitlePrefix } from '../ui/page-header';
import { useIsStarting, useLive, useRefresh } from './live';
import { useSession } from './session';

/** More are shown as “99+”. */
const MOST = 99;
const POLL_MS = 30_000;
const REFRESH_MS = 2000;

const UnreadContext = createContext('');

/** Counts the unread conversations, without mere opt-outs and done ones, for the navigation and the titles of its children. */
export function UnreadProvider({ children }: { children: ReactNode }) {
  const session = useSession();
  const refresh = useRefresh(queryKeys.conversations.unread, REFRESH_MS);
  const isStarting = useIsStarting();
  useLive('conversation', ({ unreadCount, lastMessageAt }) => {
    // The first count, requested after the session was read, includes it.
    const isCounted = unreadCount > 0 && lastMessageAt <= session.serverTime;
    if (!isStarting() || !isCounted) refresh();
  });
  const { data } = useQuery({
    queryKey: queryKeys.conversations.unread,
    enabled: session.can('messaging:read'),
    refetchInterval: POLL_MS,
    queryFn: async ({ signal }) => {
      const query = { unreadConversations: 'true', limit: 1 } as const;
      return (await call(listConversations, { query }, { signal })).unreadConversations ?? 0;
    },
  });
  const shown = data === undefined || data === 0 ? '' : data > MOST ? `${MOST}+` : String(data);
  return (
    <UnreadContext value={shown}>
      <TitlePrefix value={shown && `(${shown}) `}>{children}</TitlePrefix>
    </UnreadContext>
  );
}

/** How many conversations are unread, such as “3” or “99+”; empty if none are. */
export function useUnread(): string {
  return useContext(UnreadContext);
}
