import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { type Sender, tokenProblem } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { TrafficMarks } from '../../accounts/domain/traffic-marks';
import type { Answer } from './answer';
import { MarketingStops } from './marketing-stops';
import { MessageSender } from './message-sender.port';
import type { Reservation, OutgoingMessage, PaceRequest } from './outgoing-message';
import { RateLimiter } from './rate-limiter.port';

/**
 * Requests arrive less evenly than they are sent. The platform refuses those that arrive too close together, and each
 * refusal costs more of the pace than this reserve.
 */
const USED_SHARE = 0.99;

/** Sends every message: reserves pace, then calls the platform. */
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

  /** Reserves messages; null if the wait is too long or this process may not send for the sender. */
  reserve(request: PaceRequest): Promise<Reservation | null> {
    return this.pace.reserve({ ...request, perSecond: request.perSecond * USED_SHARE });
  }

  /**
   * Makes one attempt and returns the outcome. A throttle cuts the sender's pace; a refusal because the person has
   * stopped marketing records an opt-out of marketing.
   */
  async send(sender: Sender, message: OutgoingMessage): Promise<Answer> {
    const startedAt = this.clock.monotonic();
    const at = this.clock.now();
    const answer = await this.messageSender.send(sender, message);
    if (answer.kind === 'accepted') {
      this.traffic.accepted(sender.id, at);
      this.senders.recordAccess(sender);
    }
    const problem = answer.kind === 'refused' ? tokenProblem(answer.problem, answer.message) : null;
    if (problem) this.senders.recordRefusal(sender, problem);
    if (answer.kind === 'throttled' && answer.scope === 'pace') {
      await this.pace.cut(sender.id, sender.messagesPerSecond * USED_SHARE, this.clock.monotonic() - startedAt);
    }
    if (answer.kind === 'refused') await this.marketingStops.applyAnswer(sender.accountId, message.to, answer, at);
    return answer;
  }

  /** Current messages per second of the sender: reduced for a while after a throttle. */
  async currentPace({ id, messagesPerSecond }: Sender): Promise<number> {
    return (await this.pace.current(id, messagesPerSecond * USED_SHARE)) / USED_SHARE;
  }

  /** This process has acquired the sender's lane. */
  laneAcquired(senderId: string): void {
    this.pace.laneAcquired(senderId);
  }

  /** This process has released the sender's lane. */
  laneReleased(senderId: string): void {
    this.pace.laneReleased(senderId);
  }
}
