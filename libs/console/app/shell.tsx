import { Dialog } from '@base-ui/react/dialog';
import { useEffect, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { Button, IconButton } from '../ui/button';
import { Icon } from '../ui/icon';
import { recordPath } from '../ui/navigation';
import { PageHeader } from '../ui/page-header';
import { Empty, Loading, NoScope } from '../ui/states';
import { ButtonLink } from '../ui/link';
import { ThemeSwitch } from '../ui/theme-switch';
import { useScreen } from './preload';
import { ErrorBoundary } from './error-boundary';
import { useLiveness } from './live';
import { Navigation } from './nav';
import type { ScreenProps } from './screen-props';
import { type Screen, SCREENS } from './screens';
import { useSession } from './session';

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
        <Dialog.Root open={drawerPath === path} onOpenChange={(open) => setDrawerPath(open ? path : null)}>
          <Dialog.Trigger render={<IconButton icon="menu" label="Menu" />} />
          <Dialog.Portal>
            <Dialog.Backdrop className="backdrop" />
            <Dialog.Popup className="drawer">
              <Dialog.Title className="visually-hidden">Menu</Dialog.Title>
              <Sidebar />
            </Dialog.Popup>
          </Dialog.Portal>
        </Dialog.Root>
        <span className="brand">
          <Logo /> Messaging
        </span>
      </header>
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

function Sidebar() {
  const session = useSession();
  const [isSigningOut, setSigningOut] = useState(false);
  return (
    <div className="sidebar-inner">
      <div className="brand">
        <Logo /> Messaging
      </div>
      <div className="account">
        <span className="account-name" dir="auto" title={session.account.name}>
          {session.account.name}
        </span>
        <span className="hint">{session.account.plan} plan</span>
      </div>
      <Navigation />
      <div className="sidebar-foot">
        <ThemeSwitch />
        <span className="hint key-name" dir="auto" title={session.key.name}>
          Key: {session.key.name}
        </span>
        <Button
          variant="quiet"
          small
          icon="sign_out"
          busy={isSigningOut}
          onClick={() => {
            setSigningOut(true);
            void session.signOut().finally(() => setSigningOut(false));
          }}
        >
          Sign out
        </Button>
      </div>
    </div>
  );
}

function UnavailableBanner() {
  if (useLiveness() !== 'unavailable') return null;
  return (
    <p className="unavailable" role="status">
      <Icon name="warning" /> The service is not responding. This page reconnects automatically.
    </p>
  );
}

/** The logo of the console. */
function Logo() {
  return (
    <svg className="mark" viewBox="0 0 32 32" width={22} height={22} aria-hidden="true">
      <path d="M6 4h20a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H14l-7 6v-6H6a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z" />
      <path className="mark-ticks" d="m8 14.500 4 4 7-8m-1.500 7.500.500.500 7-8" />
    </svg>
  );
}
