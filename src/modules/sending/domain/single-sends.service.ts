import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { GroupCommit } from '../../../kernel/group-commit';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { MessageHistory } from '../../chat-history/domain/message-history.service';
import type { Sender } from '../../accounts/domain/sender';
import { type MessageOutcome, type OutboundMessage, personOf } from '../../chat-history/domain/message';
import type { AttemptAnswer, Problem, SendState } from './send-state';
import { ERASED, EXPIRED, OPTED_OUT, OUTCOME_UNKNOWN, settle, WINDOW_CLOSED } from './send-state';
import { TierBudget } from './tier-budget.service';
import { type SingleSend, SingleSendStore } from './single-send-store.port';
import { Willingness } from './willingness.service';

/** An attempt that its claim has begun, with what is to be sent. */
export interface ClaimedSingleSend {
  send: SingleSend;
  message: OutboundMessage;
}

/** A message that is to be sent, and by whom. */
export interface SendIntent extends ClaimedSingleSend {
  sender: Sender;
}

/** How long answers are waited for. */
export abstract class SingleSendTimes {
  /** From the intent to the moment when a missing answer counts as unknown. */
  abstract readonly giveUpAfterMs: number;
  /** How long an unknown outcome may wait for its trace. */
  abstract readonly graceMs: number;
}

const SWEEP_LIMIT = 500;
/** A message for which the messaging tier has no room asks again this often: the tier may rise, and refusals make room. */
const ASK_TIER_EVERY_MS = 600_000;
const MAX_ANSWERS = 500;

/** The answer to one attempt of one single send. */
export interface SingleSendAnswer extends AttemptAnswer {
  messageId: string;
}

/** The attempts of single sends and what becomes of them, in step with the history. */
@Injectable()
export class SingleSends {
  private readonly answers: GroupCommit<SingleSendAnswer, SendState | null>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: SingleSendStore,
    private readonly history: MessageHistory,
    private readonly times: SingleSendTimes,
    private readonly tierBudget: TierBudget,
    private readonly willingness: Willingness,
    private readonly clock: Clock,
  ) {
    this.answers = new GroupCommit((answers) => this.recordNow(answers), {
      maxItems: MAX_ANSWERS,
      gatherMs: 0,
      onFailure: 'retry',
      clock,
    });
  }

  /**
   * Records that messages are to be sent, in the surrounding unit of work: attempt 1 leaves now, attempt 0 later. Answers
   * which of them leave now: the sender's messaging tier may have no room.
   */
  async begin(intents: readonly SendIntent[]): Promise<boolean[]> {
    const untilWhen = await this.holdBack(intents.filter(({ send }) => send.attempt > 0));
    const sends = intents.map(({ send }): SingleSend => {
      const retryAt = untilWhen.get(send.messageId);
      return retryAt ? { ...send, attempt: 0, retryAt } : send;
    });
    const messages = intents.map(({ message }) => message);
    await this.history.record(messages, messages[0]?.createdAt ?? new Date());
    await this.store.insert(sends, this.times.giveUpAfterMs);
    return sends.map((send) => send.attempt > 0);
  }

  /**
   * Resolves, once the answer is committed, with the state after it; null for a message that does not exist. The answer
   * is held until then, however long the database is away.
   */
  record(answer: SingleSendAnswer): Promise<SendState | null> {
    return this.answers.submit(answer);
  }

  /** Answers that are not committed yet. */
  get pending(): number {
    return this.answers.pending;
  }

  /** Resolves when every answer is committed. */
  settled(): Promise<void> {
    return this.answers.settled();
  }

  /** Begins the next attempt of messages whose time has come, in the surrounding unit of work. */
  async claimDue(sender: Sender, epoch: string, limit: number): Promise<ClaimedSingleSend[]> {
    const sends = await this.store.claimDue(sender.id, epoch, limit, this.times.giveUpAfterMs);
    const messages = new Map((await this.history.find(sends.map((send) => send.messageId))).map((m) => [m.id, m]));
    const claimed = sends.flatMap((send): SendIntent[] => {
      const message = messages.get(send.messageId);
      return message ? [{ send, message, sender }] : [];
    });
    const erased = sends.filter(({ messageId }) => !messages.has(messageId));
    await this.save(
      erased.map((send) => ended(send, 'Failed', ERASED)),
      this.clock.now(),
    );
    const wanted = await this.dropUnwanted(claimed);
    const untilWhen = await this.holdBack(wanted);
    const held = wanted.filter(({ send }) => untilWhen.has(send.messageId));
    if (held.length > 0) {
      await this.store.save(held.map(({ send }) => ({ ...send, retryAt: untilWhen.get(send.messageId)! })));
    }
    return wanted.filter(({ send }) => !untilWhen.has(send.messageId));
  }

  /** A new owner of the lane: requests that an older one had out are unknown now. Joins the unit of work. */
  async strand(senderId: string, epoch: string): Promise<void> {
    const { now, sends } = await this.store.lockStranded(senderId, epoch);
    await this.save(
      sends.map((send) => ({ ...send, outcome: 'Unknown', unknownSince: now, retryAt: null })),
      now,
    );
  }

  /** Ends what has waited long enough: answers that never came, validities that are over, graces that are over. */
  settleOverdue(): Promise<void> {
    return this.unitOfWork.run(async () => {
      const { now, sends } = await this.store.lockOverdue(this.times.graceMs, SWEEP_LIMIT);
      const replies = await this.repliesAmong(sends.filter(isWaiting));
      const settled = sends.map((send): SingleSend => {
        if (send.outcome === 'Unknown') return ended(send, 'Unknown', OUTCOME_UNKNOWN);
        if (isWaiting(send)) return ended(send, 'Failed', replies.has(send.messageId) ? WINDOW_CLOSED : EXPIRED);
        return { ...send, outcome: 'Unknown', unknownSince: now };
      });
      await this.save(settled, now);
    });
  }

  /** Records answers in the surrounding unit of work, or in one of their own; see `record`. */
  recordNow(answers: readonly SingleSendAnswer[]): Promise<(SendState | null)[]> {
    return this.unitOfWork.run(async () => {
      const { now, sends } = await this.store.lock(answers.map(({ messageId }) => messageId));
      const byId = new Map(sends.map((send) => [send.messageId, send]));
      const changed = new Set<string>();
      const platformIds = new Map<string, string>();
      for (const { messageId, ...answer } of answers) {
        const send = byId.get(messageId);
        const next = send && settle(send, answer, { now, ended: false, waitsForJob: false });
        if (!next) continue;
        byId.set(messageId, { ...send, ...next });
        changed.add(messageId);
        if (answer.answer.kind === 'accepted') platformIds.set(messageId, answer.answer.platformMessageId);
      }
      await this.save(
        [...byId.values()].filter((send) => changed.has(send.messageId)),
        now,
        platformIds,
      );
      return answers.map(({ messageId }) => byId.get(messageId) ?? null);
    });
  }

  /** A reply is valid as long as the person's window is open. */
  private async repliesAmong(sends: readonly SingleSend[]): Promise<Set<string>> {
    const messages = await this.history.find(sends.map((send) => send.messageId));
    return new Set(messages.filter(({ type }) => type !== 'Template').map(({ id }) => id));
  }

  /** Ends those whose people have opted out since they were asked for; the others. */
  private async dropUnwanted(claimed: readonly SendIntent[]): Promise<SendIntent[]> {
    const unwanted = await this.willingness.unwanted(claimed.map(({ message }) => message));
    const dropped = claimed.filter(({ message }) => unwanted.has(message.id));
    await this.save(
      dropped.map(({ send }) => ended(send, 'Skipped', OPTED_OUT)),
      this.clock.now(),
    );
    return claimed.filter(({ message }) => !unwanted.has(message.id));
  }

  /** Takes room in the messaging tiers; the messages that have none, and when to try again. */
  private async holdBack(all: readonly SendIntent[]): Promise<Map<string, Date>> {
    // Whoever wrote within 24 h has started the conversation: only a template may start another one.
    const intents = all.filter(({ message }) => message.type === 'Template');
    const held = new Map<string, Date>();
    const askAgainAt = new Date(this.clock.now().getTime() + ASK_TIER_EVERY_MS);
    const senders = [...new Map(intents.map((intent) => [intent.sender.id, intent.sender])).values()];
    // Each portfolio stays locked to the end of the transaction: every process takes them in the same order.
    for (const sender of senders.sort((a, b) => (a.portfolioId < b.portfolioId ? -1 : 1))) {
      const wishes = intents
        .filter((intent) => intent.sender.id === sender.id)
        .map(({ message }) => ({ person: personOf(message), messageId: message.id }));
      const { granted, until } = await this.tierBudget.takeEach(sender, wishes);
      wishes.forEach(({ messageId }, index) => {
        if (!granted[index] && until) held.set(messageId, until < askAgainAt ? until : askAgainAt);
      });
    }
    return held;
  }

  private async save(sends: SingleSend[], now: Date, platformIds?: Map<string, string>): Promise<void> {
    if (sends.length === 0) return;
    await this.store.save(sends);
    const outcomes = sends.map((send): MessageOutcome => ({
      id: send.messageId,
      status: messageStatus(send),
      problem: send.problem,
      platformMessageId: platformIds?.get(send.messageId) ?? null,
    }));
    await this.history.recordOutcomes(outcomes, now);
    const refused = sends.filter(({ outcome }) => outcome === 'Failed' || outcome === 'Skipped');
    this.tierBudget.giveBackLater(refused.map(({ messageId }) => messageId));
  }
}

/** What the history shows for a state: what was unknown to the end is a failure there. */
export function messageStatus(state: SendState): MessageOutcome['status'] {
  if (state.outcome === null) return 'Queued';
  if (state.outcome === 'Unknown') return state.problem ? 'Failed' : 'Unknown';
  return state.outcome === 'Skipped' ? 'Failed' : state.outcome;
}

function isWaiting({ outcome, retryAt }: SingleSend): boolean {
  return outcome === null && retryAt !== null;
}

function ended(send: SingleSend, outcome: 'Failed' | 'Skipped' | 'Unknown', problem: Problem): SingleSend {
  return { ...send, outcome, problem, retryAt: null, unknownSince: null };
}
