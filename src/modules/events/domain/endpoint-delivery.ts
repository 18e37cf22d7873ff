import type { Clock } from '../../../kernel/clock';
import { SpanPace } from '../../../kernel/tracing';
import { uuidV7 } from '../../../kernel/uuid';
import type { DueRow, DueRows, LeasedEndpoint, RowResult } from './delivery-store.port';
import { traceDelivery } from './delivery-span';
import { RESPONSE_TIMEOUT_MS, postBody, type PostedBody } from './post-body';
import { FAILURES_TO_PROBING, MAX_RETRY_AFTER_MS, probeWait, waitAfter } from './retry-schedule';
import type { DisabledReason } from './webhook-endpoint';
import type { WebhookSender } from './webhook-sender.port';

/** The dependencies of a delivery to one endpoint. */
export interface DeliveryParts {
  clock: Clock;
  sender: WebhookSender;
  /** Due rows without the rows `taken`; see DeliveryStore. */
  due(taken: readonly string[], afterKey: string | null): Promise<DueRows>;
  /** Takes the next step of a replay if it is due. */
  stepReplay(): Promise<unknown>;
  /** Resolves when the result is committed. */
  finish(result: RowResult): Promise<void>;
  /** Whether the lease is still safely held. */
  holdsLease(): boolean;
  /** Called on success after failures; `wasProbing`: the endpoint had been reported as unreachable. */
  succeeded(wasProbing: boolean): Promise<void>;
  /** Called on consecutive failures; deliveries are blocked for `blockedMs`. Returns whether they have lasted too long. */
  failed(failuresInRow: number, blockedMs: number, reason: string): Promise<boolean>;
  disable(reason: DisabledReason): Promise<void>;
  attempted(arrived: boolean, durationMs: number, lagMs: number | null): void;
}

/** Maximum number of requests in flight per endpoint. */
const MAX_CONCURRENT = 16;
/** Time between two reads of due rows: after a request has ended, and otherwise. */
const MIN_POLL_INTERVAL_MS = 50;
const POLL_EVERY_MS = 250;
/** After this time it is another endpoint's turn. */
const TURN_MS = 10_000;

/** A row of the outbox being delivered. */
interface Progress {
  row: DueRow;
  bodies: readonly string[];
  /** Lines not started, number of lines in flight, and failed lines. */
  open: number[];
  inFlight: number;
  failed: number[];
  afterMs: number | null;
  attempts: RowResult['attempts'][number][];
  /** Its result is being written. */
  isOver: boolean;
}

/** One turn: delivers due rows to one endpoint while this process has its lease. */
export class EndpointDelivery {
  private readonly rows = new Map<string, Progress>();
  private readonly aborted = new AbortController();
  private readonly finishing = new Set<Promise<void>>();
  private progressMade = new AbortController();
  private inFlight = 0;
  private over = false;
  private failures: number;
  private afterKey: string | null = null;
  private polledAt = -Infinity;
  /** Whether a row has finished since the last poll, which may have made another one due. */
  private hasEnded = false;
  private storing: Promise<unknown> = Promise.resolve();
  private readonly spans = new SpanPace();
  /** Whether this turn made a delivery attempt or a replay step. */
  wasActive = false;
  /** When this turn began or a delivery last ended, by the monotonic clock. */
  progressedAt: number;

  constructor(
    public endpoint: LeasedEndpoint,
    private readonly parts: DeliveryParts,
  ) {
    this.failures = endpoint.failuresInRow;
    this.progressedAt = parts.clock.monotonic();
  }

  /**
   * Resolves when nothing is due, the turn is over, or the delivery was ended, and all results are committed; rejects then if due rows
   * could not be read.
   */
  async run(): Promise<void> {
    const { clock } = this.parts;
    const end = clock.monotonic() + TURN_MS;
    let failure: unknown = null;
    while (!this.over) {
      while (!this.over && this.next() === null && clock.monotonic() < end && this.isPollDue()) {
        // Requests in flight must end before the lease is released.
        await this.load().catch((error: unknown) => {
          failure = error;
          this.over = true;
        });
      }
      for (
        let progress = this.next();
        progress && this.inFlight < this.maxConcurrent && !this.over;
        progress = this.next()
      ) {
        void this.deliver(progress);
      }
      const isIdle = this.inFlight === 0 && this.finishing.size === 0;
      if (this.over || (isIdle && this.next() === null)) break;
      await this.waitForProgress(this.next() === null ? MIN_POLL_INTERVAL_MS : RESPONSE_TIMEOUT_MS);
    }
    this.over = true;
    while (this.inFlight > 0) await this.waitForProgress(RESPONSE_TIMEOUT_MS);
    for (const progress of this.rows.values()) this.finish(progress);
    await Promise.all(this.finishing);
    if (failure !== null) throw failure as Error;
  }

  /** Starts no more requests; those in flight continue. */
  end(): void {
    this.over = true;
    this.progressMade.abort();
  }

  /** Starts no more requests and aborts those in flight. */
  abort(): void {
    this.end();
    this.aborted.abort();
  }

  private get maxConcurrent(): number {
    return this.failures >= FAILURES_TO_PROBING ? 1 : MAX_CONCURRENT;
  }

  private isPollDue(): boolean {
    const agoMs = this.parts.clock.monotonic() - this.polledAt;
    if (this.afterKey !== null || agoMs >= POLL_EVERY_MS) return true;
    return this.hasEnded && (this.inFlight === 0 || agoMs >= MIN_POLL_INTERVAL_MS);
  }

  private async load(): Promise<void> {
    this.polledAt = this.parts.clock.monotonic();
    this.hasEnded = false;
    await this.stepReplay();
    const { rows, lastKey } = await this.parts.due([...this.rows.keys()], this.afterKey);
    this.afterKey = lastKey;
    for (const row of rows) {
      const bodies = row.payload.split('\n');
      const open = [...(row.remaining ?? bodies.keys())];
      this.rows.set(row.id, { row, bodies, open, inFlight: 0, failed: [], afterMs: null, attempts: [], isOver: false });
    }
  }

  /** A replay starts its walk only when no ordered row is being delivered, as later rows of an order wait for the walk. */
  private async stepReplay(): Promise<void> {
    const { replay } = this.endpoint;
    const isBlocked = replay === 'Requested' && [...this.rows.values()].some(({ row }) => row.orderKey !== null);
    if (replay === null || isBlocked) return;
    await this.parts.stepReplay();
    this.wasActive = true;
  }

  /** The next row with a deliverable body; an ordered row has one request in flight, and none after a failure. */
  private next(): Progress | null {
    for (const progress of this.rows.values()) {
      const waits = progress.row.orderKey !== null && (progress.inFlight > 0 || progress.failed.length > 0);
      if (progress.open.length > 0 && !waits && !progress.isOver) return progress;
    }
    return null;
  }

  private async deliver(progress: Progress): Promise<void> {
    const line = progress.open.shift()!;
    progress.inFlight++;
    this.inFlight++;
    try {
      await this.post(progress, line);
    } catch {
      // The outcome of this body is unknown: it stays due.
      progress.open.unshift(line);
      this.end();
    } finally {
      progress.inFlight--;
      this.inFlight--;
      this.progressedAt = this.parts.clock.monotonic();
      const isStuck = progress.row.orderKey !== null && progress.failed.length > 0;
      if (progress.inFlight === 0 && (progress.open.length === 0 || isStuck)) this.finish(progress);
      this.progressMade.abort();
    }
  }

  private async post(progress: Progress, line: number): Promise<void> {
    const { clock } = this.parts;
    const { row } = progress;
    const { id: endpointId, accountId, url, secrets } = this.endpoint;
    if (!this.parts.holdsLease()) throw new Error('The lease expired');
    this.wasActive = true;
    const payload = progress.bodies[line]!;
    const body = row.firstBody + line;
    const attempt = row.attempt + 1;
    const facts = { accountId, endpointId, attempt, now: clock.monotonic() };
    const { types, trace } = row.facts[line]!;
    const { traceparent, ended } = traceDelivery(trace, facts, this.spans);
    const post = { endpointId, url, secrets, key: row.key, body, payload, traceparent };
    const posted = await postBody(this.parts, post, this.aborted.signal);
    ended(posted);
    // The endpoint was disabled or deleted: the response is ignored, and the body is not redelivered.
    if (this.aborted.signal.aborted) throw new Error('The delivery was aborted');
    const { arrived, at, durationMs, httpStatus, error, retryAfterMs } = posted;
    this.parts.attempted(
      arrived,
      durationMs,
      row.attempt === 0 ? clock.now().getTime() - row.createdAt.getTime() : null,
    );
    const waitMs = arrived ? null : waitAfter(attempt, clock.jitter(1), retryAfterMs);
    progress.attempts.push({
      ...{ id: uuidV7(), endpointId, key: row.key, body, events: types, attempt, at, durationMs, payload },
      status: arrived ? 'Delivered' : waitMs === null ? 'Failed' : 'Retrying',
      httpStatus,
      error,
      nextAttemptAt: waitMs === null ? null : new Date(clock.now().getTime() + waitMs),
    });
    if (arrived) return this.noteArrival();
    if (waitMs !== null) {
      progress.failed.push(line);
      progress.afterMs = Math.max(progress.afterMs ?? 0, waitMs);
    }
    // What the database does not take now is found out again at the next attempt.
    await this.noteFailure(posted).catch(() => this.end());
  }

  private async noteArrival(): Promise<void> {
    const hadFailed = this.failures > 0 || this.endpoint.failingSince !== null;
    if (!hadFailed) return;
    const wasProbing = this.failures >= FAILURES_TO_PROBING;
    this.failures = 0;
    this.endpoint = { ...this.endpoint, failingSince: null };
    await this.inOrder(() => this.parts.succeeded(wasProbing)).catch(() => undefined);
  }

  private async noteFailure({ httpStatus, error, retryAfterMs }: PostedBody): Promise<void> {
    // Already handled for an earlier request in flight.
    if (this.over) return;
    if (httpStatus === 410) {
      this.over = true;
      return this.parts.disable('endpoint_gone');
    }
    this.failures++;
    const askedMs = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
    const blockedMs = Math.max(probeWait(this.failures) ?? 0, askedMs);
    if (blockedMs > 0) this.over = true;
    this.endpoint = { ...this.endpoint, failingSince: this.endpoint.failingSince ?? this.parts.clock.now() };
    const count = this.failures;
    if (await this.inOrder(() => this.parts.failed(count, blockedMs, error!))) {
      this.over = true;
      await this.parts.disable('endpoint_failing');
    }
  }

  /** Stores failures and successes in order, so that the next turn starts with the latest count. */
  private inOrder<T>(store: () => Promise<T>): Promise<T> {
    const stored = this.storing.then(store);
    this.storing = stored.catch(() => undefined);
    return stored;
  }

  private finish(progress: Progress): void {
    const { row, open, failed, afterMs, attempts } = progress;
    if (progress.isOver || attempts.length === 0) return;
    progress.isOver = true;
    const remaining = [...failed, ...open].sort((a, b) => a - b);
    const attempt = failed.length > 0 ? row.attempt + 1 : row.attempt;
    const again = remaining.length === 0 ? null : { remaining, attempt, afterMs: afterMs ?? 0 };
    // Kept in `rows` until the commit, so that the row is not read again before.
    const finished = this.parts
      .finish({ id: row.id, endpointId: this.endpoint.id, again, attempts, row })
      .finally(() => {
        this.finishing.delete(finished);
        this.hasEnded = true;
        this.progressMade.abort();
      });
    finished.then(
      () => this.rows.delete(row.id),
      () => undefined,
    );
    this.finishing.add(finished);
  }

  /** Resolves when a request has ended, a result is committed, or after `ms`. */
  private async waitForProgress(ms: number): Promise<void> {
    if (!this.progressMade.signal.aborted) await this.parts.clock.sleep(ms, this.progressMade.signal);
    this.progressMade = new AbortController();
  }
}
