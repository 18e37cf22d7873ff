import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { GroupCommit } from '../../../kernel/group-commit';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { type OutboundMessage, personOf } from '../../messages/domain/message';
import { MessageHistory } from '../../messages/domain/message-history.service';
import type { Answer } from './answer';
import type { OutgoingContent } from './outgoing-message';
import { SendGateway } from './send-gateway.service';
import { PLATFORM_UNAVAILABLE, type Problem } from './send-state';
import { SenderSignal } from './sender-signal';
import { NothingSentError, RecipientOptedOutError, SendingPausedError } from './sending.errors';
import type { NewSingleSend } from './single-send-store.port';
import { type NewIntent, SingleSends } from './single-sends.service';
import { OptOutCheck } from './opt-out-check.service';

/** One message that has passed its checks. */
export interface SendOrder<Message extends OutboundMessage> {
  /** As it is to be recorded; its id is the claim's, its time is set at that moment. */
  message: Message;
  /** The API key of the request. */
  keyId: string;
  content: OutgoingContent;
  /** After this moment it is not sent any more, where it had to wait. */
  validUntil: (createdAt: Date) => Date;
  /** The error of the request when the platform refused the message for good. */
  refusal: (problem: Problem) => Error;
  /** Sealed in the transaction that records the message; where it is lost, no trace of the message is left. */
  claim: CreationClaim;
}

interface Intent extends NewIntent {
  claim: CreationClaim;
}

/** Whether the request of a recorded message leaves now, or the lane sends it later. */
type Begun = 'leaves' | 'queued';

/** A wait up to this is slept off in the request; a longer one queues the message. */
const MAX_WAIT_MS = 1000;
/** An intent older than this may have been given up by others: its request must not leave any more. */
const SEND_WITHIN_MS = 2000;
const MAX_INTENTS = 200;

/** The client learns that nothing was sent and may repeat the request: so the message is not sent later. */
const UNREACHABLE: Answer = {
  kind: 'refused',
  scope: 'message',
  problem: PLATFORM_UNAVAILABLE.code,
  message: PLATFORM_UNAVAILABLE.message,
  platformCode: null,
};
const TOO_LATE: Answer = { kind: 'held_back', reason: 'the send intent expired' };

/** Sends one message in the request that asks for it, and says what became of it. */
@Injectable()
export class DirectSends {
  private readonly intents: GroupCommit<Intent, Error | Begun>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly senders: SendersService,
    private readonly optOutCheck: OptOutCheck,
    private readonly history: MessageHistory,
    private readonly singleSends: SingleSends,
    private readonly sendGateway: SendGateway,
    private readonly signal: SenderSignal,
  ) {
    this.intents = new GroupCommit((items, lockWaitMs) => this.commitIntents(items, lockWaitMs), {
      maxItems: MAX_INTENTS,
      gatherMs: 0,
      separate: { ownerOf: ({ message }) => message.accountId, keyOf: ({ message }) => personOf(message) },
      clock: this.clock,
    });
  }

  /**
   * Records the message, sends it and answers it as it then is: Sent, Queued (it waits for the pace or the platform) or
   * Unknown (no answer came back). Throws what refuses it: RecipientOptedOutError, SendingPausedError, the order's own
   * refusal, NothingSentError.
   */
  async send<Message extends OutboundMessage>(order: SendOrder<Message>): Promise<Message> {
    const { accountId } = order.message;
    let sender = await this.activeSender(accountId);
    const reservation = await this.sendGateway.reserve({
      senderId: sender.id,
      perSecond: sender.messagesPerSecond,
      count: 1,
      use: 'single',
      maxWaitMs: MAX_WAIT_MS,
    });
    if (reservation && reservation.waitMs > 0) {
      await this.clock.sleep(reservation.waitMs);
      sender = await this.activeSender(accountId);
    }
    const begun = this.clock.monotonic();
    const message = { ...order.message, createdAt: this.clock.now() };
    const begunAs = await this.intents.submit({
      send: {
        ...newSend(message, sender, order.validUntil(message.createdAt), reservation !== null),
        createdBy: order.keyId,
      },
      message,
      sender,
      claim: order.claim,
    });
    if (begunAs instanceof Error) throw begunAs;
    if (begunAs === 'queued') {
      this.signal.runnable(sender.id);
      return message;
    }
    const answer = await this.attempt(sender, message, order.content, begun);
    return this.conclude(sender, message, answer, order.refusal);
  }

  /** The message as it is now; null when there is none with this id. */
  async presentState(messageId: string): Promise<OutboundMessage | null> {
    const [message] = await this.history.find([messageId]);
    return message ?? null;
  }

  private async activeSender(accountId: string): Promise<Sender> {
    const sender = await this.senders.ofAccount(accountId);
    if (sender.sendingPaused) throw new SendingPausedError();
    return sender;
  }

  private async attempt(
    sender: Sender,
    message: OutboundMessage,
    content: OutgoingContent,
    begun: number,
  ): Promise<Answer> {
    let tooLate = false;
    const answer = await this.sendGateway.send(sender, {
      to: personOf(message),
      content,
      callbackData: `${message.id}.1`,
      canStillSend: () => {
        tooLate = this.clock.monotonic() - begun > SEND_WITHIN_MS;
        return !tooLate;
      },
    });
    return tooLate ? TOO_LATE : answer;
  }

  private async conclude<Message extends OutboundMessage>(
    sender: Sender,
    message: Message,
    answer: Answer,
    refusal: (problem: Problem) => Error,
  ): Promise<Message> {
    const unreachable = answer.kind === 'not_sent';
    const recorded = unreachable ? UNREACHABLE : answer;
    const state = await this.singleSends.record({ messageId: message.id, attempt: 1, answer: recorded });
    if (unreachable) throw new NothingSentError();
    if (state?.outcome === 'Sent') {
      if (recorded.kind === 'accepted') {
        return { ...message, status: 'Sent', platformMessageId: recorded.platformMessageId };
      }
      // A status was quicker than the answer, and knew the platform's id.
      const known = await this.presentState(message.id).catch(() => null);
      return { ...message, status: 'Sent', platformMessageId: known?.platformMessageId ?? null };
    }
    if (state?.outcome === 'Failed' && state.problem) throw refusal(state.problem);
    if (state?.outcome === 'Unknown') return { ...message, status: 'Unknown' };
    this.signal.runnable(sender.id);
    return message;
  }

  /** One transaction for the intents of a moment; the answer to each is what refuses it, or how it begins. */
  private commitIntents(intents: Intent[], lockWaitMs?: number): Promise<(Error | Begun)[]> {
    return this.unitOfWork.run(async () => {
      const refusals = new Map<Intent, Error>();
      const optedOut = await this.optOutCheck.optedOut(intents.map(({ message }) => message));
      for (const intent of intents) {
        if (optedOut.has(intent.message.id)) refusals.set(intent, new RecipientOptedOutError());
      }
      for (const intent of intents) {
        if (refusals.has(intent)) continue;
        // A lost idempotency claim refuses its own request, not the ones that share the transaction.
        await intent.claim.seal().catch((error: unknown) => refusals.set(intent, error as Error));
      }
      const begun = intents.filter((intent) => !refusals.has(intent));
      const leaving = begun.length > 0 ? await this.singleSends.begin(begun) : [];
      return intents.map((intent) => refusals.get(intent) ?? (leaving[begun.indexOf(intent)] ? 'leaves' : 'queued'));
    }, lockWaitMs);
  }
}

function newSend(
  message: OutboundMessage,
  sender: Sender,
  validUntil: Date,
  direct: boolean,
): Omit<NewSingleSend, 'createdBy'> {
  return {
    messageId: message.id,
    senderId: sender.id,
    attempt: direct ? 1 : 0,
    strikes: 0,
    throttles: 0,
    retryAt: direct ? null : message.createdAt,
    unknownSince: null,
    outcome: null,
    problem: null,
    needsRoom: false,
    validUntil,
  };
}
