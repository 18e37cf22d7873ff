/** A failure that lasts is reported once in this time. */
const REPORT_EVERY_MS = 30_000;

/** What is known of one piece of background work. */
export interface WorkState {
  name: string;
  /** Failures since it last succeeded. */
  failuresInRow: number;
  /** The message of the last of them; null without any. */
  reason: string | null;
}

const UNDER_WAY = new Set<RepeatedWork>();

/** Background work of this process that is repeated until it succeeds: counts its failures in a row, for /health/ready and /metrics. */
export class RepeatedWork implements WorkState {
  failuresInRow = 0;
  reason: string | null = null;
  private reportedAt = -Infinity;

  constructor(readonly name: string) {}

  /** Shows it in `repeatedWork` from now on. */
  begin(): void {
    UNDER_WAY.add(this);
  }

  /** Shows it no longer. */
  end(): void {
    UNDER_WAY.delete(this);
  }

  succeeded(): void {
    this.failuresInRow = 0;
    this.reason = null;
  }

  /** Counts a failure at `now`, monotonic. Returns whether to report it: at most one in 30 s. */
  failed({ message }: Error, now: number): boolean {
    this.failuresInRow++;
    this.reason = message;
    if (now - this.reportedAt < REPORT_EVERY_MS) return false;
    this.reportedAt = now;
    return true;
  }
}

/** The background work of this process, each name once: with its longest row of failures. */
export function repeatedWork(): WorkState[] {
  const worst = new Map<string, WorkState>();
  for (const work of UNDER_WAY) {
    const other = worst.get(work.name);
    if (!other || other.failuresInRow < work.failuresInRow) worst.set(work.name, work);
  }
  return [...worst.values()];
}
