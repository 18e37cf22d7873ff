/** The places of the drafts that are being sent. */
const places: string[] = [];
const listeners = new Set<() => void>();

function announce(): void {
  for (const listener of listeners) listener();
}

/** Marks the draft at `place` as being sent, until the returned function is called. */
export function holdSend(place: string): () => void {
  places.push(place);
  announce();
  return () => {
    places.splice(places.indexOf(place), 1);
    announce();
  };
}

/** Whether the draft at `place` is being sent. */
export function isBeingSent(place: string): boolean {
  return places.includes(place);
}

/** Calls `listener` when a send starts or ends; returns the unsubscribe function. */
export function onPendingSends(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
