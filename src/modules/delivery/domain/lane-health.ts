import type { Answer } from '../../sending/domain/answer';

/** What a lane may take now: as much as its pace allows, one message to see whether the platform is back, or nothing. */
export type LaneAllowance = 'all' | 'probe' | 'nothing';

const FAILURES_TO_PROBE = 5;
/** As long as fewer recipients have failed it may be them: each waits by itself, and the lane keeps sending. */
const RECIPIENTS_TO_PROBE = 3;
const FIRST_PROBE_MS = 1000;
const LAST_PROBE_MS = 60_000;
/** How long nothing but failures of the same recipients must have come back before they count against them. */
const ALONE_MS = { recipient: 20_000, platform: 300_000 };
/** What counts as "since its previous attempt" for a recipient that had none. */
const RECENTLY_MS = 5000;
const MAX_REMEMBERED = 1000;

/**
 * Tells an outage of the platform from a recipient whose requests fail. After 5 failures in a row, of 3 recipients at
 * least, the lane only probes, at 1, 2, 4 … 60 s, until an answer comes. Times are monotonic milliseconds.
 */
export class LaneHealth {
  private failuresInRow = 0;
  private readonly failedInRow = new Set<string>();
  private probeMs = FIRST_PROBE_MS;
  private nextProbeAt = 0;
  /** The recipient whose request is the probe that is out. */
  private probe: string | null = null;
  /** When the latest request left that the platform answered. */
  private healthyAt: number | null = null;
  private failingSince: number | null = null;
  /** When the open request to each recipient left. */
  private readonly dispatchedAt = new Map<string, number>();
  /** When each recipient last failed, the latest at the end. */
  private readonly failedAt = new Map<string, number>();

  /** What may be taken at `now`. */
  allowance(now: number): LaneAllowance {
    if (!this.probing) return 'all';
    if (this.probe !== null) return 'nothing';
    return now >= this.nextProbeAt ? 'probe' : 'nothing';
  }

  /** The lane waits for the platform to come back. */
  get probing(): boolean {
    return this.failuresInRow >= FAILURES_TO_PROBE && this.failedInRow.size >= RECIPIENTS_TO_PROBE;
  }

  /** Until the next probe, in milliseconds. */
  untilProbe(now: number): number {
    return Math.max(0, this.nextProbeAt - now);
  }

  /** A request to `recipient` is about to leave. */
  dispatched(recipient: string, now: number): void {
    this.dispatchedAt.set(recipient, now);
    if (this.probing) this.probe = recipient;
  }

  /** The request to `recipient` did not leave: that says nothing about the platform. */
  heldBack(recipient: string): void {
    this.dispatchedAt.delete(recipient);
    if (this.probe === recipient) this.probe = null;
  }

  /**
   * Takes note of an answer to `recipient`; true when a failure counts against the recipient: another one that left since
   * its previous attempt was answered, or there was nothing else to try for a long time.
   */
  answered(recipient: string, answer: Answer, now: number): boolean {
    const dispatchedAt = this.dispatchedAt.get(recipient) ?? now;
    this.dispatchedAt.delete(recipient);
    const wasProbe = this.probe === recipient;
    if (wasProbe) this.probe = null;
    if (answer.kind === 'accepted' || answer.kind === 'refused' || answer.kind === 'throttled') {
      this.failuresInRow = 0;
      this.failedInRow.clear();
      // A late answer to what left before an outage says nothing about the platform of today.
      this.healthyAt = Math.max(this.healthyAt ?? dispatchedAt, dispatchedAt);
      this.failingSince = null;
      this.failedAt.delete(recipient);
      return false;
    }
    const wasProbing = this.probing;
    this.failuresInRow++;
    if (this.failedInRow.size < RECIPIENTS_TO_PROBE) this.failedInRow.add(recipient);
    // Requests that were out when the outage began also fail, but say nothing new: only a probe makes the next one wait.
    if (wasProbing !== this.probing || wasProbe) {
      this.probeMs = wasProbe ? Math.min(LAST_PROBE_MS, this.probeMs * 2) : FIRST_PROBE_MS;
      this.nextProbeAt = now + this.probeMs;
    }
    this.failingSince ??= now;
    return answer.kind === 'outage' && this.countsAgainst(recipient, answer.suspect, now);
  }

  private countsAgainst(recipient: string, suspect: 'platform' | 'recipient', now: number): boolean {
    const before = this.failedAt.get(recipient);
    this.failedAt.delete(recipient);
    this.failedAt.set(recipient, now);
    if (this.failedAt.size > MAX_REMEMBERED) this.failedAt.delete(this.failedAt.keys().next().value!);
    if (this.healthyAt !== null && this.healthyAt > (before ?? now - RECENTLY_MS)) return true;
    // It comes round again although recipients that were never tried go first: there is nothing else to try.
    const cameRound = before !== undefined;
    return cameRound && now - (this.failingSince ?? now) >= ALONE_MS[suspect];
  }
}
