import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { MessageHistory } from '../../messages/domain/message-history.service';
import type { Sender } from '../../accounts/domain/sender';
import { type OutboundMessage, personOf } from '../../messages/domain/message';
import type { StatusUpdate } from '../../messages/domain/status-update';
import { AttemptRecorder, type RowChange } from './attempt-recorder';
import { readAttemptTrace } from './attempt-trace';
import {
  type AttemptAnswer,
  ended,
  ERASED,
  EXPIRED,
  messageStatus,
  OPTED_OUT,
  OUTCOME_UNKNOWN,
  type SettleRules,
  unknownFrom,
  WINDOW_CLOSED,
} from './send-state';
import { TierBudget } from './tier-budget.service';
import { type LockedSends, type NewSingleSend, type SingleSend, SingleSendStore } from './single-send-store.port';
import { OptOutCheck } from './opt-out-check.service';

/** An attempt that its claim has begun, with what is to be sent. */
export interface ClaimedSingleSend {
  send: SingleSend;
  message: OutboundMessage;
}

/** A message that is to be sent, and by whom. */
export interface SendIntent extends ClaimedSingleSend {
  sender: Sender;
}

/** A message that a request sends. */
export interface NewIntent extends SendIntent {
  send: NewSingleSend;
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
/** Messages that ask for room together. */
const ASK_TOGETHER = 500;

/** The answer to one attempt of one single send. */
export interface SingleSendAnswer extends AttemptAnswer {
  messageId: string;
}

/** The attempts of single sends and what becomes of them, in step with the history. */
@Injectable()
export class SingleSends extends AttemptRecorder<SingleSendAnswer, SingleSend> {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly store: SingleSendStore,
    private readonly history: MessageHistory,
    private readonly times: SingleSendTimes,
    tierBudget: TierBudget,
    private readonly optOutCheck: OptOutCheck,
    private readonly clock: Clock,
  ) {
    super(unitOfWork, tierBudget, { name: 'single_send_answers', clock, gatherMs: 0, separatesMessages: true });
  }

  /**
   * Records that messages are to be sent, in the surrounding unit of work: attempt 1 leaves now, attempt 0 later. Answers
   * which of them leave now: the sender's messaging tier may have no room.
   */
  async begin(intents: readonly NewIntent[]): Promise<boolean[]> {
    const untilWhen = await this.holdBack(intents.filter(({ send }) => send.attempt > 0));
    const sends = intents.map(({ send }): NewSingleSend => {
      const retryAt = untilWhen.get(send.messageId);
      return retryAt ? { ...send, attempt: 0, retryAt, needsRoom: true } : send;
    });
    const messages = intents.map(({ message }) => message);
    await this.history.record(messages, messages[0]?.createdAt ?? new Date());
    await this.store.insert(sends, this.times.giveUpAfterMs);
    return sends.map((send) => send.attempt > 0);
  }

  /** Statuses prove that the platform accepted: settles the unsettled ones of these updates, in the surrounding unit of work. */
  async settle(updates: readonly StatusUpdate[]): Promise<void> {
    const proofs = new Map<string, { senderId: string; answer: SingleSendAnswer }>();
    for (const { callbackData, platformMessageId, senderId } of updates) {
      const sent = readAttemptTrace(callbackData);
      if (!sent || sent.recipient) continue;
      const { messageId, attempt } = sent;
      const answer: SingleSendAnswer = { messageId, attempt, answer: { kind: 'accepted', platformMessageId } };
      proofs.set(messageId, { senderId, answer });
    }
    if (proofs.size === 0) return;
    // Nearly all of them are settled: those are neither locked nor written.
    const unsettled = await this.store.unsettled([...proofs.keys()]);
    const answers = unsettled.flatMap(({ messageId, senderId }) => {
      const proof = proofs.get(messageId);
      return proof?.senderId === senderId ? [proof.answer] : [];
    });
    if (answers.length > 0) await this.recordNow(answers);
  }

  /** Whether the sender has a message whose time to be sent has come; those without room in its messaging tier ask again. */
  async isDue(sender: Sender): Promise<boolean> {
    const { toSend, toAsk } = await this.store.due(sender.id);
    const gotRoom = toAsk && (await this.askForRoom(sender));
    return toSend || gotRoom;
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
    await this.move(erased, (send) => ended(send, 'Failed', ERASED), this.clock.now());
    const willing = await this.dropOptedOut(claimed);
    const untilWhen = await this.holdBack(willing);
    const held = willing.filter(({ send }) => untilWhen.has(send.messageId));
    if (held.length > 0) {
      const retryAt = ({ messageId }: SingleSend): Date => untilWhen.get(messageId)!;
      await this.store.save(held.map(({ send }) => ({ ...send, retryAt: retryAt(send), needsRoom: true })));
      // Otherwise thousands would find out one by one that there is no room, and hold up those that need none.
      await this.store.askFirst(sender.id);
    }
    return willing.filter(({ send }) => !untilWhen.has(send.messageId));
  }

  /** Takes room for messages that had none, so that they can be claimed; whether there was any. */
  private askForRoom(sender: Sender): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const held = await this.store.lockHeld(sender.id, ASK_TOGETHER);
      const messages = await this.history.find(held.map((send) => send.messageId));
      const sends = new Map(held.map((send) => [send.messageId, send]));
      const intents = messages.map((message) => ({ send: sends.get(message.id)!, message, sender }));
      const untilWhen = await this.holdBack(intents);
      // In one statement: thousands that wait must not cost thousands of them.
      await this.store.save(
        held.map((send) => {
          const retryAt = untilWhen.get(send.messageId);
          return retryAt ? { ...send, retryAt } : { ...send, needsRoom: false };
        }),
      );
      return untilWhen.size < held.length;
    });
  }

  /** A new owner of the lane: requests that an older one had out are unknown now. Joins the unit of work. */
  async strand(senderId: string, epoch: string): Promise<void> {
    await this.endAsUnknown(await this.store.lockStranded(senderId, epoch));
  }

  /** After a restore nobody knows whether an open one was sent meanwhile: ends at most `limit` as Unknown; how many. */
  endOpenAsUnknown(limit: number): Promise<number> {
    return this.unitOfWork.run(async () => this.endAsUnknown(await this.store.lockOpen(limit)));
  }

  /** Ends what has waited long enough: answers that never came, validities that are over, graces that are over. */
  settleOverdue(): Promise<void> {
    return this.unitOfWork.run(async () => {
      const { now, sends } = await this.store.lockOverdue(this.times.graceMs, SWEEP_LIMIT);
      const replies = await this.repliesAmong(sends.filter(isWaiting));
      const settled = (send: SingleSend): SingleSend => {
        if (send.outcome === 'Unknown') return ended(send, 'Unknown', OUTCOME_UNKNOWN);
        if (isWaiting(send)) return ended(send, 'Failed', replies.has(send.messageId) ? WINDOW_CLOSED : EXPIRED);
        return unknownFrom(send, now);
      };
      await this.move(sends, settled, now);
    });
  }

  protected async lock(answers: readonly SingleSendAnswer[]): Promise<{ now: Date; rows: SingleSend[] }> {
    const { now, sends } = await this.store.lock(answers.map(({ messageId }) => messageId));
    return { now, rows: sends };
  }

  protected keyOf({ messageId }: { messageId: string }): string {
    return messageId;
  }

  protected rulesOf(): Omit<SettleRules, 'now'> {
    return { ended: false, waitsForJob: false };
  }

  protected async write(changes: readonly RowChange<SingleSend>[], now: Date): Promise<void> {
    await this.store.save(changes.map(({ after }) => after));
    const outcomes = changes.map(({ after, platformMessageId, acceptance }) => ({
      id: after.messageId,
      status: messageStatus(after),
      problem: after.problem,
      platformMessageId,
      acceptance,
    }));
    await this.history.recordOutcomes(outcomes, now);
  }

  private async endAsUnknown({ now, sends }: LockedSends): Promise<number> {
    await this.move(sends, (send) => unknownFrom(send, now), now);
    return sends.length;
  }

  /** A reply is valid as long as the person's window is open. */
  private async repliesAmong(sends: readonly SingleSend[]): Promise<Set<string>> {
    const messages = await this.history.find(sends.map((send) => send.messageId));
    return new Set(messages.filter(({ type }) => type !== 'Template').map(({ id }) => id));
  }

  /** Ends those whose people have opted out since they were asked for; the others. */
  private async dropOptedOut(claimed: readonly SendIntent[]): Promise<SendIntent[]> {
    const optedOut = await this.optOutCheck.optedOut(claimed.map(({ message }) => message));
    const dropped = claimed.filter(({ message }) => optedOut.has(message.id)).map(({ send }) => send);
    await this.move(dropped, (send) => ended(send, 'Skipped', OPTED_OUT), this.clock.now());
    return claimed.filter(({ message }) => !optedOut.has(message.id));
  }

  /** Takes room in the messaging tiers; the messages that have none, and when to try again. */
  private async holdBack(all: readonly SendIntent[]): Promise<Map<string, Date>> {
    // Whoever wrote within 24 h has started the conversation: only a template may start another one.
    const intents = all.filter(({ message }) => message.type === 'Template');
    const held = new Map<string, Date>();
    const askAgainAt = new Date(this.clock.now().getTime() + ASK_TIER_EVERY_MS);
    const cached = [...new Map(intents.map((intent) => [intent.sender.id, intent.sender])).values()];
    const senders = await Promise.all(cached.map((sender) => this.tierBudget.current(sender)));
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
}

function isWaiting({ outcome, retryAt }: SingleSend): boolean {
  return outcome === null && retryAt !== null;
}
