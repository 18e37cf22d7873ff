/** An action at a moment of virtual time; null: cancelled. */
export interface Event {
  readonly at: number;
  readonly order: number;
  action: (() => void) | null;
}

/** A server's time, and actions at a later time. */
export interface Timeline {
  /** Milliseconds since the start. */
  readonly now: number;
  dateAt(now: number): Date;
  after(delay: number, action: () => void): Pick<Event, 'action'>;
}

/** The default start of histories. */
export const BEGIN = Date.UTC(2026, 10, 20);

/** Virtual time in milliseconds: one event runs at a time, and all its consequences settle before the next. */
export class Scheduler implements Timeline {
  now = 0;
  /** Number of events that have run. */
  count = 0;
  /** Resolves when all promises that the event could settle have settled. */
  settled: () => Promise<void> = () => new Promise((resolve) => setImmediate(resolve));
  private order = 0;
  private readonly heap: Event[] = [];

  constructor(private readonly begin: number) {}

  /** A moment of virtual time as the database and the platform see it. */
  dateAt(now: number): Date {
    return new Date(this.begin + now);
  }

  /** Runs `action` after `delay` ms; actions due at the same moment run in the order of these calls. */
  after(delay: number, action: () => void): Event {
    const event: Event = { at: this.now + Math.max(0, delay), order: this.order++, action };
    this.push(event);
    return event;
  }

  /** Runs events until `done`, at most until the moment `end`. */
  async run(done: () => boolean, end: number): Promise<void> {
    while (!done()) {
      const event = this.heap[0];
      if (!event || event.at > end) {
        this.now = end;
        return;
      }
      this.pop();
      if (!event.action) continue;
      this.now = event.at;
      this.count++;
      event.action();
      await this.settled();
    }
  }

  private push(event: Event): void {
    const { heap } = this;
    let index = heap.length;
    heap.push(event);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (isBefore(heap[parent]!, event)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = event;
  }

  private pop(): void {
    const { heap } = this;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (isBefore(last, heap[child]!)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
