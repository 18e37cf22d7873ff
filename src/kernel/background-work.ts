/** Minimum time between reports of a lasting failure. */
const REPORT_EVERY_MS = 30_000;

/** The state of one piece of background work. */
export interface WorkState {
  name: string;
  /** Failures since it last succeeded. */
  failuresInRow: number;
  /** Message of the last failure; null after a success. */
  reason: string | null;
}

const RUNNING = new Set<BackgroundWork>();

/** Counts the consecutive failures of retried background work, for /health/ready and /metrics. */
export class BackgroundWork implements WorkState {
  failuresInRow = 0;
  reason: string | null = null;
  private reportedAt = -Infinity;

  constructor(readonly name: string) {}

  /** Lists it in `backgroundWork`. */
  begin(): void {
    RUNNING.add(this);
  }

  /** Removes it from `backgroundWork`. */
  end(): void {
    RUNNING.delete(this);
  }

  succeeded(): void {
    this.failuresInRow = 0;
    this.reason = null;
  }

  /** Counts a failure at `now`, monotonic; returns whether to report it: at most one in 30 s. */
  failed({ message }: Error, now: number): boolean {
    this.failuresInRow++;
    this.reason = message;
    if (now - this.reportedAt < REPORT_EVERY_MS) return false;
    this.reportedAt = now;
    return true;
  }
}

/** The running background work of this process: for each name the one with the most consecutive failures. */
export function backgroundWork(): WorkState[] {
  const worst = new Map<string, WorkState>();
  for (const work of RUNNING) {
    const other = worst.get(work.name);
    if (!other || other.failuresInRow < work.failuresInRow) worst.set(work.name, work);
  }
  return [...worst.values()];
}
