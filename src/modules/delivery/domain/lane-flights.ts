import type { Sender } from '../../accounts/domain/sender';
import { DomainError } from '../../../kernel/domain-error';
import type { Answer } from '../../sending/domain/answer';
import type { OutgoingContent, SendPriority } from '../../sending/domain/outgoing-message';
import type { TemplateExtras } from '../../templates/domain/template-extras';
import { type Departure, Departures } from './departures';
import { LaneHealth } from './lane-health';
import type { LaneThrottle } from './lane-leases.port';
import type { LaneParts, PlatformConnections } from './lane-parts';
import type { Lease } from './lease';

/** A template as it was recorded: its contents and values, not filled in yet. */
export interface UnfilledTemplate {
  revisionId: string;
  parameters: string[];
  extras: TemplateExtras | null;
}

/** A claimed attempt: what is to be sent, and how its answer is recorded. */
export interface Flight {
  /** Whose it is, the same for all attempts to reach them. */
  recipient: string;
  to: string;
  content: UnfilledTemplate | Extract<OutgoingContent, { kind: 'freeForm' }>;
  callbackData: string;
  /** Called once, with the answer and whether it counts against the recipient; resolves when it is recorded, never rejects. */
  record: (answer: Answer, strike: boolean) => Promise<void>;
}

/** Pace that has been reserved, and has come. */
export interface Reserved {
  /** For how many more messages. */
  readonly left: number;
  /** Sends claimed attempts, one after the other; those that must not leave any more are recorded as held back and retried. */
  send(flights: readonly Flight[]): Promise<void>;
}

/** What the lane held back itself: the lease was not sure any more, or the template could not be read. */
export const HELD_BACK: Answer = { kind: 'held_back', reason: 'held back by the lane' };
/** Sending broke off in this process: the request may have left. */
const BROKEN_OFF: Answer = { kind: 'unknown', reason: 'sending broke off' };

const ROOM = 'there is room';
/** How much pace is reserved at once. */
const RESERVE_MS = 50;
const STEP_MS = 10;
/** How far requests may be behind their time before nothing is added. */
const MOST_BEHIND_MS = 100;
/** So long it may be relied upon that sending is allowed: the emergency stop is known everywhere within a second and a half. */
const SURE_MS = 500;
const WITHOUT_PACE_MS = 250;
const ACCOUNT_THROTTLE_MS = 60_000;
const STUCK_FLIGHTS = 5;
const STUCK_MS = 3000;
/** A lane may have as many requests under way as leave in this time at its pace, however fast the platform answers. */
const BASE_SECONDS = 2;
/** Answers vary: room for as many as wait for the usual answer would already cost pace. */
const SLACK = 1.25;
const MIN_FLIGHTS = 8;
/** Share of the newest answer in the usual time of an answer. */
const WEIGHT = 1 / 8;

/** The attempts of one lane, each from the reservation of its pace to its recorded answer. */
export class LaneFlights {
  private readonly health = new LaneHealth();
  private readonly departures = new Departures();
  private readonly room: FlightRoom;
  private accountWaitUntil = 0;
  /** The account is throttled until a message is accepted: attempts in between do not make one wait several. */
  private accountThrottled = false;
  private lastProgressAt = 0;
  /** Between messages, at the pace of the last reservation: it may be cut. */
  private intervalMs = 0;
  private readonly underWay = new Set<Promise<void>>();
  /** There while the lane waits until more may be claimed. */
  private awaited: { sender: Sender; end: AbortController } | null = null;

  constructor(
    private readonly parts: Pick<LaneParts, 'clock' | 'limits' | 'sendGateway' | 'senders' | 'templates'>,
    private readonly lease: Lease,
  ) {
    this.room = new FlightRoom(parts.limits.connections);
  }

  /** Claimed attempts without an answer. */
  get count(): number {
    return this.room.count;
  }

  /** The platform seems to be away: one message at a time, to see whether it is back. */
  get probing(): boolean {
    return this.health.probing;
  }

  /** Milliseconds for which nothing may be claimed; 0 when something may. */
  mustWait(): number {
    const now = this.now();
    // Several requests are out and the platform has been silent for seconds: nothing is to be added.
    const isStuck = this.count >= STUCK_FLIGHTS && now - this.lastProgressAt > STUCK_MS;
    const isBehind = this.departures.behind(now) > MOST_BEHIND_MS;
    if (!this.lease.maySend() || isStuck || isBehind) return RESERVE_MS;
    if (now < this.accountWaitUntil) return this.accountWaitUntil - now;
    return this.health.allowance(now) === 'nothing' ? Math.max(RESERVE_MS, this.health.untilProbe(now)) : 0;
  }

  /** How many attempts may be claimed for one reservation. */
  free(sender: Sender): number {
    if (this.probing) return 1;
    const batch = Math.max(1, Math.ceil(RESERVE_MS / Math.max(this.intervalMs, 1000 / sender.messagesPerSecond)));
    const most = this.room.most(sender.messagesPerSecond);
    const free = most - this.count;
    // A claim of a few costs as much as one of many: rather wait for some more answers.
    return free >= Math.min(batch, Math.ceil(most / 4)) ? Math.min(free, batch) : 0;
  }

  /** Why the lane waits, and until when it tries again: in the past while an attempt is under way. Null when it does not wait. */
  throttle(): LaneThrottle | null {
    const now = this.now();
    const until = (ms: number): Date => new Date(this.parts.clock.now().getTime() + ms);
    if (this.accountThrottled) {
      return { reason: 'account_rate_limited', until: until(this.accountWaitUntil - now) };
    }
    return this.probing ? { reason: 'platform_outage', until: until(this.health.untilProbe(now)) } : null;
  }

  /** Reserves pace and sleeps until it has come; null when by then nothing may be sent any more, or `stopped` is aborted. */
  async reserve(sender: Sender, count: number, use: SendPriority, stopped: AbortSignal): Promise<Reserved | null> {
    const { clock, sendGateway } = this.parts;
    const perSecond = sender.messagesPerSecond;
    const reservation = await sendGateway.reserve({ senderId: sender.id, perSecond, count, use });
    await clock.sleep(reservation?.waitMs ?? WITHOUT_PACE_MS, stopped);
    if (!reservation || stopped.aborted || !this.lease.maySend()) return null;
    // A slow pace must not delay the emergency stop.
    if (await this.isStopped(sender)) return null;
    const { intervalMs } = reservation;
    this.intervalMs = intervalMs;
    const allowedAt = this.now();
    let left = count;
    return {
      get left() {
        return left;
      },
      send: async (flights) => {
        // A claim can wait for a lock of its job: meanwhile sending may have been stopped.
        const isSure = this.now() - allowedAt < SURE_MS || !(await this.isStopped(sender).catch(() => true));
        if (isSure) this.dispatch(sender, flights, intervalMs, count - left);
        else for (const flight of flights) this.follow(this.record(flight, HELD_BACK));
        left -= flights.length;
      },
    };
  }

  /** Resolves when answers have made room for more, at the latest when pace would have come. */
  async moreRoom(sender: Sender): Promise<void> {
    const end = new AbortController();
    this.awaited = { sender, end };
    await this.parts.clock.sleep(RESERVE_MS, end.signal);
    this.awaited = null;
  }

  /** Resolves when every flight has its answer and every answer is recorded. */
  async settled(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  /** `before` messages of the same reservation left ahead of these; all leave in steps of 10 ms. */
  private dispatch(sender: Sender, flights: readonly Flight[], intervalMs: number, before: number): void {
    const now = this.now();
    if (this.count === 0) this.lastProgressAt = now;
    this.room.started(flights.length);
    for (const [index, flight] of flights.entries()) {
      this.health.dispatched(flight.recipient, now);
      const delay = Math.floor(((before + index) * intervalMs) / STEP_MS) * STEP_MS;
      this.follow(this.run(sender, flight, delay));
    }
  }

  private async run(sender: Sender, flight: Flight, delay: number): Promise<void> {
    if (delay > 0) await this.parts.clock.sleep(delay);
    const departure = this.departures.next(this.now(), sender.messagesPerSecond);
    const wait = departure.at - this.now();
    if (wait > 0) await this.parts.clock.sleep(wait);
    const startedAt = this.now();
    const answer = await this.attempt(sender, flight, departure);
    this.lastProgressAt = this.now();
    this.room.ended(answer.kind === 'accepted' ? this.lastProgressAt - startedAt : null);
    if (this.awaited && this.free(this.awaited.sender) > 0) {
      // Without a reason each would cost an exception with its stack.
      this.awaited.end.abort(ROOM);
    }
    await this.record(flight, answer);
  }

  private async attempt(sender: Sender, flight: Flight, departure: Departure): Promise<Answer> {
    if (!this.lease.maySend()) return HELD_BACK;
    const filled = await this.fill(flight.content);
    if ('refusal' in filled) return filled.refusal;
    let held = false;
    try {
      const answer = await this.parts.sendGateway.send(sender, {
        to: flight.to,
        content: filled.content,
        callbackData: flight.callbackData,
        canStillSend: () => {
          held = !this.lease.maySend();
          departure.at = this.now();
          return !held;
        },
      });
      return held ? HELD_BACK : answer;
    } catch {
      // An answer that is lost here would leave its recipient in flight for ever.
      return BROKEN_OFF;
    }
  }

  private async fill(content: Flight['content']): Promise<{ content: OutgoingContent } | { refusal: Answer }> {
    if ('kind' in content) return { content };
    try {
      const { revisionId, parameters, extras } = content;
      const template = await this.parts.templates.revision(revisionId);
      // Recorded by a version without the check, or for contents that the platform has changed since.
      const error = template.errorOfRecipient(parameters);
      if (error) return { refusal: refusalOf(error.code, error.message) };
      return { content: { kind: 'template', template: template.fill(parameters, extras) } };
    } catch (error) {
      if (!(error instanceof DomainError)) return { refusal: HELD_BACK };
      return { refusal: refusalOf(error.code, error.message) };
    }
  }

  private record(flight: Flight, answer: Answer): Promise<void> {
    return flight.record(answer, this.isStrike(flight.recipient, answer));
  }

  /** What an answer says about the platform; true when it counts against its recipient. */
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

  /** Whether nothing of the sender may leave. */
  private async isStopped({ id }: Sender): Promise<boolean> {
    return (await this.parts.senders.byId(id))?.sendingPaused !== false;
  }

  private follow(recorded: Promise<void>): void {
    const done = recorded.then(() => void this.underWay.delete(done));
    this.underWay.add(done);
  }

  private now(): number {
    return this.parts.clock.monotonic();
  }
}

function refusalOf(problem: string, message: string): Answer {
  return { kind: 'refused', scope: 'message', problem, message, platformCode: null };
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
