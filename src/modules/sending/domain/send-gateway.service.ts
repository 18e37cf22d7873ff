import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { type Sender, tokenProblem } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { TrafficMarks } from '../../accounts/domain/traffic-marks';
import type { Answer } from './answer';
import { MarketingStops } from './marketing-stops.service';
import { MessageSender } from './message-sender.port';
import type { Reservation, OutgoingMessage, PaceRequest } from './outgoing-message';
import { RateLimiter } from './rate-limiter.port';

/**
 * Requests do not arrive as evenly as they leave. A platform that counts strictly refuses what comes too close together, and
 * each refusal costs more of the pace than this reserve.
 */
const USED_SHARE = 0.99;

/** The one way out for everything that is sent: nearly all of the sender's pace first, then the platform. */
@Injectable()
export class SendGateway {
  constructor(
    private readonly pace: RateLimiter,
    private readonly messageSender: MessageSender,
    private readonly clock: Clock,
    private readonly marketingStops: MarketingStops,
    private readonly traffic: TrafficMarks,
    private readonly senders: SendersService,
  ) {}

  /** Reserves room for some messages; null when that is too long, or when this process may not send for the sender. */
  reserve(request: PaceRequest): Promise<Reservation | null> {
    return this.pace.reserve({ ...request, perSecond: request.perSecond * USED_SHARE });
  }

  /**
   * Makes one attempt and says what became of it. A request that the platform throttled slows the sender down; one that it
   * refused because the person has stopped marketing opts them out of that.
   */
  async send(sender: Sender, message: OutgoingMessage): Promise<Answer> {
    const begun = this.clock.monotonic();
    const at = this.clock.now();
    const answer = await this.messageSender.send(sender, message);
    if (answer.kind === 'accepted') {
      this.traffic.accepted(sender.id, at);
      this.senders.noteAccess(sender);
    }
    const problem = answer.kind === 'refused' ? tokenProblem(answer.problem, answer.message) : null;
    if (problem) this.senders.noteRefusal(sender, problem);
    if (answer.kind === 'throttled' && answer.scope === 'pace') {
      await this.pace.cut(sender.id, sender.messagesPerSecond * USED_SHARE, this.clock.monotonic() - begun);
    }
    if (answer.kind === 'refused') await this.marketingStops.applyAnswer(sender.accountId, message.to, answer, at);
    return answer;
  }

  /** Messages per second that the sender may send now: less than its limit for a while after the platform throttled it. */
  async currentPace({ id, messagesPerSecond }: Sender): Promise<number> {
    return (await this.pace.current(id, messagesPerSecond * USED_SHARE)) / USED_SHARE;
  }

  /** This process owns the sender's lane from now on. */
  laneTaken(senderId: string): void {
    this.pace.laneTaken(senderId);
  }

  /** This process does not own the sender's lane any more. */
  laneGivenBack(senderId: string): void {
    this.pace.laneGivenBack(senderId);
  }
}
