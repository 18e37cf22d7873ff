import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let second = Date.now();

/** The current time, updated every second by one shared timer; paused while the page is hidden. */
export function useNow(): Date {
  return new Date(useSyncExternalStore(listen, () => second));
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    document.addEventListener('visibilitychange', tick);
    timer = setInterval(tick, 1000);
    second = Date.now();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener('visibilitychange', tick);
    clearInterval(timer);
  };
}

function tick(): void {
  if (document.visibilityState === 'hidden') return;
  second = Date.now();
  for (const listener of listeners) listener();
}
