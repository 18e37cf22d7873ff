/**
 * A platform that counts strictly refuses a message that comes less than a second after the one that was its pace before. Requests
 * do not arrive as evenly as they leave.
 */
const APART_MS = 1004;

/** When the requests of one sender leave: however long something held them up, they never catch up faster than the platform allows. */
export class Departures {
  private planned: number[] = [];

  /** When the next request may leave, at `now` or later; it counts as leaving then. */
  next(now: number, messagesPerSecond: number): number {
    const most = Math.max(1, Math.floor(messagesPerSecond));
    const at = Math.max(now, (this.planned.at(-most) ?? -Infinity) + APART_MS);
    this.planned.push(at);
    if (this.planned.length >= 2 * most) this.planned = this.planned.slice(-most);
    return at;
  }

  /** Milliseconds from `now` until what has been planned has left. */
  behind(now: number): number {
    return Math.max(0, (this.planned.at(-1) ?? now) - now);
  }
}
