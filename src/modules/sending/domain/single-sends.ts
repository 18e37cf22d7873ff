import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { GroupCommit } from '../../../kernel/group-commit';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { MessageHistory } from '../../messages/domain/message-history';
import type { Sender } from '../../accounts/domain/sender';
import { type OutboundMessage, personOf } from '../../messages/domain/message';
import type { StatusUpdate } from '../../messages/domain/status-update';
import { readAttemptTrace } from './attempt-trace';
import {
  type AttemptAnswer,
  changed,
  ended,
  ERASED,
  EXPIRED,
  messageStatus,
  OPTED_OUT,
  OUTCOME_UNKNOWN,
  type RowChange,
  type SendState,
  settleAll,
  unknownFrom,
  unsentMessages,
  WINDOW_CLOSED,
} from './send-state';
import { RecipientOptedOutError } from './sending.errors';
import { TierBudget } from './tier-budget';
import { type LockedSends, type NewSingleSend, type SingleSend, SingleSendStore } from './single-send-store.port';
import { OptOutCheck } from './opt-out-check';

/** A claimed attempt with its message. */
export interface ClaimedSingleSend {
  send: SingleSend;
  message: OutboundMessage;
}

/** A message to be sent, with its sender. */
export interface SendIntent extends ClaimedSingleSend {
  sender: Sender;
}

/** A message sent by a request: attempt 1 is sent now, attempt 0 later. */
export interface NewIntent extends SendIntent {
  send: NewSingleSend;
  /** Sealed in the transaction that records the message. */
  claim: CreationClaim;
}

/** Whether a recorded message is sent now, or later by the lane. */
type Dispatch = 'now' | 'queued';

/** Time limits of single sends. */
export abstract class SingleSendTimes {
  /** From the intent until a missing answer counts as unknown. */
  abstract readonly giveUpAfterMs: number;
  /** How long an unknown outcome may still be settled. */
  abstract readonly graceMs: number;
}

const MAX_INTENTS = 200;
const MAX_ANSWERS = 500;
const SWEEP_LIMIT = 500;
/**
 * Interval at which a held message requests room in the messaging tier again: the tier may rise, and refusals free
 * room.
 */
const TIER_RETRY_MS = 600_000;
/** Messages that request room together. */
const ROOM_BATCH = 500;

/** The answer to one attempt of one single send. */
export interface SingleSendAnswer extends AttemptAnswer {
  messageId: string;
}

/**
 * The attempts of single sends and their outcomes, in step with the history. It holds an answer until it is committed, however long
 * the database is unavailable.
 */
@Injectable()
export class SingleSends {
  private readonly intents: GroupCommit<NewIntent, Error | Dispatch>;
  /** Number of answers not committed yet. */
  readonly answers: GroupCommit<SingleSendAnswer, SendState | null>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: SingleSendStore,
    private readonly history: MessageHistory,
    private readonly times: SingleSendTimes,
    private readonly tierBudget: TierBudget,
    private readonly optOutCheck: OptOutCheck,
    private readonly clock: Clock,
  ) {
    this.intents = new GroupCommit((intents, lockWaitMs) => this.commitIntents(intents, lockWaitMs), {
      maxItems: MAX_INTENTS,
      gatherMs: 0,
      separate: { ownerOf: ({ message }) => message.accountId, keyOf: ({ message }) => personOf(message) },
      clock,
    });
    this.answers = new GroupCommit((answers, lockWaitMs) => this.recordNow(answers, lockWaitMs), {
      retryAs: 'single_send_answers',
      maxItems: MAX_ANSWERS,
      gatherMs: 0,
      clock,
      // Each answer needs only the rows of its message, so a locked row does not delay other answers.
      separate: { ownerOf: ({ messageId }) => messageId, keyOf: ({ messageId }) => messageId },
    });
  }

  /**
   * Records a message to send. Resolves, once it is committed, with how it is sent: the messaging tier may have no room. Otherwise the
   * result is RecipientOptedOutError or the error of its claim.
   */
  submit(intent: NewIntent): Promise<Error | Dispatch> {
    return this.intents.submit(intent);
  }

  /** Resolves, once it is committed, with the message's state after it; null for a message that does not exist. */
  record(answer: SingleSendAnswer): Promise<SendState | null> {
    return this.answers.submit(answer);
  }

  /** Records answers in the surrounding unit of work, or in a new one with this `lockWaitMs`; see `record`. */
  recordNow(answers: readonly SingleSendAnswer[], lockWaitMs?: number): Promise<(SendState | null)[]> {
    return this.unitOfWork.run(async () => {
      const { now, sends } = await this.store.lock(answers.map(({ messageId }) => messageId));
      const locked = new Map(sends.map((send) => [send.messageId, send]));
      const rules = { now, insteadOfRetry: null, waitsForJob: false, isUnclaimed: false };
      const answered = answers.map((answer) => ({ row: locked.get(answer.messageId), answer, rules }));
      const { changes, states } = settleAll(answered);
      await this.save(changes, now);
      return states;
    }, lockWaitMs);
  }

  /** Commits a batch of intents in one transaction. */
  private commitIntents(intents: readonly NewIntent[], lockWaitMs?: number): Promise<(Error | Dispatch)[]> {
    return this.unitOfWork.run(async () => {
      const refusals = new Map<NewIntent, Error>();
      const optedOut = await this.optOutCheck.optedOut(intents.map(({ message }) => message));
      for (const intent of intents) {
        if (optedOut.has(intent.message.id)) refusals.set(intent, new RecipientOptedOutError());
        // A lost idempotency claim fails only its own request, not the others in the transaction.
        else await intent.claim.seal().catch((error: unknown) => refusals.set(intent, error as Error));
      }
      const recorded = intents.filter((intent) => !refusals.has(intent));
      if (recorded.length === 0) return intents.map((intent) => refusals.get(intent)!);
      const heldUntil = await this.holdBack(recorded.filter(({ send }) => send.attempt > 0));
      const sends = recorded.map(({ send }): NewSingleSend => {
        const retryAt = heldUntil.get(send.messageId);
        return retryAt ? { ...send, attempt: 0, retryAt, needsRoom: true } : send;
      });
      const messages = recorded.map(({ message }) => message);
      await this.history.record(messages, messages[0]!.createdAt);
      await this.store.insert(sends, this.times.giveUpAfterMs);
      const sentNow = new Set(sends.filter(({ attempt }) => attempt > 0).map(({ messageId }) => messageId));
      return intents.map((intent) => refusals.get(intent) ?? (sentNow.has(intent.message.id) ? 'now' : 'queued'));
    }, lockWaitMs);
  }

  /** Settles unsettled sends by statuses, which prove acceptance, in the surrounding unit of work. */
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
    // Nearly all are settled: neither lock nor write those.
    const unsettled = await this.store.unsettled([...proofs.keys()]);
    const answers = unsettled.flatMap(({ messageId, senderId }) => {
      const proof = proofs.get(messageId);
      return proof?.senderId === senderId ? [proof.answer] : [];
    });
    if (answers.length > 0) await this.recordNow(answers);
  }

  /** Whether the sender has a due message; requests room again for held ones. */
  async isDue(sender: Sender): Promise<boolean> {
    const { toSend, toRequestRoom } = await this.store.due(sender.id);
    const hasRoom = toRequestRoom && (await this.requestRoom(sender));
    return toSend || hasRoom;
  }

  /** Starts the next attempt of due messages, in the surrounding unit of work. */
  async claimDue(sender: Sender, epoch: string, limit: number): Promise<ClaimedSingleSend[]> {
    const sends = await this.store.claimDue(sender.id, epoch, limit, this.times.giveUpAfterMs);
    const messages = new Map((await this.history.find(sends.map((send) => send.messageId))).map((m) => [m.id, m]));
    const claimed = sends.flatMap((send): SendIntent[] => {
      const message = messages.get(send.messageId);
      return message ? [{ send, message, sender }] : [];
    });
    const erased = sends.filter(({ messageId }) => !messages.has(messageId));
    const failed = erased.map((send) => changed(send, ended(send, 'Failed', ERASED)));
    await this.save(failed, this.clock.now());
    const allowed = await this.skipOptedOut(claimed);
    const heldUntil = await this.holdBack(allowed);
    const held = allowed.filter(({ send }) => heldUntil.has(send.messageId));
    if (held.length > 0) {
      const retryAt = ({ messageId }: SingleSend): Date => heldUntil.get(messageId)!;
      await this.store.save(held.map(({ send }) => ({ ...send, retryAt: retryAt(send), needsRoom: true })));
      // Otherwise thousands would be refused room one by one and delay those that need none.
      await this.store.requireRoom(sender.id);
    }
    return allowed.filter(({ send }) => !heldUntil.has(send.messageId));
  }

  /** Takes room for held messages, so that they can be claimed; returns whether any got room. */
  private requestRoom(sender: Sender): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const held = await this.store.lockHeld(sender.id, ROOM_BATCH);
      const messages = await this.history.find(held.map((send) => send.messageId));
      const sends = new Map(held.map((send) => [send.messageId, send]));
      const intents = messages.map((message) => ({ send: sends.get(message.id)!, message, sender }));
      const heldUntil = await this.holdBack(intents);
      // In one statement, not one per message.
      await this.store.save(
        held.map((send) => {
          const retryAt = heldUntil.get(send.messageId);
          return retryAt ? { ...send, retryAt } : { ...send, needsRoom: false };
        }),
      );
      return heldUntil.size < held.length;
    });
  }

  /** Marks requests in flight under an older owner of the lane as unknown. Joins the unit of work. */
  async strand(senderId: string, epoch: string): Promise<void> {
    await this.endAsUnknown(await this.store.lockStranded(senderId, epoch));
  }

  /**
   * Ends at most `limit` open sends as Unknown, because after a restore they may have been sent meanwhile; returns the
   * number.
   */
  endOpenAsUnknown(limit: number): Promise<number> {
    return this.unitOfWork.run(async () => this.endAsUnknown(await this.store.lockOpen(limit)));
  }

  /** Ends overdue sends: without an answer, expired, or past the grace time. */
  settleOverdue(): Promise<void> {
    return this.unitOfWork.run(async () => {
      const { now, sends } = await this.store.lockOverdue(this.times.graceMs, SWEEP_LIMIT);
      const replies = await this.repliesAmong(sends.filter(isWaiting));
      const changes = sends.map((send) => {
        if (send.outcome === 'Unknown') return changed(send, ended(send, 'Unknown', OUTCOME_UNKNOWN));
        if (!isWaiting(send)) return changed(send, unknownFrom(send, now));
        return changed(send, ended(send, 'Failed', replies.has(send.messageId) ? WINDOW_CLOSED : EXPIRED));
      });
      await this.save(changes, now);
    });
  }

  /** Writes locked rows and the history. */
  private async save(changes: readonly RowChange<SingleSend>[], now: Date): Promise<void> {
    if (changes.length === 0) return;
    await this.store.save(changes.map(({ after }) => after));
    const outcomes = changes.map(({ before, after, platformMessageId, acceptance }) => ({
      id: after.messageId,
      status: messageStatus(after),
      problem: after.problem,
      platformMessageId,
      acceptance,
      wasFailed: messageStatus(before) === 'Failed',
    }));
    await this.history.recordOutcomes(outcomes, now);
    this.tierBudget.giveBackLater(unsentMessages(changes));
  }

  private async endAsUnknown({ now, sends }: LockedSends): Promise<number> {
    const changes = sends.map((send) => changed(send, unknownFrom(send, now)));
    await this.save(changes, now);
    return sends.length;
  }

  /** Replies expire with the person's window. */
  private async repliesAmong(sends: readonly SingleSend[]): Promise<Set<string>> {
    const messages = await this.history.find(sends.map((send) => send.messageId));
    return new Set(messages.filter(({ type }) => type !== 'Template').map(({ id }) => id));
  }

  /** Ends sends whose people have opted out since the request; returns the others. */
  private async skipOptedOut(claimed: readonly SendIntent[]): Promise<SendIntent[]> {
    const optedOut = await this.optOutCheck.optedOut(claimed.map(({ message }) => message));
    const skipped = claimed.filter(({ message }) => optedOut.has(message.id));
    const changes = skipped.map(({ send }) => changed(send, ended(send, 'Skipped', OPTED_OUT)));
    await this.save(changes, this.clock.now());
    return claimed.filter(({ message }) => !optedOut.has(message.id));
  }

  /** Takes room in the messaging tiers; returns the messages without room and when to retry. */
  private async holdBack(intents: readonly SendIntent[]): Promise<Map<string, Date>> {
    const nextRequestAt = new Date(this.clock.now().getTime() + TIER_RETRY_MS);
    // Free-form messages continue a conversation that the person started; only a template can start one.
    const requests = intents
      .filter(({ message }) => message.type === 'Template')
      .map(({ message, sender }) => ({ person: personOf(message), messageId: message.id, sender }));
    const refused = await this.tierBudget.takeEach(requests);
    return new Map([...refused].map(([id, until]) => [id, until < nextRequestAt ? until : nextRequestAt]));
  }
}

function isWaiting({ outcome, retryAt }: SingleSend): boolean {
  return outcome === null && retryAt !== null;
}
