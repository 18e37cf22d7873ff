import { inContext } from '../../../kernel/request-context';
import type { Sender } from '../../accounts/domain/sender';
import type { Answer } from '../../sending/domain/answer';
import type { OutgoingContent, SendPriority } from '../../sending/domain/outgoing-message';
import type { UnfilledTemplate } from '../../templates/domain/filled-template';
import { type SendTime, SendTimes } from './send-times';
import { LaneHealth } from './lane-health';
import type { LaneThrottle } from './lane-leases.port';
import type { LaneParts, PlatformConnections } from './lane-parts';
import type { Lease } from './lease';

/** A claimed attempt: the message to send, and how its answer is recorded. */
export interface ClaimedAttempt {
  /** Identifies the recipient across attempts. */
  recipient: string;
  to: string;
  content: UnfilledTemplate | OutgoingContent;
  callbackData: string;
  /** The trace in which it is sent; absent: none. */
  traceparent?: string;
  /** Called once, with the answer and whether it counts against the recipient; resolves when the answer is recorded, never rejects. */
  record: (answer: Answer, strike: boolean) => Promise<void>;
}

/** A due reservation of pace. */
export interface ReservedPace {
  /** Number of messages left. */
  readonly left: number;
  /** Sends claimed attempts in order; if sending is no longer allowed, they are recorded as held back and retried. */
  send(attempts: readonly ClaimedAttempt[]): Promise<void>;
}

/** Not sent by the lane: its lease was no longer safe, or the template could not be read. */
export const HELD_BACK: Answer = { kind: 'held_back', reason: 'held back by the lane' };
/** The request was aborted in this process; it may have been sent. */
const ABORTED: Answer = { kind: 'unknown', reason: 'the request was aborted' };

const ROOM_AVAILABLE = 'room available';
/** The pace reserved at a time. */
const RESERVE_MS = 50;
const STEP_MS = 10;
/** Nothing is claimed while planned requests are further behind. */
const MAX_DELAY_MS = 100;
/** How long a check that sending is allowed is valid: the emergency stop takes effect everywhere within 1.5 s. */
const CHECK_VALID_MS = 500;
const WITHOUT_PACE_MS = 250;
const ACCOUNT_THROTTLE_MS = 60_000;
const STUCK_REQUESTS = 5;
const STUCK_MS = 3000;
/** Minimum number of requests in flight of a lane, in seconds of its pace. */
const BASE_SECONDS = 2;
/** Response times vary: a limit for the average response time would cost pace. */
const SLACK = 1.25;
const MIN_IN_FLIGHT = 8;
/** Weight of the latest response time in the moving average. */
const WEIGHT = 1 / 8;

/** The attempts of one lane, each from the reservation of pace to the recorded answer. */
export class LaneAttempts {
  private readonly health = new LaneHealth();
  private readonly sendTimes = new SendTimes();
  private readonly inFlight: InFlightLimit;
  private accountWaitUntil = 0;
  /** Set until a message is accepted, so that attempts in between do not split one wait into several. */
  private accountThrottled = false;
  private lastProgressAt = 0;
  /** Between messages, at the pace of the last reservation, which may be reduced. */
  private intervalMs = 0;
  private readonly pending = new Set<Promise<void>>();
  /** Set while the lane waits for room. */
  private roomWait: { sender: Sender; end: AbortController } | null = null;

  constructor(
    private readonly parts: Pick<LaneParts, 'clock' | 'limits' | 'sendGateway' | 'senders' | 'templates'>,
    private readonly lease: Lease,
  ) {
    this.inFlight = new InFlightLimit(parts.limits.connections);
  }

  /** Number of claimed attempts without an answer. */
  get count(): number {
    return this.inFlight.count;
  }

  /** The platform seems to be down: single messages test whether it is back. */
  get probing(): boolean {
    return this.health.probing;
  }

  /** Milliseconds for which nothing may be claimed; 0: attempts may be claimed. */
  waitMs(): number {
    const now = this.now();
    // No more requests while several have had no answer for seconds.
    const isStuck = this.count >= STUCK_REQUESTS && now - this.lastProgressAt > STUCK_MS;
    const isBehind = this.sendTimes.behind(now) > MAX_DELAY_MS;
    if (!this.lease.maySend() || isStuck || isBehind) return RESERVE_MS;
    if (now < this.accountWaitUntil) return this.accountWaitUntil - now;
    return this.health.allowance(now) === 'nothing' ? Math.max(RESERVE_MS, this.health.untilProbe(now)) : 0;
  }

  /** Why the lane waits, and when it retries (in the past while a retry is in flight). Null: it does not wait. */
  throttle(): LaneThrottle | null {
    const now = this.now();
    const until = (ms: number): Date => new Date(this.parts.clock.now().getTime() + ms);
    if (this.accountThrottled) {
      return { reason: 'account_rate_limited', until: until(this.accountWaitUntil - now) };
    }
    return this.probing ? { reason: 'platform_outage', until: until(this.health.untilProbe(now)) } : null;
  }

  /**
   * Reserves pace for as many messages as may be claimed and waits until it is due. Null if there is no room, once answers have made
   * some or after the time of one reservation; if nothing may be sent by then; or if `stopped` is aborted.
   */
  async reserve(sender: Sender, use: SendPriority, stopped: AbortSignal): Promise<ReservedPace | null> {
    const { clock, sendGateway } = this.parts;
    const count = this.free(sender);
    if (count === 0) {
      const end = new AbortController();
      this.roomWait = { sender, end };
      await clock.sleep(RESERVE_MS, end.signal);
      this.roomWait = null;
      return null;
    }
    const perSecond = sender.messagesPerSecond;
    const reservation = await sendGateway.reserve({ senderId: sender.id, perSecond, count, use });
    await clock.sleep(reservation?.waitMs ?? WITHOUT_PACE_MS, stopped);
    if (!reservation || stopped.aborted || !this.lease.maySend()) return null;
    // The wait may have been long; the emergency stop applies meanwhile.
    if (await this.isStopped(sender)) return null;
    const { intervalMs } = reservation;
    this.intervalMs = intervalMs;
    const allowedAt = this.now();
    let left = count;
    return {
      get left() {
        return left;
      },
      send: async (attempts) => {
        // A claim can wait for a lock of its job; sending may have been stopped meanwhile.
        const isAllowed = this.now() - allowedAt < CHECK_VALID_MS || !(await this.isStopped(sender).catch(() => true));
        if (isAllowed) this.dispatch(sender, attempts, intervalMs, count - left);
        else for (const attempt of attempts) this.track(this.record(attempt, HELD_BACK));
        left -= attempts.length;
      },
    };
  }

  /** Resolves when every attempt has a recorded answer. */
  async settled(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending);
  }

  /** The number of attempts that may be claimed for one reservation. */
  private free(sender: Sender): number {
    if (this.probing) return 1;
    const batch = Math.max(1, Math.ceil(RESERVE_MS / Math.max(this.intervalMs, 1000 / sender.messagesPerSecond)));
    const limit = this.inFlight.max(sender.messagesPerSecond);
    const free = limit - this.count;
    // Claims of a few cost as much as claims of many, so it waits for more answers.
    return free >= Math.min(batch, Math.ceil(limit / 4)) ? Math.min(free, batch) : 0;
  }

  /** Sends attempts in steps of 10 ms, after `before` messages of the same reservation. */
  private dispatch(sender: Sender, attempts: readonly ClaimedAttempt[], intervalMs: number, before: number): void {
    const now = this.now();
    if (this.count === 0) this.lastProgressAt = now;
    this.inFlight.started(attempts.length);
    for (const [index, attempt] of attempts.entries()) {
      this.health.dispatched(attempt.recipient, now);
      const delay = Math.floor(((before + index) * intervalMs) / STEP_MS) * STEP_MS;
      this.track(this.run(sender, attempt, delay));
    }
  }

  private async run(sender: Sender, attempt: ClaimedAttempt, delay: number): Promise<void> {
    if (delay > 0) await this.parts.clock.sleep(delay);
    const sendTime = this.sendTimes.next(this.now(), sender.messagesPerSecond);
    const wait = sendTime.at - this.now();
    if (wait > 0) await this.parts.clock.sleep(wait);
    const startedAt = this.now();
    const answer = await this.send(sender, attempt, sendTime);
    this.lastProgressAt = this.now();
    this.inFlight.ended(answer.kind === 'accepted' ? this.lastProgressAt - startedAt : null);
    if (this.roomWait && this.free(this.roomWait.sender) > 0) {
      // With a string as the reason, no exception with a stack is created.
      this.roomWait.end.abort(ROOM_AVAILABLE);
    }
    await this.record(attempt, answer);
  }

  private async send(sender: Sender, attempt: ClaimedAttempt, sendTime: SendTime): Promise<Answer> {
    if (!this.lease.maySend()) return HELD_BACK;
    let content = attempt.content;
    if (!('kind' in content)) {
      const filled = await this.parts.templates.filled(content).catch(() => null);
      if (filled === null) return HELD_BACK;
      if ('error' in filled) return refusalOf(filled.error);
      content = { kind: 'template', template: filled.template };
    }
    let held = false;
    try {
      const { to, callbackData, traceparent } = attempt;
      const canStillSend = (): boolean => {
        held = !this.lease.maySend();
        sendTime.at = this.now();
        return !held;
      };
      const answer = await inContext(traceparent === undefined ? {} : { traceparent }, () =>
        this.parts.sendGateway.send(sender, { to, content, callbackData, canStillSend }),
      );
      return held ? HELD_BACK : answer;
    } catch {
      // Without an answer the recipient would stay in flight forever.
      return ABORTED;
    }
  }

  private record(attempt: ClaimedAttempt, answer: Answer): Promise<void> {
    return attempt.record(answer, this.isStrike(attempt.recipient, answer));
  }

  /** Updates the health of the platform by an answer; returns whether it counts against the recipient. */
  private isStrike(recipient: string, answer: Answer): boolean {
    if (answer.kind === 'held_back') {
      this.health.heldBack(recipient);
      return false;
    }
    const now = this.now();
    if (answer.kind === 'throttled' && answer.scope === 'account') {
      this.accountThrottled = true;
      this.accountWaitUntil = now + ACCOUNT_THROTTLE_MS;
    } else if (answer.kind === 'accepted' && now >= this.accountWaitUntil) this.accountThrottled = false;
    return this.health.answered(recipient, answer, now);
  }

  /** Whether sending is paused for the sender. */
  private async isStopped({ id }: Sender): Promise<boolean> {
    return (await this.parts.senders.ofLane(id))?.sendingPaused !== false;
  }

  private track(recorded: Promise<void>): void {
    const done = recorded.then(() => void this.pending.delete(done));
    this.pending.add(done);
  }

  private now(): number {
    return this.parts.clock.monotonic();
  }
}

function refusalOf({ code, message }: { code: string; message: string }): Answer {
  return { kind: 'refused', scope: 'message', problem: code, message, platformCode: null };
}

/** Limits the number of requests in flight of one lane. */
export class InFlightLimit {
  private open = 0;
  private averageAnswerMs = 0;

  constructor(private readonly connections: PlatformConnections) {}

  /** Number of requests in flight. */
  get count(): number {
    return this.open;
  }

  /** Counts requests that are about to be sent. */
  started(count: number): void {
    this.connections.changed(this.open, this.open + count);
    this.open += count;
  }

  /** Counts the end of a request; `answerMs` is how long the platform took to accept it, null: it did not. */
  ended(answerMs: number | null): void {
    this.connections.changed(this.open, this.open - 1);
    this.open--;
    if (answerMs !== null) this.averageAnswerMs += WEIGHT * (answerMs - this.averageAnswerMs);
  }

  /** The maximum that keeps the pace: 2 s of it, or more if the platform's answers take longer, within the lane's share of the connections. */
  max(messagesPerSecond: number): number {
    const seconds = Math.max(BASE_SECONDS, (SLACK * this.averageAnswerMs) / 1000);
    const forPace = Math.max(MIN_IN_FLIGHT, Math.ceil(seconds * messagesPerSecond));
    return Math.min(forPace, this.connections.maxFor(this.open));
  }
}
