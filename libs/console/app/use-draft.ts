import { useCallback, useRef, useState, useSyncExternalStore } from 'react';
import { storedInTab } from '../ui/storage';
import { onDrafts, placeOf, readDraft, writeDraft } from './drafts';
import { type LostBy, useUnsavedForm } from './leave-guard';
import { forgetSend } from './send-once';
import { useMounted } from '../ui/use-mounted';
import { useSession } from './session';

/** A form whose contents survive reloads, navigation and a lost session. */
export interface Draft<T> {
  value: T;
  /** Where it is kept; `useSendOnce` keeps a send without an answer beside it. */
  place: string;
  change: (changed: Partial<T>) => void;
  /** Whether the contents are those of an earlier visit. */
  isRestored: boolean;
  /** Removes the draft, after sending or on request; the form starts over. */
  discard: () => void;
}

/** When a draft is kept, and whether leaving it asks for confirmation; closing the tab and signing out always do. */
export interface DraftRules<T> {
  /** Leaving the screen with contents that changed in this visit asks for confirmation. */
  warns?: boolean;
  /** Whether there is nothing to keep; by default if nothing differs from `first`. */
  isEmpty?: (value: T) => boolean;
}

/**
 * The contents of a form, kept in this tab under the name `form`, such as `campaign` or `reply.<conversation>`, until they are
 * discarded, a person signs out, or after a day. They must be JSON: files have to be chosen again. A component that shows several forms
 * needs `form` as its `key`.
 */
export function useDraft<T extends object>(
  form: string,
  first: T,
  { warns = false, isEmpty = (value) => JSON.stringify(value) === JSON.stringify(first) }: DraftRules<T> = {},
): Draft<T> {
  const session = useSession();
  const place = placeOf(session.account.id, form);
  const [{ value, isRestored, isTouched }, setState] = useState(() => {
    const found = readDraft(place) as Partial<T> | null;
    return { value: { ...first, ...found }, isRestored: found !== null, isTouched: false };
  });
  // Several changes before the next render add up.
  const current = useRef(value);
  const lostBy: LostBy = warns && isTouched ? 'leaving' : 'forgetting';
  const release = useUnsavedForm(place, isEmpty(value) ? null : lostBy, () => keep(place, null));
  const change = (changed: Partial<T>) => {
    const next = { ...current.current, ...changed };
    current.current = next;
    keep(place, isEmpty(next) ? null : next);
    setState((before) => ({ ...before, value: next, isTouched: true }));
  };
  const isMounted = useMounted();
  const discard = useCallback(() => {
    // A late answer to a form that was left does not remove what was typed after it.
    if (isMounted.current || isSame(readDraft(place), current.current)) keep(place, null);
    release();
    current.current = first;
    setState({ value: first, isRestored: false, isTouched: false });
  }, [place, release, first, isMounted]);
  return { value, place, change, isRestored, discard };
}

/** The draft of another form, as it changes; null: none. */
export function useKeptDraft<T extends object>(form: string): Partial<T> | null {
  const place = placeOf(useSession().account.id, form);
  useSyncExternalStore(onDrafts, () => storedInTab(place));
  return readDraft(place) as Partial<T> | null;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Keeps a draft; null removes it, with its send: the same text typed later is a new one. */
function keep(place: string, value: unknown): void {
  writeDraft(place, value);
  if (value === null) forgetSend(place);
}
