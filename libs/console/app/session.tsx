import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import { consoleCall, endPauses, onSignedOut } from '../api/call';
import { queryKeys } from '../api/query-keys';
import { type Scope, withIncluded } from '../api/scopes';
import { MessagingError } from '../../client/errors';
import { forgetDrafts, forgetDraftsWithOtherTabs, forgetOwnNumber, sweepDrafts } from './drafts';
import { SESSION_PATH, takeEarlySession } from './early-session';
import { draftNames, nameDraftsToOtherTabs } from './draft-names';
import { noteForgottenDrafts, noteSessionEnd } from './session-end';
import { noteSignedIn, SIGNED_IN_HINT, wasSignedIn } from './signed-in-hint';

/** The session as the service returns it. */
export interface Session {
  account: { id: string; name: string; plan: string };
  key: { id: string; name: string; scopes: Scope[]; expiresAt: string | null };
  serverTime: string;
}

/** The current session, its permissions and sign-out. */
export interface SignedIn extends Session {
  /** Whether the key has any of the scopes, directly or implied. */
  can(...anyOf: readonly Scope[]): boolean;
  signOut(): Promise<void>;
}

/** Reads the session; null when not signed in. */
export const SESSION_QUERY = queryOptions({
  queryKey: queryKeys.session,
  queryFn: async ({ signal, client }): Promise<Session | null> => {
    const session = await readSession(signal);
    const before = client.getQueryData<Session | null>(queryKeys.session);
    // In another tab, another key may have signed in.
    if (before !== undefined && before?.key.id !== session?.key.id) forgetData(client);
    return session;
  },
  staleTime: Infinity,
});

const SessionContext = createContext<SignedIn | null>(null);

/** The current session; throws outside a SessionProvider. */
export function useSession(): SignedIn {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession needs a SessionProvider.');
  return session;
}

/** The session query; its data is null when not signed in. */
export function useSessionQuery() {
  const queries = useQueryClient();
  useEffect(
    () =>
      onSignedOut((error) => {
        noteSessionEnd(error, wasSignedIn());
        void setSession(queries, null);
      }),
    [queries],
  );
  useEffect(sweepDrafts, []);
  useEffect(() => forgetDraftsWithOtherTabs(() => noteForgottenDrafts(draftNames())), []);
  useEffect(nameDraftsToOtherTabs, []);
  useEffect(() => {
    const onOtherTab = ({ key }: StorageEvent) => {
      if (key === SIGNED_IN_HINT) void queries.refetchQueries(SESSION_QUERY);
    };
    addEventListener('storage', onOtherTab);
    return () => removeEventListener('storage', onOtherTab);
  }, [queries]);
  const session = useQuery(SESSION_QUERY);
  const lastAccount = useRef<string | null>(null);
  useEffect(() => {
    if (session.data === undefined) return;
    noteSignedIn(session.data !== null);
    if (session.data === null) return;
    const { id } = session.data.account;
    if (lastAccount.current !== null && lastAccount.current !== id) forgetOwnNumber();
    lastAccount.current = id;
  }, [session.data]);
  return session;
}

/** Signs in with an API key; the service sets an HttpOnly cookie. */
export function useSignIn(): (apiKey: string) => Promise<void> {
  const queries = useQueryClient();
  return async (apiKey) => {
    endPauses();
    const session = (await consoleCall('POST', SESSION_PATH, { apiKey })) as Session;
    noteSessionEnd(null, true);
    forgetData(queries);
    await setSession(queries, session);
  };
}

/** Provides the session to its children. */
export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  const queries = useQueryClient();
  const signedIn = useMemo((): SignedIn => {
    const scopes = withIncluded(session.key.scopes);
    return {
      ...session,
      can: (...anyOf) => anyOf.some((scope) => scopes.has(scope)),
      async signOut() {
        await consoleCall('DELETE', SESSION_PATH).catch((error: unknown) => {
          // It has already ended.
          if (!(error instanceof MessagingError && error.statusCode === 401)) throw error;
        });
        endPauses();
        forgetDrafts();
        noteSessionEnd(null, true);
        await setSession(queries, null);
      },
    };
  }, [session, queries]);
  return <SessionContext value={signedIn}>{children}</SessionContext>;
}

async function readSession(signal: AbortSignal): Promise<Session | null> {
  try {
    return (
      ((await consoleCall('GET', SESSION_PATH, undefined, signal, takeEarlySession())) as Session | undefined) ?? null
    );
  } catch (error) {
    if (!(error instanceof MessagingError && error.statusCode === 401)) throw error;
    noteSessionEnd(error, wasSignedIn());
    return null;
  }
}

async function setSession(queries: QueryClient, session: Session | null): Promise<void> {
  // The answer to an earlier read must not replace it.
  await queries.cancelQueries(SESSION_QUERY);
  queries.setQueryData(queryKeys.session, session);
}

/** Removes what another key has loaded, and what it has yet to send. */
function forgetData(queries: QueryClient): void {
  endPauses();
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== queryKeys.session[0] });
}
