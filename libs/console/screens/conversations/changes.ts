import { useEffect, useRef } from 'react';
import { type LiveEvents, useIsStarting, useLive } from '../../app/live';
import { isNewer, isShown, type Shown } from './shown-state';

/**
 * Calls `refresh` for the events of conversations, except for what `shown` has when the stream starts: it starts with states, not changes.
 * `shown`: undefined while it is loaded; what happened meanwhile is compared with it then.
 */
export function useChanges(
  shown: () => readonly Shown[] | undefined,
  refresh: (event: LiveEvents['conversation']) => void,
): void {
  const isStarting = useIsStarting();
  const missed = useRef<LiveEvents['conversation'][]>([]);
  useLive('conversation', (event) => {
    const loaded = shown();
    if (!isStarting()) refresh(event);
    else if (!loaded) missed.current.push(event);
    else if (!isShown(loaded, event)) refresh(event);
  });
  useEffect(() => {
    const loaded = shown();
    if (!loaded) return;
    for (const event of missed.current.splice(0)) if (isNewer(loaded, event)) refresh(event);
  });
}
