import type { Answer } from '../../sending/domain/answer';

/** What a lane may claim: as much as its pace allows, one message to test whether the platform is back, or nothing. */
export type LaneAllowance = 'all' | 'probe' | 'nothing';

const FAILURES_TO_PROBE = 5;
/** If fewer recipients have failed, the cause may be with them: each waits separately, and the lane keeps sending. */
const RECIPIENTS_TO_PROBE = 3;
const FIRST_PROBE_MS = 1000;
const LAST_PROBE_MS = 60_000;
/** How long the same recipients must have been the only ones to fail before failures count against them. */
const ALONE_MS = { recipient: 20_000, platform: 300_000 };
/** Replaces the time since the previous attempt for a recipient that had none. */
const RECENTLY_MS = 5000;
const MAX_FAILED_RECIPIENTS = 1000;

/**
 * Distinguishes an outage of the platform from a recipient whose requests fail. After 5 consecutive failures of at least 3 recipients
 * the lane only probes, at 1, 2, 4 … 60 s, until the platform responds. Times are monotonic milliseconds.
 */
export class LaneHealth {
  private failuresInRow = 0;
  private readonly failedInRow = new Set<string>();
  private probeMs = FIRST_PROBE_MS;
  private nextProbeAt = 0;
  /** The recipient of the probe in flight. */
  private probe: string | null = null;
  /** When the latest request with a response was sent. */
  private healthyAt: number | null = null;
  private failingSince: number | null = null;
  /** When the request in flight to each recipient was sent. */
  private readonly dispatchedAt = new Map<string, number>();
  /** When each recipient last failed, the latest last. */
  private readonly failedAt = new Map<string, number>();

  /** What may be claimed at `now`. */
  allowance(now: number): LaneAllowance {
    if (!this.probing) return 'all';
    if (this.probe !== null) return 'nothing';
    return now >= this.nextProbeAt ? 'probe' : 'nothing';
  }

  /** Whether the lane only probes. */
  get probing(): boolean {
    return this.failuresInRow >= FAILURES_TO_PROBE && this.failedInRow.size >= RECIPIENTS_TO_PROBE;
  }

  /** Milliseconds until the next probe. */
  untilProbe(now: number): number {
    return Math.max(0, this.nextProbeAt - now);
  }

  /** Records that a request to `recipient` is about to be sent. */
  dispatched(recipient: string, now: number): void {
    this.dispatchedAt.set(recipient, now);
    if (this.probing) this.probe = recipient;
  }

  /** Records that the request to `recipient` was not sent, which implies nothing about the platform. */
  heldBack(recipient: string): void {
    this.dispatchedAt.delete(recipient);
    if (this.probe === recipient) this.probe = null;
  }

  /**
   * Records an answer for `recipient`; returns whether a failure counts against the recipient: a request to another one, sent since the
   * previous attempt, got a response, or there was nothing else to try for a long time.
   */
  answered(recipient: string, answer: Answer, now: number): boolean {
    const dispatchedAt = this.dispatchedAt.get(recipient) ?? now;
    this.dispatchedAt.delete(recipient);
    const wasProbe = this.probe === recipient;
    if (wasProbe) this.probe = null;
    if (answer.kind === 'accepted' || answer.kind === 'refused' || answer.kind === 'throttled') {
      this.failuresInRow = 0;
      this.failedInRow.clear();
      // By the time of sending: a late response to a request from before an outage does not end it.
      this.healthyAt = Math.max(this.healthyAt ?? dispatchedAt, dispatchedAt);
      this.failingSince = null;
      this.failedAt.delete(recipient);
      return false;
    }
    const wasProbing = this.probing;
    this.failuresInRow++;
    if (this.failedInRow.size < RECIPIENTS_TO_PROBE) this.failedInRow.add(recipient);
    // Only a probe extends the wait: requests in flight when the outage began also fail.
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
    if (this.failedAt.size > MAX_FAILED_RECIPIENTS) this.failedAt.delete(this.failedAt.keys().next().value!);
    if (this.healthyAt !== null && this.healthyAt > (before ?? now - RECENTLY_MS)) return true;
    // Recipients never tried go first, so a retry means that there was nothing else to try.
    const wasRetried = before !== undefined;
    return wasRetried && now - (this.failingSince ?? now) >= ALONE_MS[suspect];
  }
}
