/**
 * A platform that counts strictly refuses a message that comes less than a second after the one that was its pace before. Requests
 * do not arrive as evenly as they leave.
 */
const APART_MS = 1004;

/** When a request leaves, in monotonic milliseconds: planned at first, and corrected by whoever sends it. */
export interface Departure {
  at: number;
}

/** When the requests of one sender leave: however long something held them up, they never catch up faster than the platform allows. */
export class Departures {
  private planned: Departure[] = [];
  private earliest = -Infinity;

  /** When the next request may leave, at `now` or later; it counts as leaving then, unless that is corrected. */
  next(now: number, messagesPerSecond: number): Departure {
    const most = Math.max(1, Math.floor(messagesPerSecond));
    // Never back: a request may have left later than one that was planned after it.
    this.earliest = Math.max(this.earliest, (this.planned.at(-most)?.at ?? -Infinity) + APART_MS);
    const departure = { at: Math.max(now, this.earliest) };
    this.planned.push(departure);
    if (this.planned.length >= 2 * most) this.planned = this.planned.slice(-most);
    return departure;
  }

  /** Milliseconds from `now` until what has been planned has left. */
  behind(now: number): number {
    return Math.max(0, (this.planned.at(-1)?.at ?? now) - now);
  }
}
