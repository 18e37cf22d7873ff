import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import { onSignedOut, ownCall } from '../api/call';
import { type Scope, withIncluded } from '../api/scopes';
import { MessagingError } from '../../client/errors';

const PATH = '/console/session';

/** Who is signed in, as the service tells it. */
export interface Session {
  account: { id: string; name: string; plan: string };
  key: { id: string; name: string; scopes: Scope[]; expiresAt: string | null };
  serverTime: string;
}

/** Who is signed in, and what they may do. */
export interface SignedIn extends Session {
  /** Whether the key has one of the scopes, or one that includes it. */
  can(...anyOf: readonly Scope[]): boolean;
  signOut(): Promise<void>;
}

/** Asks who is signed in; `null`: nobody is. */
export const SESSION = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return (await ownCall('GET', PATH, undefined, signal)) as Session;
    } catch (error) {
      if (error instanceof MessagingError && error.statusCode === 401) return null;
      throw error;
    }
  },
  staleTime: Infinity,
});

const SessionContext = createContext<SignedIn | null>(null);

/** Who is signed in. Every screen is inside of a session. */
export function useSession(): SignedIn {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no session around this.');
  return session;
}

/** Who is signed in; `null`: nobody is. */
export function useSessionQuery() {
  const queries = useQueryClient();
  useEffect(() => onSignedOut(() => forget(queries)), [queries]);
  return useQuery(SESSION);
}

/** Signs in with an API key; the browser keeps a cookie that no script can read. */
export function useSignIn(): (apiKey: string) => Promise<void> {
  const queries = useQueryClient();
  return async (apiKey) => {
    const session = (await ownCall('POST', PATH, { apiKey })) as Session;
    // What another key was shown is not for this one.
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    queries.setQueryData(['session'], session);
  };
}

/** Hands the session to everything inside. */
export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  const queries = useQueryClient();
  const signedIn = useMemo((): SignedIn => {
    const scopes = withIncluded(session.key.scopes);
    return {
      ...session,
      can: (...anyOf) => anyOf.some((scope) => scopes.has(scope)),
      async signOut() {
        await ownCall('DELETE', PATH);
        forget(queries);
      },
    };
  }, [session, queries]);
  return <SessionContext value={signedIn}>{children}</SessionContext>;
}

function forget(queries: ReturnType<typeof useQueryClient>): void {
  queries.setQueryData(['session'], null);
}
