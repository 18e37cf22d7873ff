import { CSPProvider } from '@base-ui/react/csp-provider';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Router } from 'wouter';
import { SignInScreen } from '../screens/sign-in/sign-in-screen';
import { ErrorState, Loading } from '../ui/states';
import { Toasts } from '../ui/toast';
import { LiveProvider } from './live';
import { SessionProvider, useSessionQuery } from './session';
import { Shell } from './shell';

/** Where the console is served. */
export const BASE = '/console';

/** The whole console. */
export function Console({ queries }: { queries: QueryClient }) {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <Router base={BASE}>
          <Gate />
          <Toasts />
        </Router>
      </QueryClientProvider>
    </CSPProvider>
  );
}

/** Shows the screens when signed in and the sign-in form otherwise; the URL stays, so signing in leads to the requested screen. */
function Gate() {
  const session = useSessionQuery();
  if (session.data === null) return <SignInScreen />;
  if (session.data === undefined) {
    return (
      <main className="alone">
        {session.isError ? (
          <ErrorState error={session.error} onRetry={() => void session.refetch()} />
        ) : (
          <Loading label="Opening the console" />
        )}
      </main>
    );
  }
  return (
    <SessionProvider session={session.data}>
      <LiveProvider>
        <Shell />
      </LiveProvider>
    </SessionProvider>
  );
}
