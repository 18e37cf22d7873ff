import { useState } from 'react';
import { Button } from '../ui/button';
import { errorSummary } from '../ui/error-words';
import { LanguageSwitch } from '../ui/language-switch';
import { ThemeSwitch } from '../ui/theme-switch';
import { showToast } from '../ui/toast';
import { draftNamesOfBrowser } from './draft-names';
import { leaveSafely, reloadSafely } from './leave-guard';
import { Navigation } from './nav';
import { useSession } from './session';
import { TestMode } from './test-mode';
import { t } from '../language/translate';

/** The navigation with account, key and sign-out; on wide screens also the search. */
export function Sidebar({ onSearch }: { onSearch?: () => void }) {
  const session = useSession();
  const [isSigningOut, setSigningOut] = useState(false);
  const signOut = () => {
    setSigningOut(true);
    void session
      .signOut()
      .catch((error: unknown) => showToast(t('You are still signed in'), errorSummary(error)))
      .finally(() => setSigningOut(false));
  };
  const askAndSignOut = async () => leaveSafely(signOut, await draftNamesOfBrowser());
  return (
    <div className="sidebar-inner">
      <div className="brand">
        <Logo /> {t('Messaging')}
      </div>
      <div className="account">
        <span className="account-name" dir="auto" title={session.account.name}>
          {session.account.name}
        </span>
        <span className="hint">{t('{plan} plan', { plan: session.account.plan })}</span>
      </div>
      <TestMode />
      {onSearch && (
        <Button
          small
          icon="search"
          className="search-button"
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K Meta+K"
          onClick={onSearch}
        >
          {t('Search')} <kbd aria-hidden="true">{t('Ctrl K')}</kbd>
        </Button>
      )}
      <Navigation />
      <div className="sidebar-foot">
        <ThemeSwitch />
        <LanguageSwitch around={reloadSafely} />
        <span className="hint key-name" dir="auto" title={session.key.name}>
          {t('Key: {name}', { name: session.key.name })}
        </span>
        <Button variant="quiet" small icon="sign_out" busy={isSigningOut} onClick={() => void askAndSignOut()}>
          {t('Sign out')}
        </Button>
      </div>
    </div>
  );
}

/** The logo of the console. */
export function Logo() {
  return (
    <svg className="mark" viewBox="0 0 32 32" width={22} height={22} aria-hidden="true">
      <path d="M6 4h20a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H14l-7 6v-6H6a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z" />
      <path className="mark-ticks" d="m8 14.500 4 4 7-8m-1.500 7.500.500.500 7-8" />
    </svg>
  );
}
