import type { QueryClient } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import type { ScreenProps } from './screen-props';
import { type Screen, SCREENS } from './screens';
import { SESSION } from './session';

const loaded = new Map<Screen, ComponentType<ScreenProps>>();

/**
 * The component of a screen; null until its code is there. Throws what kept it away. Not by Suspense: after something grey stood
 * there, React holds back for 300 ms what suspended.
 */
export function useScreen(screen: Screen): ComponentType<ScreenProps> | null {
  const [, setState] = useState<'loading' | 'loaded'>('loading');
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  useEffect(() => {
    let isLeft = false;
    if (loaded.has(screen)) return;
    load(screen).then(
      () => isLeft || setState('loaded'),
      (error: unknown) => isLeft || setFailure({ error }),
    );
    return () => {
      isLeft = true;
    };
  }, [screen]);
  if (failure) throw failure.error;
  return loaded.get(screen) ?? null;
}

/**
 * Begins with everything that the page needs whose address after `/console` is `path`: who is signed in, the code of its screen and
 * what that reads first. None of them has to wait for another.
 */
export function readAhead(queries: QueryClient, path: string): void {
  void queries.prefetchQuery(SESSION);
  for (const screen of SCREENS) {
    const match = new RegExp(`^${screen.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`).exec(path);
    if (!match) continue;
    // The screen says what went wrong.
    load(screen).catch(() => undefined);
    if (screen.first) void queries.prefetchQuery(screen.first(match.groups ?? {}));
    return;
  }
}

async function load(screen: Screen): Promise<void> {
  loaded.set(screen, (await screen.load()).default);
}
