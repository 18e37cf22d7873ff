import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import { onSignedOut, consoleCall } from '../api/call';
import { queryKeys } from '../api/query-keys';
import { type Scope, withIncluded } from '../api/scopes';
import { MessagingError } from '../../client/errors';
import { store, stored } from '../ui/storage';

const PATH = '/console/session';
const HINT = 'console.signedIn';

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
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return (await consoleCall('GET', PATH, undefined, signal)) as Session;
    } catch (error) {
      if (error instanceof MessagingError && error.statusCode === 401) return null;
      throw error;
    }
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
  useEffect(() => onSignedOut(() => clearSession(queries)), [queries]);
  const session = useQuery(SESSION_QUERY);
  useEffect(() => {
    if (session.data !== undefined) store(HINT, session.data && 'true');
  }, [session.data]);
  return session;
}

/** Whether this browser was signed in when it last read the session: scripts cannot read the cookie itself. */
export function wasSignedIn(): boolean {
  return stored(HINT) !== null;
}

/** Signs in with an API key; the service sets an HttpOnly cookie. */
export function useSignIn(): (apiKey: string) => Promise<void> {
  const queries = useQueryClient();
  return async (apiKey) => {
    const session = (await consoleCall('POST', PATH, { apiKey })) as Session;
    // Data loaded with another key must not be shown to this one.
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== queryKeys.session[0] });
    queries.setQueryData(queryKeys.session, session);
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
        await consoleCall('DELETE', PATH);
        clearSession(queries);
      },
    };
  }, [session, queries]);
  return <SessionContext value={signedIn}>{children}</SessionContext>;
}

function clearSession(queries: ReturnType<typeof useQueryClient>): void {
  queries.setQueryData(queryKeys.session, null);
}
