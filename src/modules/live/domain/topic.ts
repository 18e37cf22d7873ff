/** One event as listeners get it. */
export interface LiveEvent {
  /** The same in every process for the same content. */
  id: string;
  /** The whole event as it is sent. */
  text: string;
  /** Nothing follows: the stream ends behind it. */
  isLast?: boolean;
}

/** Somebody who gets the events of a topic. */
export interface Listener {
  /** It has read everything that it was sent. */
  readonly isReady: boolean;
  send(text: string): void;
  end(): void;
}

interface Place {
  /** The id of the event that it has from another connection, until it is told anything on this one. */
  knownId: string | null;
  /** It gets the whole state, not what changed. */
  needsState: boolean;
}

/**
 * What a group of listeners is told: the state of some things, one event for each, and from then on each event that changed. A
 * listener that has not read everything is skipped, and gets the state of that later moment once it has: nothing is kept for it.
 */
export class Topic {
  private state = new Map<string, string>();
  private readonly places = new Map<Listener, Place>();

  get listeners(): number {
    return this.places.size;
  }

  /** From the next `update` on; `lastId` names the event that the listener got before, on another connection. */
  add(listener: Listener, lastId: string | null): void {
    this.places.set(listener, { knownId: lastId, needsState: true });
  }

  remove(listener: Listener): void {
    this.places.delete(listener);
  }

  /** The events of the present state by what they are about; `gone` are sent once, about what is no longer part of it. */
  update(state: ReadonlyMap<string, LiveEvent>, gone: readonly LiveEvent[] = []): void {
    const all = [...state.values()];
    const changed = [
      ...gone,
      ...[...state].filter(([key, { id }]) => this.state.get(key) !== id).map(([, one]) => one),
    ];
    this.state = new Map([...state].map(([key, { id }]) => [key, id]));
    for (const [listener, place] of this.places) {
      if (!listener.isReady) place.needsState = true;
      else this.tell(listener, place, place.needsState ? all : changed);
    }
  }

  /** There is nothing to tell any more. */
  end(): void {
    for (const listener of this.places.keys()) listener.end();
  }

  private tell(listener: Listener, place: Place, events: readonly LiveEvent[]): void {
    const unknown = events.filter(({ id }) => id !== place.knownId);
    place.knownId = null;
    place.needsState = false;
    if (unknown.length > 0) listener.send(unknown.map(({ text }) => text).join(''));
    if (events.some(({ isLast }) => isLast)) listener.end();
  }
}
