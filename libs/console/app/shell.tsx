import { useEffect, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { IconButton } from '../ui/button';
import { Icon } from '../ui/icon';
import { recordPath } from '../ui/navigation';
import { PageHeader } from '../ui/page-header';
import { Empty, Loading, NoScope } from '../ui/states';
import { ButtonLink } from '../ui/link';
import { useScreen } from './preload';
import { ErrorBoundary } from './error-boundary';
import { LazyDialog } from './lazy-dialog';
import { useIsInterrupted, useLiveness } from './live';
import { UnreadCount } from './nav';
import type { ScreenProps } from './screen-props';
import { type Screen, SCREENS } from './screens';
import { Search } from './search/search';
import { useSession } from './session';
import { Logo, Sidebar } from './sidebar';
import { TestMode } from './test-mode';
import { t } from '../language/translate';

const loadDrawer = () => import('./drawer');

/** The frame of every screen: navigation, session and connection status. */
export function Shell() {
  const [path] = useLocation();
  const [drawerPath, setDrawerPath] = useState<string | null>(null);
  const [isSearching, setSearching] = useState(false);
  const closeDrawer = () => setDrawerPath(null);
  recordPath(path);
  useEffect(() => setDrawerPath(null), [path]);
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {t('Skip to content')}
      </a>
      <header className="topbar">
        <span className="topbar-menu">
          <IconButton
            icon="menu"
            label={t('Menu')}
            aria-haspopup="dialog"
            aria-expanded={drawerPath === path}
            onClick={() => setDrawerPath(path)}
          />
          <UnreadCount />
        </span>
        <span className="brand">
          <Logo /> {t('Messaging')}
        </span>
        <TestMode short />
        <IconButton icon="search" label={t('Search')} aria-haspopup="dialog" onClick={() => setSearching(true)} />
      </header>
      <Search isOpen={isSearching} onOpen={setSearching} />
      {drawerPath === path && <LazyDialog load={loadDrawer} onFailure={closeDrawer} props={{ onClose: closeDrawer }} />}
      <aside className="sidebar">
        <Sidebar onSearch={() => setSearching(true)} />
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
              <PageHeader title={t('Page not found')} />
              <Empty title={t('There is no page at this address')} hint={t('It may have been deleted.')} icon="search">
                <ButtonLink to="/">{t('Go to overview')}</ButtonLink>
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
        <PageHeader title={screen.nav?.label ?? t('No access')} />
        <NoScope scopes={screen.scopes} />
      </>
    );
  }
  return <LazyScreen screen={screen} params={params} />;
}

function LazyScreen({ screen, params }: { screen: Screen } & ScreenProps) {
  const Component = useScreen(screen);
  const isInterrupted = useIsInterrupted();
  if (Component) return <Component params={params} />;
  return (
    <>
      {isInterrupted && screen.nav && <PageHeader title={screen.nav.label} />}
      <Loading rows={6} />
    </>
  );
}

function UnavailableBanner() {
  const liveness = useLiveness();
  if (liveness !== 'unavailable' && liveness !== 'offline') return null;
  return (
    <p className="unavailable" role="status">
      <Icon name="warning" />{' '}
      {liveness === 'offline'
        ? t('Offline. Typed text is kept; this page reconnects automatically.')
        : t('The service is not responding. Typed text is kept; this page reconnects automatically.')}
    </p>
  );
}
