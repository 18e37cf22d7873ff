import { useSyncExternalStore } from 'react';

/** Whether the page is printed: virtual lists then render all their loaded rows. */
export function usePrinting(): boolean {
  return useSyncExternalStore(listen, () => matchMedia('print').matches);
}

function listen(notify: () => void): () => void {
  const print = matchMedia('print');
  print.addEventListener('change', notify);
  return () => print.removeEventListener('change', notify);
}
