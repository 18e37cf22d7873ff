import type { QueryClient } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import type { ScreenProps } from './screen-props';
import { type Screen, SCREENS } from './screens';
import { SESSION_QUERY } from './session';
import { wasSignedIn } from './signed-in-hint';

const RETRY_MS = 2000;
const loaded = new Map<Screen, ComponentType<ScreenProps>>();

/**
 * The component of a screen; null while its code is loading. Throws the error if loading fails. Does not use Suspense: once a
 * fallback has been shown, React delays the suspended content by 300 ms.
 */
export function useScreen(screen: Screen): ComponentType<ScreenProps> | null {
  const [, setShown] = useState<Screen | null>(null);
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  useEffect(() => {
    let isUnmounted = false;
    // Also if its code arrived after this render.
    if (loaded.has(screen)) {
      setShown(screen);
      return;
    }
    const start = () => {
      load(screen).then(
        () => isUnmounted || setShown(screen),
        (error: unknown) => {
          if (isUnmounted) return;
          // In an outage the code is loaded later; otherwise a new version has replaced it.
          void isServed().then((served) => (served ? setFailure({ error }) : setTimeout(start, RETRY_MS)));
        },
      );
    };
    start();
    return () => {
      isUnmounted = true;
    };
  }, [screen]);
  if (failure) throw failure.error;
  return loaded.get(screen) ?? null;
}

/**
 * Starts loading everything the page at `path` (the part after `/console`) needs, in parallel: the session and, if this browser was
 * signed in, the screen's code and its first query.
 */
export function preloadPage(queries: QueryClient, path: string): void {
  void queries.prefetchQuery(SESSION_QUERY);
  if (!wasSignedIn()) return;
  for (const screen of SCREENS) {
    const match = new RegExp(`^${screen.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`).exec(path);
    if (!match) continue;
    // The screen itself reports the error.
    load(screen).catch(() => undefined);
    void screen.first?.(queries, match.groups ?? {}, new URLSearchParams(location.search));
    return;
  }
}

/** Whether the service responds. */
async function isServed(): Promise<boolean> {
  const response = await fetch('/console/', { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  return response !== null && response.status < 500;
}

async function load(screen: Screen): Promise<void> {
  loaded.set(screen, await screen.load());
}
