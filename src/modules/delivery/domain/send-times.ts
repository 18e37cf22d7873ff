/**
 * At a pace of n, a strict platform refuses a message less than a second after the n-th last one. The margin absorbs variations in the
 * latency of requests.
 */
const WINDOW_MS = 1004;

/** When a request is sent, in monotonic milliseconds: planned at first, then set to the actual time by the sender. */
export interface SendTime {
  at: number;
}

/** The send times of one sender: after any delay, requests never catch up faster than the platform allows. */
export class SendTimes {
  private planned: SendTime[] = [];
  private earliest = -Infinity;

  /** The time for the next request, `now` or later; counts as used unless corrected. */
  next(now: number, messagesPerSecond: number): SendTime {
    const perWindow = Math.max(1, Math.floor(messagesPerSecond));
    // Never earlier than before: a request may have been sent later than one planned after it.
    this.earliest = Math.max(this.earliest, (this.planned.at(-perWindow)?.at ?? -Infinity) + WINDOW_MS);
    const sendTime = { at: Math.max(now, this.earliest) };
    this.planned.push(sendTime);
    if (this.planned.length >= 2 * perWindow) this.planned = this.planned.slice(-perWindow);
    return sendTime;
  }

  /** Milliseconds from `now` until the last planned request is sent. */
  behind(now: number): number {
    return Math.max(0, (this.planned.at(-1)?.at ?? now) - now);
  }
}
