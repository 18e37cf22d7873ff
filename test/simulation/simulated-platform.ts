import type { Sender } from '../../src/modules/accounts/domain/sender';
import type { ReportedStatus } from '../../src/modules/messages/domain/status-update';
import type { Answer } from '../../src/modules/sending/domain/answer';
import { MessageSender } from '../../src/modules/sending/domain/message-sender.port';
import type { OutgoingContent, OutgoingMessage } from '../../src/modules/sending/domain/outgoing-message';
import type { Dice } from './dice';
import type { Life } from './life';
import type { Scheduler } from './scheduler';

/** The platform's response to all requests for a while. */
export type Mood =
  | 'fine'
  | 'outage'
  | 'unreachable'
  | 'silent'
  | 'throttling'
  | 'account throttling'
  | 'template throttling'
  | 'job refusal';

/** The platform's response to every message to a person. */
export type Fate = 'accepted' | 'refused' | 'wrong message' | 'recipient failure' | 'pair throttled once';

/** Failure rates of single requests. */
export interface PlatformFaults {
  answerLost: number;
  notSent: number;
  outage: number;
  throttled: number;
  /** The response takes seconds, up to the time limit and beyond. */
  slow: number;
}

/** A request that was sent. */
export interface Flight {
  callbackData: string;
  messageId: string;
  attempt: number;
  sender: Sender;
  to: string;
  content: OutgoingContent;
  life: Life;
  departedAt: number;
  answer: Answer | null;
  answeredAt: number | null;
}

/** A status that the platform repeats until it is acknowledged. */
export interface StatusNotice {
  flight: Flight;
  platformMessageId: string;
  word: ReportedStatus;
  /** The person, if the status names both number and user id. */
  recipient: { phone: string; userId: string } | null;
}

/** Observer of the platform. */
export interface PlatformWitness {
  departed(flight: Flight): void;
  accepted(flight: Flight): void;
  answered(flight: Flight): void;
}

const OUTAGE: Answer & { kind: 'outage' } = {
  kind: 'outage',
  suspect: 'platform',
  problem: 'platform_rejected',
  message: 'Service temporarily unavailable',
  platformCode: 2,
};
const RECIPIENT_FAILURE: Answer = {
  ...OUTAGE,
  suspect: 'recipient',
  problem: 'something_went_wrong',
  platformCode: 131000,
};
const THROTTLED: Answer & { kind: 'throttled' } = {
  kind: 'throttled',
  scope: 'pace',
  message: 'Rate limit hit',
  platformCode: 130429,
};

/** The platform: responds by its mood, may lose responses, and remembers accepted messages. */
export class SimulatedPlatform {
  mood: Mood = 'fine';
  faults: PlatformFaults = { answerLost: 0, notSent: 0, outage: 0, throttled: 0, slow: 0 };
  readonly acceptances = new Map<string, Flight[]>();
  readonly refusals = new Map<string, Set<string>>();
  /** Delivers a notice to the service; set by the history. */
  notify: (notice: StatusNotice) => void = () => undefined;
  recipientOf: (flight: Flight) => StatusNotice['recipient'] = () => null;
  private readonly pairThrottled = new Set<string>();
  private ids = 0;

  constructor(
    readonly scheduler: Scheduler,
    readonly dice: Dice,
    readonly witness: PlatformWitness,
    readonly fates: Map<string, Fate>,
    readonly timeoutMs: number,
  ) {}

  /** The response to a request that arrives now; null: none. */
  receive(flight: Flight): Answer | null {
    const { dice, faults } = this;
    if (this.mood === 'outage' || dice.chance(faults.outage)) return OUTAGE;
    if (this.mood === 'throttling' ? dice.chance(0.7) : dice.chance(faults.throttled)) return THROTTLED;
    if (this.mood === 'account throttling') return { ...THROTTLED, scope: 'account', platformCode: 80007 };
    if (this.mood === 'template throttling') {
      // A recipient's second attempt throttles every template of the account.
      return flight.attempt % 2 === 1
        ? { ...THROTTLED, scope: 'template', platformCode: 134101 }
        : { ...THROTTLED, scope: 'templates', platformCode: 131064 };
    }
    if (this.mood === 'job refusal') return this.refuse(flight, 'job', 'template_paused', 132015);
    const silent = this.mood === 'silent';
    if (silent && dice.chance(0.5)) return null;
    const answer = this.decide(flight);
    if (answer.kind === 'accepted') this.accept(flight, answer.platformMessageId);
    return silent ? null : answer;
  }

  private decide(flight: Flight): Answer {
    const fate = this.fates.get(flight.to) ?? 'accepted';
    if (fate === 'refused') return this.refuse(flight, 'recipient', 'recipient_unreachable', 131026);
    if (fate === 'wrong message') return this.refuse(flight, 'message', 'parameter_mismatch', 132000);
    if (fate === 'recipient failure') return RECIPIENT_FAILURE;
    if (fate === 'pair throttled once' && !this.pairThrottled.has(flight.to)) {
      this.pairThrottled.add(flight.to);
      return { ...THROTTLED, scope: 'pair', platformCode: 131056 };
    }
    return { kind: 'accepted', platformMessageId: `wamid.${this.ids++}` };
  }

  private refuse(
    flight: Flight,
    scope: 'recipient' | 'message' | 'job',
    problem: string,
    platformCode: number,
  ): Answer {
    const problems = this.refusals.get(flight.messageId) ?? new Set();
    this.refusals.set(flight.messageId, problems.add(problem));
    return { kind: 'refused', scope, problem, message: problem, platformCode };
  }

  private accept(flight: Flight, platformMessageId: string): void {
    const { dice, scheduler } = this;
    const before = this.acceptances.get(flight.messageId) ?? [];
    this.acceptances.set(flight.messageId, [...before, flight]);
    this.witness.accepted(flight);
    // Some messages have no statuses.
    if (dice.chance(0.4)) return;
    const words: ReportedStatus[] = dice.chance(0.15) ? ['sent', 'failed'] : ['sent', 'delivered', 'read'];
    const late = dice.chance(0.2) ? 60_000 : 3000;
    for (const word of words) {
      if (dice.chance(0.4)) continue;
      const times = dice.chance(0.2) ? 2 : 1;
      for (let time = 0; time < times; time++) {
        scheduler.after(dice.between(1, late), () =>
          this.notify({ flight, platformMessageId, word, recipient: this.recipientOf(flight) }),
        );
      }
    }
  }
}

/** The connection of one process to the platform. */
export class PlatformLink extends MessageSender {
  constructor(
    private readonly platform: SimulatedPlatform,
    private readonly life: Life,
  ) {
    super();
  }

  send(sender: Sender, message: OutgoingMessage): Promise<Answer> {
    const { platform, life } = this;
    const { dice, scheduler } = platform;
    return new Promise((resolve) => {
      life.reach('CONNECT');
      // Connecting takes a moment, during which the process may be frozen.
      scheduler.after(dice.between(0, 5), () =>
        life.act(() => {
          if (!message.canStillSend()) return resolve({ kind: 'not_sent', reason: 'withdrawn' });
          if (platform.mood === 'unreachable' || dice.chance(platform.faults.notSent)) {
            scheduler.after(5, () => life.act(() => resolve({ kind: 'not_sent', reason: 'connection refused' })));
            return;
          }
          this.depart(sender, message, resolve);
        }),
      );
    });
  }

  private depart(sender: Sender, message: OutgoingMessage, resolve: (answer: Answer) => void): void {
    const { platform, life } = this;
    const { dice, scheduler } = platform;
    const [messageId, attempt] = message.callbackData.split('.') as [string, string];
    const flight: Flight = {
      ...{ callbackData: message.callbackData, messageId, attempt: Number(attempt), sender, to: message.to },
      ...{ life, content: message.content, departedAt: scheduler.now, answer: null, answeredAt: null },
    };
    platform.witness.departed(flight);
    const settle = (answer: Answer): void => {
      life.reach('ANSWER!');
      life.act(() => {
        // A process that was frozen finds both the answer and its time limit passed.
        const isLate = scheduler.now - flight.departedAt > platform.timeoutMs && dice.chance(0.5);
        flight.answer = isLate ? { kind: 'unknown', reason: 'timeout' } : answer;
        flight.answeredAt = scheduler.now;
        platform.witness.answered(flight);
        resolve(flight.answer);
      });
    };
    scheduler.after(dice.between(1, 40), () => {
      const problems = platform.receive(flight);
      if (problems === null) {
        scheduler.after(platform.timeoutMs, () => settle({ kind: 'unknown', reason: 'timeout' }));
      } else if (dice.chance(platform.faults.answerLost)) {
        scheduler.after(dice.between(1, 500), () => settle({ kind: 'unknown', reason: 'connection reset' }));
      } else {
        const took = dice.chance(platform.faults.slow)
          ? dice.between(500, platform.timeoutMs - 50)
          : dice.between(1, 80);
        scheduler.after(took, () => settle(problems));
      }
    });
  }
}
