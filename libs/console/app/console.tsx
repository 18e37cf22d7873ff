import { CSPProvider } from '@base-ui/react/csp-provider';
import { DirectionProvider } from '@base-ui/react/direction-provider';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { Router } from 'wouter';
import { SignInScreen } from '../screens/sign-in/sign-in-screen';
import { ErrorState } from '../ui/states';
import { Toasts } from '../ui/toast';
import { useLastError } from '../ui/use-last-error';
import { useLate } from '../ui/use-late';
import { guardNavigation, LeaveGuard } from './leave-guard';
import { LiveProvider } from './live';
import { SessionProvider, useSessionQuery } from './session';
import { Shell } from './shell';
import { UnreadProvider } from './unread';
import { t } from '../language/translate';

/** Where the console is served. */
export const BASE = '/console';

/** The whole console. */
export function Console({ queries }: { queries: QueryClient }) {
  return (
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'}>
        <QueryClientProvider client={queries}>
          <Router base={BASE} aroundNav={guardNavigation}>
            <Gate />
            <LeaveGuard />
            <Toasts />
          </Router>
        </QueryClientProvider>
      </DirectionProvider>
    </CSPProvider>
  );
}

/** Shows the screens when signed in and the sign-in form otherwise; the URL stays, so signing in leads to the requested screen. */
function Gate() {
  const session = useSessionQuery();
  const error = useLastError(session);
  const isStarting = session.data === undefined && !error;
  useLayoutEffect(() => {
    if (!isStarting) document.getElementById('start')?.remove();
  }, [isStarting]);
  if (isStarting) return <Starting />;
  if (session.data === null) return <SignInScreen />;
  if (session.data === undefined) {
    return (
      <main className="alone">
        <ErrorState error={error} busy={session.isFetching} onRetry={() => void session.refetch()} />
      </main>
    );
  }
  return (
    <SessionProvider key={session.data.key.id} session={session.data}>
      <LiveProvider>
        <UnreadProvider>
          <Shell />
        </UnreadProvider>
      </LiveProvider>
    </SessionProvider>
  );
}

/** Below the shell of index.html, which stays until the session is known. */
function Starting() {
  const isLate = useLate();
  return (
    <p className="start-late hint" role="status">
      {isLate ? t('Still loading…') : <span className="visually-hidden">{t('Opening the console')}</span>}
    </p>
  );
}
