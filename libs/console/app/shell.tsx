import { lazy, Suspense, useEffect, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { IconButton } from '../ui/button';
import { Icon } from '../ui/icon';
import { recordPath } from '../ui/navigation';
import { PageHeader } from '../ui/page-header';
import { Empty, Loading, NoScope } from '../ui/states';
import { ButtonLink } from '../ui/link';
import { useScreen } from './preload';
import { ErrorBoundary } from './error-boundary';
import { useLiveness } from './live';
import type { ScreenProps } from './screen-props';
import { type Screen, SCREENS } from './screens';
import { useSession } from './session';
import { Logo, Sidebar } from './sidebar';

/** Loaded when it is opened: the parts of a dialog would be a quarter of the first load. */
const Drawer = lazy(() => import('./drawer'));

/** The frame of every screen: navigation, session and connection status. */
export function Shell() {
  const [path] = useLocation();
  const [drawerPath, setDrawerPath] = useState<string | null>(null);
  recordPath(path);
  useEffect(() => setDrawerPath(null), [path]);
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="topbar">
        <IconButton
          icon="menu"
          label="Menu"
          aria-haspopup="dialog"
          aria-expanded={drawerPath === path}
          onClick={() => setDrawerPath(path)}
        />
        <span className="brand">
          <Logo /> Messaging
        </span>
      </header>
      {drawerPath === path && (
        <ErrorBoundary>
          <Suspense>
            <Drawer onClose={() => setDrawerPath(null)} />
          </Suspense>
        </ErrorBoundary>
      )}
      <aside className="sidebar">
        <Sidebar />
      </aside>
      <main id="content" className="content" tabIndex={-1}>
        <UnavailableBanner />
        <ErrorBoundary key={path}>
          <Switch>
            {SCREENS.map((screen) => (
              <Route key={screen.path} path={screen.path}>
                {(params) => <GuardedScreen screen={screen} params={params} />}
              </Route>
            ))}
            <Route>
              <PageHeader title="Page not found" />
              <Empty title="There is no page at this address" hint="It may have been deleted." icon="search">
                <ButtonLink to="/">Go to overview</ButtonLink>
              </Empty>
            </Route>
          </Switch>
        </ErrorBoundary>
      </main>
    </div>
  );
}

function GuardedScreen({ screen, params }: { screen: Screen } & ScreenProps) {
  const session = useSession();
  if (screen.scopes.length > 0 && !session.can(...screen.scopes)) {
    return (
      <>
        <PageHeader title={screen.nav?.label ?? 'No access'} />
        <NoScope scopes={screen.scopes} />
      </>
    );
  }
  return <LazyScreen screen={screen} params={params} />;
}

function LazyScreen({ screen, params }: { screen: Screen } & ScreenProps) {
  const Component = useScreen(screen);
  return Component ? <Component params={params} /> : <Loading rows={6} />;
}

function UnavailableBanner() {
  if (useLiveness() !== 'unavailable') return null;
  return (
    <p className="unavailable" role="status">
      <Icon name="warning" /> The service is not responding. This page reconnects automatically.
    </p>
  );
}
