/** A lane may have as many requests under way as leave in this time at its pace, however fast the platform answers. */
const BASE_SECONDS = 2;
/** Answers vary: room for as many as wait for the usual answer would already cost pace. */
const SLACK = 1.25;
const MIN_FLIGHTS = 8;
/** Share of the newest answer in the usual time of an answer. */
const WEIGHT = 1 / 8;

/** The connections to the platform that the lanes of a process share: each request under way holds one. */
export class PlatformConnections {
  private held = 0;
  /** Lanes that hold any. */
  private holders = 0;

  constructor(private readonly total: number) {}

  /** Requests that a lane with `own` of them may have under way: those that are free, and at least its fair share. */
  mostFor(own: number): number {
    const lanes = own > 0 ? this.holders : this.holders + 1;
    return Math.max(1, Math.floor(this.total / lanes), own + this.total - this.held);
  }

  /** Takes note that a lane holds `after` instead of `before`. */
  changed(before: number, after: number): void {
    this.held += after - before;
    this.holders += Number(after > 0) - Number(before > 0);
  }
}

/** How many requests of one lane may be under way at once. */
export class FlightRoom {
  private open = 0;
  private usualAnswerMs = 0;

  constructor(private readonly connections: PlatformConnections) {}

  /** Requests under way. */
  get count(): number {
    return this.open;
  }

  /** Takes note of requests that are about to leave. */
  started(count: number): void {
    this.connections.changed(this.open, this.open + count);
    this.open += count;
  }

  /** Takes note of the end of a request; `answerMs` is how long the platform took to accept it, null where it did not. */
  ended(answerMs: number | null): void {
    this.connections.changed(this.open, this.open - 1);
    this.open--;
    if (answerMs !== null) this.usualAnswerMs += WEIGHT * (answerMs - this.usualAnswerMs);
  }

  /** Enough to keep the pace: 2 s of it, or more where the platform's answers take longer, as far as connections go round. */
  most(messagesPerSecond: number): number {
    const seconds = Math.max(BASE_SECONDS, (SLACK * this.usualAnswerMs) / 1000);
    const forPace = Math.max(MIN_FLIGHTS, Math.ceil(seconds * messagesPerSecond));
    return Math.min(forPace, this.connections.mostFor(this.open));
  }
}
