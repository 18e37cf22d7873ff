import { useState } from 'react';
import { Button } from '../ui/button';
import { ThemeSwitch } from '../ui/theme-switch';
import { Navigation } from './nav';
import { useSession } from './session';

/** The navigation with account, key and sign-out. */
export function Sidebar() {
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

/** The logo of the console. */
export function Logo() {
  return (
    <svg className="mark" viewBox="0 0 32 32" width={22} height={22} aria-hidden="true">
      <path d="M6 4h20a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H14l-7 6v-6H6a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z" />
      <path className="mark-ticks" d="m8 14.500 4 4 7-8m-1.500 7.500.500.500 7-8" />
    </svg>
  );
}
