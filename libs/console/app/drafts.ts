import { keysInTab, store, stored, storedInTab, storeInTab } from '../ui/storage';

/** What the places of all drafts begin with. */
export const DRAFT_PLACE = 'console.draft.';
const SIGNED_OUT_AT = 'console.signedOutAt';
/** The number of the person who uses this browser, for test messages. */
export const OWN_NUMBER = 'console.ownNumber';
/** How long a draft is kept: longer than a session, so that it survives its end overnight. */
export const MAX_AGE_MS = 24 * 3_600_000;

const listeners = new Set<() => void>();

interface StoredDraft {
  /** In epoch milliseconds. */
  savedAt: number;
  value: unknown;
}

/** The place of a draft in this tab. Another key of the account may continue it, as after a revoked one. */
export function placeOf(accountId: string, form: string): string {
  return `${DRAFT_PLACE}${accountId}.${form}`;
}

/** The draft at `place`; null if there is none, it is too old, or a person has signed out of this browser since. */
export function readDraft(place: string): unknown {
  return keptDraft(place)?.value ?? null;
}

/** The same, with the time of its last change. */
export function keptDraft(place: string, now = Date.now()): StoredDraft | null {
  try {
    const draft = JSON.parse(storedInTab(place) ?? 'null') as StoredDraft;
    if (now - draft.savedAt < MAX_AGE_MS && draft.savedAt > Number(stored(SIGNED_OUT_AT))) return draft;
  } catch {
    // None, or not one of this version.
  }
  storeInTab(place, null);
  return null;
}

/** Keeps a draft in this tab; null removes it. */
export function writeDraft(place: string, value: unknown, now = Date.now()): void {
  storeInTab(place, value === null ? null : JSON.stringify({ savedAt: now, value }));
  changed();
}

/** Calls `listener` when a draft may have changed; returns the unsubscribe function. */
export function onDrafts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function changed(): void {
  for (const listener of listeners) listener();
}

/** Whether this tab keeps a draft, of any account. */
export function hasDrafts(): boolean {
  return keysInTab(DRAFT_PLACE).some((place) => readDraft(place) !== null);
}

/** Removes the drafts of this tab that are too old. */
export function sweepDrafts(): void {
  for (const place of keysInTab(DRAFT_PLACE)) readDraft(place);
}

/** Removes the drafts of this tab and the person's own number, and invalidates the drafts of the other tabs of this browser. */
export function forgetDrafts(now = Date.now()): void {
  store(SIGNED_OUT_AT, String(now));
  forgetOwnNumber();
  removeDrafts();
}

/** Removes the person's own number, as another account has signed in. */
export function forgetOwnNumber(): void {
  store(OWN_NUMBER, null);
}

/** Removes the drafts of this tab when a person signs out in another one, after `onForget`; returns the unsubscribe function. */
export function forgetDraftsWithOtherTabs(onForget: () => void): () => void {
  const listener = ({ key }: StorageEvent) => {
    if (key !== SIGNED_OUT_AT) return;
    onForget();
    removeDrafts();
  };
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}

function removeDrafts(): void {
  for (const place of keysInTab(DRAFT_PLACE)) storeInTab(place, null);
  changed();
}
