import { useEffect, useRef, useSyncExternalStore } from 'react';
import { store, stored } from '../ui/storage';

const OFF = 'console.shortcutsOff';
/** Where a character is typed or selects an entry. */
const TYPING = 'input, textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=menu]';
const DIALOG = '[role=dialog]:not(.toast)';

const listeners = new Set<() => void>();
let areOn = stored(OFF) === null;

/** Turns the shortcuts of a single character on or off, and stores that in this browser. */
export function setCharacterShortcuts(on: boolean): void {
  areOn = on;
  store(OFF, on ? null : 'true');
  for (const listener of listeners) listener();
}

/** Whether the shortcuts of a single character are on. */
export function useCharacterShortcuts(): boolean {
  return useSyncExternalStore(subscribe, () => areOn);
}

/**
 * Runs `run` on any of `keys`, written as in `aria-keyshortcuts`: `Control+K Meta+K`, `E`. Without effect in a dialog; a single character
 * also in a field, and while those are off. Returns the value of `aria-keyshortcuts`, undefined while off.
 */
export function useShortcut(keys: string, run: () => void): string | undefined {
  const isCharacter = keys.length === 1;
  const areCharactersOn = useCharacterShortcuts();
  const isOn = areCharactersOn || !isCharacter;
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  }, [run]);
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (!keys.split(' ').includes(pressed(event))) return;
      if (isCharacter && (event.repeat || (event.target as Element).closest(TYPING))) return;
      event.preventDefault();
      if (!document.querySelector(DIALOG)) latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [keys, isCharacter, isOn]);
  return isOn ? keys : undefined;
}

function pressed({ ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent): string {
  // A keyboard may need Shift for a sign, such as `?`.
  const isShifted = shiftKey && (key.length > 1 || key.toLowerCase() !== key.toUpperCase());
  const modifiers = [ctrlKey && 'Control', metaKey && 'Meta', altKey && 'Alt', isShifted && 'Shift'];
  return [...modifiers, key.length === 1 ? key.toUpperCase() : key].filter(Boolean).join('+');
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
