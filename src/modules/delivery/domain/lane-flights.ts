import type { Clock } from '../../../kernel/clock';
import { DomainError } from '../../../kernel/domain-error';
import type { Sender } from '../../accounts/domain/sender';
import type { Answer } from '../../sending/domain/answer';
import type { SendGateway } from '../../sending/domain/send-gateway.service';
import type { OutgoingContent } from '../../sending/domain/outgoing-message';
import type { HeaderMedia } from '../../templates/domain/sendable-template';
import type { TemplatesService } from '../../templates/domain/templates.service';
import type { FlightRoom } from './flight-room';
import type { Lease } from './lease';

/** A template as it was recorded: its contents and values, not filled in yet. */
export interface UnfilledTemplate {
  revisionId: string;
  parameters: string[];
  headerMedia: HeaderMedia | null;
}

/** A claimed attempt: what is to be sent, and what is to be done with its answer. */
export interface Flight {
  /** Whose it is, the same for all attempts to reach them. */
  recipient: string;
  to: string;
  content: UnfilledTemplate | Extract<OutgoingContent, { kind: 'freeForm' }>;
  callbackData: string;
  /** Called once, with the answer; resolves when it is recorded, never rejects. */
  onAnswer: (answer: Answer) => Promise<void>;
}

/** What the lane held back itself: the lease was not sure any more, or the template could not be read. */
export const HELD_BACK: Answer = { kind: 'held_back', reason: 'held back by the lane' };
/** Sending broke off in this process: the request may have left. */
const BROKEN_OFF: Answer = { kind: 'unknown', reason: 'sending broke off' };

const ANSWERED = 'answered';
const STEP_MS = 10;
const STUCK_FLIGHTS = 5;
const STUCK_MS = 3000;

/** The requests of one lane that are out, or about to leave. */
export class LaneFlights {
  private lastProgressAt = 0;
  private readonly underWay = new Set<Promise<void>>();
  /** There while somebody waits for the next answer. */
  private awaited: AbortController | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly sendGateway: SendGateway,
    private readonly templates: TemplatesService,
    private readonly lease: Lease,
    private readonly room: FlightRoom,
  ) {}

  /** Claimed attempts without an answer. */
  get count(): number {
    return this.room.count;
  }

  /** How many there may be at this pace. */
  most(messagesPerSecond: number): number {
    return this.room.most(messagesPerSecond);
  }

  /** Several requests are out and the platform has been silent for seconds: nothing is to be added. */
  get stuck(): boolean {
    return this.count >= STUCK_FLIGHTS && this.clock.monotonic() - this.lastProgressAt > STUCK_MS;
  }

  /**
   * Sends the requests one after the other, `intervalMs` apart, in steps of 10 ms; `before` of the same reservation
   * left ahead of them.
   */
  dispatch(sender: Sender, flights: readonly Flight[], intervalMs: number, before: number): void {
    if (this.count === 0) this.lastProgressAt = this.clock.monotonic();
    this.room.started(flights.length);
    for (const [index, flight] of flights.entries()) {
      const delay = Math.floor(((before + index) * intervalMs) / STEP_MS) * STEP_MS;
      const done = this.run(sender, flight, delay).finally(() => this.underWay.delete(done));
      this.underWay.add(done);
    }
  }

  /** Answers for flights that must not leave any more: they are retried. */
  holdBack(flights: readonly Flight[]): void {
    for (const flight of flights) {
      const done = flight.onAnswer(HELD_BACK).finally(() => this.underWay.delete(done));
      this.underWay.add(done);
    }
  }

  /** Resolves at the next answer, at the latest after `ms`. */
  nextAnswer(ms: number): Promise<void> {
    this.awaited ??= new AbortController();
    return this.clock.sleep(ms, this.awaited.signal);
  }

  /** Resolves when every flight has its answer and every answer is recorded. */
  async settled(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  private async run(sender: Sender, flight: Flight, delay: number): Promise<void> {
    if (delay > 0) await this.clock.sleep(delay);
    const startedAt = this.clock.monotonic();
    // An answer that is lost here would leave its recipient in flight for ever.
    const answer = await this.attempt(sender, flight).catch(() => BROKEN_OFF);
    this.lastProgressAt = this.clock.monotonic();
    this.room.ended(answer.kind === 'accepted' ? this.lastProgressAt - startedAt : null);
    // Without a reason each would cost an exception with its stack.
    this.awaited?.abort(ANSWERED);
    this.awaited = null;
    await flight.onAnswer(answer);
  }

  private async attempt(sender: Sender, flight: Flight): Promise<Answer> {
    if (!this.lease.maySend()) return HELD_BACK;
    const filled = await this.fill(flight.content);
    if ('refusal' in filled) return filled.refusal;
    let held = false;
    const answer = await this.sendGateway.send(sender, {
      to: flight.to,
      content: filled.content,
      callbackData: flight.callbackData,
      canStillSend: () => {
        held = !this.lease.maySend();
        return !held;
      },
    });
    return held ? HELD_BACK : answer;
  }

  private async fill(content: Flight['content']): Promise<{ content: OutgoingContent } | { refusal: Answer }> {
    if ('kind' in content) return { content };
    try {
      const { revisionId, parameters, headerMedia } = content;
      const template = (await this.templates.revision(revisionId)).fill(parameters, headerMedia);
      return { content: { kind: 'template', template } };
    } catch (error) {
      if (!(error instanceof DomainError)) return { refusal: HELD_BACK };
      const { code: problem, message } = error;
      return { refusal: { kind: 'refused', scope: 'message', problem, message, platformCode: null } };
    }
  }
}
