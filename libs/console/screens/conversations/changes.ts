import { useEffect, useRef } from 'react';
import { type LiveEvents, useLive, useLiveness } from '../../app/live';
import { isShown, type Shown } from './shown-state';

/** The time in which a stream sends the unread conversations with which it starts. */
const START_MS = 2000;

/**
 * Calls `refresh` for the events of conversations, except for what `shown` has when the stream starts: it starts with states, not changes.
 * `shown`: undefined while it is loaded.
 */
export function useChanges(
  shown: () => readonly Shown[] | undefined,
  refresh: (event: LiveEvents['conversation']) => void,
): void {
  const isLive = useLiveness() === 'live';
  const liveSince = useRef(isLive ? 0 : Infinity);
  useEffect(() => {
    if (!isLive) liveSince.current = Infinity;
    else if (liveSince.current === Infinity) liveSince.current = Date.now();
  }, [isLive]);
  useLive('conversation', (event) => {
    const isStarting = Date.now() - liveSince.current < START_MS;
    if (!isStarting || !isShown(shown(), event)) refresh(event);
  });
}
