import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import type { AroundNavHandler } from 'wouter';
import { LazyDialog } from './lazy-dialog';
import { isBeingSent, onPendingSends } from './pending-sends';

const loadDialog = () => import('./leave-dialog');

/** A form with contents typed in this visit; `discard` removes its draft, which is kept at `place`. */
interface UnsavedForm {
  place: string;
  discard: () => void;
}

const forms = new Set<UnsavedForm>();
const listeners = new Set<() => void>();
let pending: Leaving | null = null;

/** What a form holds up. */
interface Leaving {
  leave: () => void;
  /** Leaving removes the drafts. */
  forgets: boolean;
}

function setPending(next: Leaving | null): void {
  pending = next;
  for (const listener of listeners) listener();
}

/** Whether one of the forms that hold up the navigation is being sent. */
function isSending(): boolean {
  return [...forms].some(({ place }) => isBeingSent(place));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const unsubscribe = onPendingSends(listener);
  return () => {
    listeners.delete(listener);
    unsubscribe();
  };
}

/** Runs `leave`, after a confirmation if a form has unsent contents; `forgets`: it removes their drafts. */
export function leaveSafely(leave: () => void, forgets = false): void {
  if (forms.size === 0) leave();
  else setPending({ leave, forgets });
}

/** Asks before a navigation to another path; a change of the query string stays on the screen. */
export const guardNavigation: AroundNavHandler = (navigate, to, options) => {
  const { pathname } = new URL(to, location.href);
  if (pathname === location.pathname) navigate(to, options);
  else leaveSafely(() => navigate(to, options));
};

/**
 * While `isUnsaved`, leaving asks for confirmation: by a link, by closing or reloading the tab. Returns a function that ends this at
 * once, for a navigation after sending. `place`: of the draft.
 */
export function useUnsavedForm(place: string, isUnsaved: boolean, discard: () => void): () => void {
  const form = useRef<UnsavedForm | null>(null);
  const latest = useRef(discard);
  useEffect(() => {
    latest.current = discard;
  }, [discard]);
  const release = useCallback(() => {
    if (form.current) forms.delete(form.current);
    form.current = null;
    // Sent while the question was shown: nothing is left to ask.
    if (forms.size === 0 && pending) setPending(null);
  }, []);
  useEffect(() => {
    if (!isUnsaved) return;
    form.current = { place, discard: () => latest.current() };
    forms.add(form.current);
    const warn = (event: BeforeUnloadEvent) => {
      if (form.current) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => {
      removeEventListener('beforeunload', warn);
      release();
    };
  }, [place, isUnsaved, release]);
  return release;
}

/** The confirmation, while there is something to confirm; mounted once. */
export function LeaveGuard() {
  const leaving = useSyncExternalStore(subscribe, () => pending);
  const sending = useSyncExternalStore(subscribe, isSending);
  if (!leaving) return null;
  const proceed = (discards: boolean) => {
    // Signing out removes the drafts once it has succeeded.
    if (!leaving.forgets) {
      if (discards) for (const form of forms) form.discard();
      forms.clear();
    }
    setPending(null);
    leaving.leave();
  };
  const stay = () => setPending(null);
  return (
    <LazyDialog
      load={loadDialog}
      onFailure={stay}
      props={{
        forgets: leaving.forgets,
        sending,
        onStay: stay,
        onLeave: () => proceed(false),
        onDiscard: () => proceed(true),
      }}
    />
  );
}
