import { useCallback, useSyncExternalStore } from 'react';

const PHONE_PX = 640;

/** Whether the screen is at most this wide; by default, as narrow as a phone's. */
export function useNarrow(maxWidth = PHONE_PX): boolean {
  const query = `(max-width: ${maxWidth}px)`;
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
