import { Dialog } from '@base-ui/react/dialog';
import { useEffect, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { Button, IconButton } from '../ui/button';
import { Icon } from '../ui/icon';
import { notePath } from '../ui/navigation';
import { PageHeader } from '../ui/page-header';
import { Empty, Loading, NoScope } from '../ui/states';
import { ButtonLink } from '../ui/link';
import { ThemeSwitch } from '../ui/theme-switch';
import { useScreen } from './ahead';
import { ErrorBoundary } from './error-boundary';
import { useLiveness } from './live';
import { Navigation } from './nav';
import type { ScreenProps } from './screen-props';
import { type Screen, SCREENS } from './screens';
import { useSession } from './session';

/** What is around every screen: the navigation, who is signed in, and how the tab learns of changes. */
export function Shell() {
  const [path] = useLocation();
  const [drawerOf, setDrawerOf] = useState<string | null>(null);
  notePath(path);
  useEffect(() => setDrawerOf(null), [path]);
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="topbar">
        <Dialog.Root open={drawerOf === path} onOpenChange={(open) => setDrawerOf(open ? path : null)}>
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
          <Mark /> Messaging
        </span>
      </header>
      <aside className="sidebar">
        <Sidebar />
      </aside>
      <main id="content" className="content" tabIndex={-1}>
        <Away />
        <ErrorBoundary key={path}>
          <Switch>
            {SCREENS.map((screen) => (
              <Route key={screen.path} path={screen.path}>
                {(params) => <Opened screen={screen} params={params} />}
              </Route>
            ))}
            <Route>
              <PageHeader title="Nothing is here" />
              <Empty title="This address leads nowhere" hint="What stood here may have been deleted." icon="search">
                <ButtonLink to="/">To the overview</ButtonLink>
              </Empty>
            </Route>
          </Switch>
        </ErrorBoundary>
      </main>
    </div>
  );
}

function Opened({ screen, params }: { screen: Screen } & ScreenProps) {
  const session = useSession();
  if (screen.scopes.length > 0 && !session.can(...screen.scopes)) {
    return (
      <>
        <PageHeader title={screen.nav?.label ?? 'No access'} />
        <NoScope scopes={screen.scopes} />
      </>
    );
  }
  return <Loaded screen={screen} params={params} />;
}

function Loaded({ screen, params }: { screen: Screen } & ScreenProps) {
  const Component = useScreen(screen);
  return Component ? <Component params={params} /> : <Loading rows={6} />;
}

function Sidebar() {
  const session = useSession();
  const [leaving, setLeaving] = useState(false);
  return (
    <div className="sidebar-inner">
      <div className="brand">
        <Mark /> Messaging
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
          busy={leaving}
          onClick={() => {
            setLeaving(true);
            void session.signOut().finally(() => setLeaving(false));
          }}
        >
          Sign out
        </Button>
      </div>
    </div>
  );
}

function Away() {
  if (useLiveness() !== 'away') return null;
  return (
    <p className="away" role="status">
      <Icon name="warning" /> The service does not answer. This page goes on by itself as soon as it does.
    </p>
  );
}

/** The sign of the console. */
function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" width={22} height={22} aria-hidden="true">
      <path d="M6 4h20a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H14l-7 6v-6H6a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z" />
      <path className="mark-ticks" d="m8 14.500 4 4 7-8m-1.500 7.500.500.500 7-8" />
    </svg>
  );
}
