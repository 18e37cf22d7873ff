/** An event for listeners. */
export interface LiveEvent {
  /** A hash of the content, so the same in every process. */
  id: string;
  /** The complete event in wire format. */
  text: string;
  /** The stream ends after this event. */
  isLast?: boolean;
}

/** A client subscribed to a topic. */
export interface Listener {
  /** Whether the client has read everything sent to it. */
  readonly isReady: boolean;
  send(text: string): void;
  end(): void;
}

interface Subscription {
  /** Last event received on a previous connection; null after the first event on this one. */
  knownId: string | null;
  /** The latest event of each key, to send once the listener is ready; null: the whole state. */
  pending: Map<string, LiveEvent> | null;
}

/**
 * Sends each listener the current state, one event per key, and then each event that changes. A slow listener is sent nothing until it
 * has read everything; then it gets the latest event of each key that changed meanwhile.
 */
export class Topic {
  private state = new Map<string, string>();
  private readonly subscriptions = new Map<Listener, Subscription>();

  get listeners(): number {
    return this.subscriptions.size;
  }

  /** Adds a listener from the next `update` on; `lastId`: the last event it received on a previous connection. */
  add(listener: Listener, lastId: string | null): void {
    this.subscriptions.set(listener, { knownId: lastId, pending: null });
  }

  remove(listener: Listener): void {
    this.subscriptions.delete(listener);
  }

  /** Replaces the state, one event per key; `gone`: events sent once for keys that have left the state. */
  update(state: ReadonlyMap<string, LiveEvent>, gone: ReadonlyMap<string, LiveEvent> = new Map()): void {
    const changed = [...gone, ...[...state].filter(([key, { id }]) => this.state.get(key) !== id)];
    this.state = new Map([...state].map(([key, { id }]) => [key, id]));
    for (const [listener, subscription] of this.subscriptions) {
      for (const [key, event] of changed) subscription.pending?.set(key, event);
      if (listener.isReady) this.send(listener, subscription, [...(subscription.pending ?? state).values()]);
    }
  }

  /** Ends all streams, because the subject no longer exists. */
  end(): void {
    for (const listener of this.subscriptions.keys()) listener.end();
  }

  private send(listener: Listener, subscription: Subscription, events: readonly LiveEvent[]): void {
    subscription.pending = new Map();
    const unseen = events.filter(({ id }) => id !== subscription.knownId);
    subscription.knownId = null;
    if (unseen.length > 0) listener.send(unseen.map(({ text }) => text).join(''));
    if (events.some(({ isLast }) => isLast)) listener.end();
  }
}
