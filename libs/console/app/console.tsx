import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Router } from 'wouter';
import { SignInScreen } from '../screens/sign-in/sign-in-screen';
import { ErrorState, Loading } from '../ui/states';
import { Toasts } from '../ui/toast';
import { LiveProvider } from './live';
import { newQueryClient } from './query-client';
import { SessionProvider, useSessionQuery } from './session';
import { Shell } from './shell';

/** The whole console. */
export function Console() {
  const [queries] = useState(newQueryClient);
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <Router base="/console">
          <Tooltip.Provider>
            <Toasts>
              <Gate />
            </Toasts>
          </Tooltip.Provider>
        </Router>
      </QueryClientProvider>
    </CSPProvider>
  );
}

/** Shows the screens to whoever is signed in and asks everybody else to; the address stays, so that they end where they wanted. */
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
