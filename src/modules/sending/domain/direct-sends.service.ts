import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { GroupCommit } from '../../../kernel/group-commit';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { type OutboundMessage, personOf } from '../../chat-history/domain/message';
import { MessageHistory } from '../../chat-history/domain/message-history.service';
import type { Answer } from './answer';
import type { OutgoingContent } from './outgoing-message';
import { Outlet } from './outlet.service';
import type { Problem } from './send-state';
import { SenderSignal } from './sender-signal';
import { PlatformUnavailableError, RecipientOptedOutError, SendingPausedError } from './sending.errors';
import type { SingleSend } from './single-send-store.port';
import { type SendIntent, SingleSends } from './single-sends.service';
import { Willingness } from './willingness.service';

/** One message that has passed its checks. */
export interface SendOrder<Message extends OutboundMessage> {
  /** As it is to be recorded; its time is set at that moment. Its id was chosen beforehand, so that a repeated request finds it. */
  message: Message;
  content: OutgoingContent;
  /** After this moment it is not sent any more, where it had to wait. */
  validUntil: (createdAt: Date) => Date;
  /** What the client hears when the platform refused the message for good. */
  refusal: (problem: Problem) => Error;
  /** Runs in the transaction that records the message; its failure leaves no trace of the message. */
  seal: () => Promise<void>;
}

interface Intent extends SendIntent {
  seal: () => Promise<void>;
}

/** Whether the request of a recorded message leaves now, or the lane sends it later. */
type Begun = 'leaves' | 'queued';

/** A wait up to this is slept off in the request; a longer one queues the message. */
const MAX_WAIT_MS = 1000;
/** An intent older than this may have been given up by others: its request must not leave any more. */
const SEND_WITHIN_MS = 2000;
const MAX_INTENTS = 200;

/** The client hears that nothing was sent and may repeat: so the message ends here and is not sent later. */
const UNREACHABLE: Answer = {
  kind: 'refused',
  scope: 'message',
  problem: 'platform_unavailable',
  message: 'The platform could not be reached; nothing was sent.',
  platformCode: null,
};
const TOO_LATE: Answer = { kind: 'held_back', reason: 'the intent was too old' };

/** Sends one message in the request that asks for it, and says what became of it. */
@Injectable()
export class DirectSends {
  private readonly intents: GroupCommit<Intent, Error | Begun>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly senders: SendersService,
    private readonly willingness: Willingness,
    private readonly history: MessageHistory,
    private readonly singleSends: SingleSends,
    private readonly outlet: Outlet,
    private readonly signal: SenderSignal,
  ) {
    this.intents = new GroupCommit((items) => this.commitIntents(items), {
      maxItems: MAX_INTENTS,
      gatherMs: 0,
      onFailure: 'reject',
      clock: this.clock,
    });
  }

  /**
   * Records the message, sends it and answers it as it then is: Sent, Queued (it waits for the pace or the platform) or
   * Unknown (no answer came back). Throws what refuses it: RecipientOptedOutError, SendingPausedError, the order's own
   * refusal, PlatformUnavailableError.
   */
  async send<Message extends OutboundMessage>(order: SendOrder<Message>): Promise<Message> {
    const { accountId } = order.message;
    let sender = await this.activeSender(accountId);
    const departure = await this.outlet.reserve({
      senderId: sender.id,
      perSecond: sender.messagesPerSecond,
      count: 1,
      use: 'single',
      maxWaitMs: MAX_WAIT_MS,
    });
    if (departure && departure.waitMs > 0) {
      await this.clock.sleep(departure.waitMs);
      sender = await this.activeSender(accountId);
    }
    const begun = this.clock.monotonic();
    const message = { ...order.message, createdAt: this.clock.now() };
    const begunAs = await this.intents.submit({
      send: newSend(message, sender, order.validUntil(message.createdAt), departure !== null),
      message,
      sender,
      seal: order.seal,
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
    const answer = await this.outlet.send(sender, {
      to: personOf(message),
      content,
      callbackData: `${message.id}.1`,
      mayLeave: () => {
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
    if (unreachable) throw new PlatformUnavailableError();
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
  private commitIntents(intents: Intent[]): Promise<(Error | Begun)[]> {
    return this.unitOfWork.run(async () => {
      const refusals = new Map<Intent, Error>();
      const unwanted = await this.willingness.unwanted(intents.map(({ message }) => message));
      for (const intent of intents) {
        if (unwanted.has(intent.message.id)) refusals.set(intent, new RecipientOptedOutError());
      }
      for (const intent of intents) {
        if (refusals.has(intent)) continue;
        // A lost idempotency claim refuses its own request, not the ones that share the transaction.
        await intent.seal().catch((error: unknown) => refusals.set(intent, error as Error));
      }
      const begun = intents.filter((intent) => !refusals.has(intent));
      const leaving = begun.length > 0 ? await this.singleSends.begin(begun) : [];
      return intents.map((intent) => refusals.get(intent) ?? (leaving[begun.indexOf(intent)] ? 'leaves' : 'queued'));
    });
  }
}

function newSend(message: OutboundMessage, sender: Sender, validUntil: Date, direct: boolean): SingleSend {
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
    validUntil,
  };
}
