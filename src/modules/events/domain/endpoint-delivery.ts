import type { Clock } from '../../../kernel/clock';
import { uuidV7 } from '../../../kernel/uuid';
import type { DueRow, DueRows, LeasedEndpoint, RowResult } from './delivery-store.port';
import { typesIn } from './event';
import { PATIENCE_MS, postBody, type PostedBody } from './post-body';
import { FAILURES_TO_PROBING, LONGEST_RETRY_AFTER_MS, probeWait, waitAfter } from './retry-schedule';
import type { DisabledReason } from './webhook-endpoint';
import type { WebhookSender } from './webhook-sender.port';

/** What a delivery to one endpoint needs from the process around it. */
export interface DeliveryParts {
  clock: Clock;
  sender: WebhookSender;
  /** What is due, without the rows `taken`; see DeliveryStore. */
  due(taken: readonly string[], afterKey: string | null): Promise<DueRows>;
  /** Takes the next step of a replay, if it is time. */
  stepReplay(): Promise<unknown>;
  /** Resolves when the result is committed. */
  finish(result: RowResult): Promise<void>;
  /** Whether the lease is certainly still held. */
  holdsLease(): boolean;
  /** Something arrived after failures; `wasProbing`: enough of them to have been called unreachable. */
  succeeded(wasProbing: boolean): Promise<void>;
  /** Failures in a row; `blockedMs`: nothing is delivered for so long. Whether they have lasted too long. */
  failed(failuresInRow: number, blockedMs: number, reason: string): Promise<boolean>;
  disable(reason: DisabledReason): Promise<void>;
  attempted(arrived: boolean, durationMs: number, lagMs: number | null): void;
}

/** Deliveries that are under way to one endpoint at once. */
const MOST_AT_ONCE = 16;
/** Between two looks for what is due: after something has ended, and if nothing has. */
const LOOKS_APART_MS = 50;
const LOOK_EVERY_MS = 250;
/** After this time others have their turn. */
const TURN_MS = 10_000;

/** A row of the outbox that is being delivered. */
interface Progress {
  row: DueRow;
  bodies: readonly string[];
  /** Lines not begun, lines under way, and lines that failed. */
  open: number[];
  underWay: number;
  failed: number[];
  afterMs: number | null;
  attempts: RowResult['attempts'][number][];
  /** Its result is being written. */
  isOver: boolean;
}

/** Delivers what is due to one endpoint, as long as this process has its lease: one turn. */
export class EndpointDelivery {
  private readonly rows = new Map<string, Progress>();
  private readonly aborted = new AbortController();
  private readonly finishing = new Set<Promise<void>>();
  private pieceEnded = new AbortController();
  private underWay = 0;
  private over = false;
  private failures: number;
  private afterKey: string | null = null;
  private lookedAt = -Infinity;
  /** Whether something has ended since the last look, which may have made another row due. */
  private hasEnded = false;
  private storing: Promise<unknown> = Promise.resolve();
  /** Whether this turn delivered something or moved a replay on. */
  tried = false;
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
   * Resolves when nothing is due any more, the turn is over, or the delivery was ended, and all results are committed; rejects then if
   * what is due could not be read.
   */
  async run(): Promise<void> {
    const { clock } = this.parts;
    const end = clock.monotonic() + TURN_MS;
    let failure: unknown = null;
    while (!this.over) {
      while (!this.over && this.next() === null && clock.monotonic() < end && this.isTimeToLook()) {
        // What is under way must end before the lease is given back.
        await this.load().catch((error: unknown) => {
          failure = error;
          this.over = true;
        });
      }
      for (let piece = this.next(); piece && this.underWay < this.mostAtOnce && !this.over; piece = this.next()) {
        void this.deliver(piece);
      }
      const isIdle = this.underWay === 0 && this.finishing.size === 0;
      if (this.over || (isIdle && this.next() === null)) break;
      await this.untilPieceEnds(this.next() === null ? LOOKS_APART_MS : PATIENCE_MS);
    }
    this.over = true;
    while (this.underWay > 0) await this.untilPieceEnds(PATIENCE_MS);
    for (const progress of this.rows.values()) this.finish(progress);
    await Promise.all(this.finishing);
    if (failure !== null) throw failure as Error;
  }

  /** Begins nothing more; what is under way may end. */
  end(): void {
    this.over = true;
    this.pieceEnded.abort();
  }

  /** Begins nothing more and breaks off what is under way: the endpoint is not to get it. */
  abort(): void {
    this.end();
    this.aborted.abort();
  }

  private get mostAtOnce(): number {
    return this.failures >= FAILURES_TO_PROBING ? 1 : MOST_AT_ONCE;
  }

  private isTimeToLook(): boolean {
    const agoMs = this.parts.clock.monotonic() - this.lookedAt;
    if (this.afterKey !== null || agoMs >= LOOK_EVERY_MS) return true;
    return this.hasEnded && (this.underWay === 0 || agoMs >= LOOKS_APART_MS);
  }

  private async load(): Promise<void> {
    this.lookedAt = this.parts.clock.monotonic();
    this.hasEnded = false;
    await this.stepReplay();
    const { rows, lastKey } = await this.parts.due([...this.rows.keys()], this.afterKey);
    this.afterKey = lastKey;
    for (const row of rows) {
      const bodies = row.payload.split('\n');
      const open = [...(row.remaining ?? bodies.keys())];
      this.rows.set(row.id, { row, bodies, open, underWay: 0, failed: [], afterMs: null, attempts: [], isOver: false });
    }
  }

  /** The walk of a replay begins when no row with an order is under way: those that come later in the order wait for it. */
  private async stepReplay(): Promise<void> {
    const { replay } = this.endpoint;
    const mustWait = replay === 'Requested' && [...this.rows.values()].some(({ row }) => row.orderKey !== null);
    if (replay === null || mustWait) return;
    await this.parts.stepReplay();
    this.tried = true;
  }

  /** The next row of which a body can be delivered; an ordered one has one body under way, and none after a failure. */
  private next(): Progress | null {
    for (const progress of this.rows.values()) {
      const waits = progress.row.orderKey !== null && (progress.underWay > 0 || progress.failed.length > 0);
      if (progress.open.length > 0 && !waits && !progress.isOver) return progress;
    }
    return null;
  }

  private async deliver(progress: Progress): Promise<void> {
    const line = progress.open.shift()!;
    progress.underWay++;
    this.underWay++;
    try {
      await this.post(progress, line);
    } catch {
      // Nothing is known of this body: it stays due.
      progress.open.unshift(line);
      this.end();
    } finally {
      progress.underWay--;
      this.underWay--;
      this.progressedAt = this.parts.clock.monotonic();
      const isStuck = progress.row.orderKey !== null && progress.failed.length > 0;
      if (progress.underWay === 0 && (progress.open.length === 0 || isStuck)) this.finish(progress);
      this.pieceEnded.abort();
    }
  }

  private async post(progress: Progress, line: number): Promise<void> {
    const { clock } = this.parts;
    const { row } = progress;
    const { id: endpointId, url, secrets } = this.endpoint;
    if (!this.parts.holdsLease()) throw new Error('The lease expired');
    this.tried = true;
    const payload = progress.bodies[line]!;
    const body = row.firstBody + line;
    const post = { endpointId, url, secrets, key: row.key, body, payload };
    const posted = await postBody(this.parts, post, this.aborted.signal);
    // It was disabled or deleted meanwhile: what it answered is of no interest, and what it got is not repeated.
    if (this.aborted.signal.aborted) throw new Error('The delivery was aborted');
    const { arrived, at, durationMs, httpStatus, error, retryAfterMs } = posted;
    this.parts.attempted(
      arrived,
      durationMs,
      row.attempt === 0 ? clock.now().getTime() - row.createdAt.getTime() : null,
    );
    const attempt = row.attempt + 1;
    const waitMs = arrived ? null : waitAfter(attempt, clock.jitter(1), retryAfterMs);
    progress.attempts.push({
      ...{ id: uuidV7(), endpointId, key: row.key, body, events: typesIn(payload), attempt, at, durationMs, payload },
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
    // Of several that were under way the first ones have said it.
    if (this.over) return;
    if (httpStatus === 410) {
      this.over = true;
      return this.parts.disable('endpoint_gone');
    }
    this.failures++;
    const askedMs = Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);
    const blockedMs = Math.max(probeWait(this.failures) ?? 0, askedMs);
    if (blockedMs > 0) this.over = true;
    this.endpoint = { ...this.endpoint, failingSince: this.endpoint.failingSince ?? this.parts.clock.now() };
    const count = this.failures;
    if (await this.inOrder(() => this.parts.failed(count, blockedMs, error!))) {
      this.over = true;
      await this.parts.disable('endpoint_failing');
    }
  }

  /** Stores failures and arrivals one after the other: the count that the next turn starts with is the latest one. */
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
    // Kept until it is committed, so that the row is not taken again before.
    const finished = this.parts
      .finish({ id: row.id, endpointId: this.endpoint.id, again, attempts, row })
      .finally(() => {
        this.finishing.delete(finished);
        this.hasEnded = true;
        this.pieceEnded.abort();
      });
    finished.then(
      () => this.rows.delete(row.id),
      () => undefined,
    );
    this.finishing.add(finished);
  }

  /** Until a delivery has ended, its result is committed, or `ms` have passed. */
  private async untilPieceEnds(ms: number): Promise<void> {
    if (!this.pieceEnded.signal.aborted) await this.parts.clock.sleep(ms, this.pieceEnded.signal);
    this.pieceEnded = new AbortController();
  }
}
