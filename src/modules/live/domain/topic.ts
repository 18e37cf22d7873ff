/** One event as listeners get it. */
export interface LiveEvent {
  /** The same in every process for the same content. */
  id: string;
  /** The whole event as it is sent. */
  text: string;
  /** Nothing follows: the stream ends behind it. */
  isLast?: boolean;
}

/** A client that gets the events of a topic. */
export interface Listener {
  /** The client has read everything that it was sent. */
  readonly isReady: boolean;
  send(text: string): void;
  end(): void;
}

interface Place {
  /** The id of the event that it has from another connection, until it gets an event on this one. */
  knownId: string | null;
  /** What it is to be sent as soon as it is ready, the latest of each key; null: the whole state. */
  missed: Map<string, LiveEvent> | null;
}

/**
 * The events of a group of listeners: the state of some things, one event for each, and from then on each event that changed. A
 * listener that has not read everything is sent nothing until it has; then it gets the latest event of each thing that changed meanwhile.
 */
export class Topic {
  private state = new Map<string, string>();
  private readonly places = new Map<Listener, Place>();

  get listeners(): number {
    return this.places.size;
  }

  /** From the next `update` on; `lastId` names the event that the listener got before, on another connection. */
  add(listener: Listener, lastId: string | null): void {
    this.places.set(listener, { knownId: lastId, missed: null });
  }

  remove(listener: Listener): void {
    this.places.delete(listener);
  }

  /** The events of the present state by what they are about; `gone` are sent once, about what is no longer part of it. */
  update(state: ReadonlyMap<string, LiveEvent>, gone: ReadonlyMap<string, LiveEvent> = new Map()): void {
    const changed = [...gone, ...[...state].filter(([key, { id }]) => this.state.get(key) !== id)];
    this.state = new Map([...state].map(([key, { id }]) => [key, id]));
    for (const [listener, place] of this.places) {
      for (const [key, event] of changed) place.missed?.set(key, event);
      if (listener.isReady) this.send(listener, place, [...(place.missed ?? state).values()]);
    }
  }

  /** Ends all streams: the topic does not exist any more. */
  end(): void {
    for (const listener of this.places.keys()) listener.end();
  }

  private send(listener: Listener, place: Place, events: readonly LiveEvent[]): void {
    place.missed = new Map();
    const unknown = events.filter(({ id }) => id !== place.knownId);
    place.knownId = null;
    if (unknown.length > 0) listener.send(unknown.map(({ text }) => text).join(''));
    if (events.some(({ isLast }) => isLast)) listener.end();
  }
}
