import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import type { AroundNavHandler } from 'wouter';
import { LazyDialog } from './lazy-dialog';
import { isBeingSent, onPendingSends } from './pending-sends';

const loadDialog = () => import('./leave-dialog');

/** What loses the contents of a form: leaving its screen, or only what removes its draft, as closing the tab and signing out do. */
export type LostBy = 'leaving' | 'forgetting';

/** A form with unsent contents; `discard` removes its draft, which is kept at `place`. */
interface UnsavedForm {
  place: string;
  lostBy: LostBy;
  discard: () => void;
}

const forms = new Set<UnsavedForm>();
const listeners = new Set<() => void>();
let pending: Leaving | null = null;

/** What a form holds up. */
interface Leaving {
  leave: () => void;
  /** The drafts that leaving removes; null: it keeps them. */
  forgets: readonly string[] | null;
}

function setPending(next: Leaving | null): void {
  pending = next;
  for (const listener of listeners) listener();
}

/** Whether a form or a draft holds up a navigation; `forgets`: the drafts that it removes. */
function isHeldUp(forgets: Leaving['forgets']): boolean {
  if (forgets !== null) return forgets.length > 0 || forms.size > 0;
  return [...forms].some(({ lostBy }) => lostBy === 'leaving');
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

/** Runs `leave`, after a confirmation if a form has unsent contents; `forgets`: the drafts that it removes, of all tabs. */
export function leaveSafely(leave: () => void, forgets: Leaving['forgets'] = null): void {
  if (isHeldUp(forgets)) setPending({ leave, forgets });
  else leave();
}

/** Like `leaveSafely`, for a `leave` that reloads the page, which keeps all drafts: the browser asks nothing after it. */
export function reloadSafely(reload: () => void): void {
  leaveSafely(() => {
    forms.clear();
    reload();
  });
}

/** Asks before a navigation to another path; a change of the query string stays on the screen. */
export const guardNavigation: AroundNavHandler = (navigate, to, options) => {
  const { pathname } = new URL(to, location.href);
  if (pathname === location.pathname) navigate(to, options);
  else leaveSafely(() => navigate(to, options));
};

/**
 * Unless `lostBy` is null, what loses the contents asks for confirmation; closing or reloading the tab does in any case. Returns a
 * function that ends this at once, for a navigation after sending. `place`: of the draft.
 */
export function useUnsavedForm(place: string, lostBy: LostBy | null, discard: () => void): () => void {
  const form = useRef<UnsavedForm | null>(null);
  const latest = useRef(discard);
  useEffect(() => {
    latest.current = discard;
  }, [discard]);
  const release = useCallback(() => {
    if (form.current) forms.delete(form.current);
    form.current = null;
    // Sent while the question was shown: nothing is left to ask.
    if (pending && !isHeldUp(pending.forgets)) setPending(null);
  }, []);
  useEffect(() => {
    if (lostBy === null) return;
    form.current = { place, lostBy, discard: () => latest.current() };
    forms.add(form.current);
    const warn = (event: BeforeUnloadEvent) => {
      if (form.current && forms.has(form.current)) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => {
      removeEventListener('beforeunload', warn);
      release();
    };
  }, [place, lostBy, release]);
  return release;
}

/** The confirmation, while there is something to confirm; mounted once. */
export function LeaveGuard() {
  const leaving = useSyncExternalStore(subscribe, () => pending);
  const sending = useSyncExternalStore(subscribe, isSending);
  if (!leaving) return null;
  const proceed = (discards: boolean) => {
    // Signing out removes the drafts once it has succeeded.
    if (leaving.forgets === null) {
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
