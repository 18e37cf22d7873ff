import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { requestOrigin, type RequestOrigin } from '../../../kernel/request-context';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { type OutboundMessage, personOf } from '../../messages/domain/message';
import { MessageHistory } from '../../messages/domain/message-history';
import type { Answer } from './answer';
import type { OutgoingContent } from './outgoing-message';
import { SendGateway } from './send-gateway';
import { PLATFORM_UNAVAILABLE, type Problem } from './send-state';
import { SenderSignal } from './sender-signal';
import { MessageRejectedError, NothingSentError, SendingPausedError, WindowClosedError } from './sending.errors';
import type { NewSingleSend } from './single-send-store.port';
import { SingleSends } from './single-sends';

/** A message that has passed its checks. */
export interface SendOrder<Message extends OutboundMessage> {
  /** The message to record; its id is the claim's, its time is set on recording. */
  message: Message;
  /** The API key of the request. */
  keyId: string;
  content: OutgoingContent;
  /** When a waiting message expires: seconds after it is recorded; of a reply, when the person's window closes. */
  validity: { seconds: number } | { windowExpiresAt: Date };
  /** Sealed in the transaction that records the message; if the claim is lost, the message is not recorded. */
  claim: CreationClaim;
}

type Validity = SendOrder<OutboundMessage>['validity'];

/** Longest wait within the request; a longer one queues the message. */
const MAX_WAIT_MS = 1000;
/** An older intent may have been given up by another process and must not be sent. */
const SEND_WITHIN_MS = 2000;

/**
 * The response reports that nothing was sent, so the client may repeat the request and the message must not be sent
 * later.
 */
const UNREACHABLE: Answer = {
  kind: 'refused',
  scope: 'message',
  problem: PLATFORM_UNAVAILABLE.code,
  message: PLATFORM_UNAVAILABLE.message,
  platformCode: null,
};
const TOO_LATE: Answer = { kind: 'held_back', reason: 'the send intent expired' };

/** Sends one message within its request and returns the outcome. */
@Injectable()
export class DirectSends {
  constructor(
    private readonly clock: Clock,
    private readonly senders: SendersService,
    private readonly history: MessageHistory,
    private readonly singleSends: SingleSends,
    private readonly sendGateway: SendGateway,
    private readonly signal: SenderSignal,
  ) {}

  /**
   * Records the message, sends it and returns it as Sent, Queued (it waits for the pace or the platform) or Unknown
   * (the platform did not answer). Throws RecipientOptedOutError, SendingPausedError, NothingSentError; if the platform
   * refuses it permanently MessageRejectedError, or WindowClosedError for a reply.
   */
  async send<Message extends OutboundMessage>(order: SendOrder<Message>): Promise<Message> {
    let sender = await this.activeSender(order.message);
    const reservation = await this.sendGateway.reserve({
      senderId: sender.id,
      perSecond: sender.messagesPerSecond,
      count: 1,
      use: 'single',
      maxWaitMs: MAX_WAIT_MS,
    });
    if (reservation && reservation.waitMs > 0) {
      await this.clock.sleep(reservation.waitMs);
      sender = await this.activeSender(order.message);
    }
    const startedAt = this.clock.monotonic();
    const message = { ...order.message, createdAt: this.clock.now() };
    const result = await this.singleSends.submit({
      send: {
        ...newSend(message, sender, order.validity, reservation !== null),
        createdBy: order.keyId,
        ...requestOrigin(),
      },
      message,
      sender,
      claim: order.claim,
    });
    if (result instanceof Error) throw result;
    if (result === 'queued') {
      this.signal.runnable(sender.id);
      return message;
    }
    const answer = await this.attempt(sender, message, order.content, startedAt);
    return this.conclude(sender, message, answer, order.validity);
  }

  /** The current message; null if none has this id. */
  async currentState(messageId: string): Promise<OutboundMessage | null> {
    const [message] = await this.history.find([messageId]);
    return message ?? null;
  }

  private async activeSender({ accountId, senderId }: OutboundMessage): Promise<Sender> {
    const sender = await this.senders.recorded(accountId, senderId);
    if (sender.sendingPaused) throw new SendingPausedError();
    return sender;
  }

  private async attempt(
    sender: Sender,
    message: OutboundMessage,
    content: OutgoingContent,
    startedAt: number,
  ): Promise<Answer> {
    let tooLate = false;
    const answer = await this.sendGateway.send(sender, {
      to: personOf(message),
      content,
      callbackData: `${message.id}.1`,
      canStillSend: () => {
        tooLate = this.clock.monotonic() - startedAt > SEND_WITHIN_MS;
        return !tooLate;
      },
    });
    return tooLate ? TOO_LATE : answer;
  }

  private async conclude<Message extends OutboundMessage>(
    sender: Sender,
    message: Message,
    answer: Answer,
    validity: Validity,
  ): Promise<Message> {
    const unreachable = answer.kind === 'not_sent';
    const recorded = unreachable ? UNREACHABLE : answer;
    const state = await this.singleSends.record({ messageId: message.id, attempt: 1, answer: recorded });
    if (unreachable) throw new NothingSentError();
    if (state?.outcome === 'Sent') {
      if (recorded.kind === 'accepted') {
        return { ...message, status: 'Sent', platformMessageId: recorded.platformMessageId };
      }
      // A status arrived before the answer and recorded the platform's id.
      const known = await this.currentState(message.id).catch(() => null);
      return { ...message, status: 'Sent', platformMessageId: known?.platformMessageId ?? null };
    }
    if (state?.outcome === 'Failed' && state.problem) throw refusalOf(state.problem, message.id, validity);
    if (state?.outcome === 'Unknown') return { ...message, status: 'Unknown' };
    this.signal.runnable(sender.id);
    return message;
  }
}

function newSend(
  message: OutboundMessage,
  sender: Sender,
  validity: Validity,
  direct: boolean,
): Omit<NewSingleSend, 'createdBy' | keyof RequestOrigin> {
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
    validUntil:
      'seconds' in validity
        ? new Date(message.createdAt.getTime() + validity.seconds * 1000)
        : validity.windowExpiresAt,
  };
}

function refusalOf(problem: Problem, messageId: string, validity: Validity): Error {
  if (problem.code !== 'window_closed' || 'seconds' in validity) return new MessageRejectedError(problem, messageId);
  return new WindowClosedError(validity.windowExpiresAt, messageId);
}
