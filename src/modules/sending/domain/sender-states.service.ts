import { Injectable } from '@nestjs/common';
import { SenderTrafficService } from '../../accounts/domain/sender-traffic.service';
import { SenderLimitsService } from '../../accounts/domain/sender-limits.service';
import type { Sender, SenderProblem, SenderQualityRating } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { SendGateway } from './send-gateway.service';
import { SubscriptionGaps } from './subscription-gaps';
import { TierBudget } from './tier-budget.service';

/** A sender, and what its sending is like at the moment. */
export interface SenderState {
  sender: Sender;
  /** Messages per second at the moment; 0 while sending is paused. */
  rateNow: number;
  /** People of the messaging tier that are used; null: the tier is unlimited. */
  tierUsed: number | null;
  /** When the tier has room for another person; null: now. */
  roomAt: Date | null;
  /** The platform's rating; null: unrated, or not read yet. */
  qualityRating: SenderQualityRating | null;
  /** When the platform last reported a status; up to a minute late. */
  lastWebhookAt: Date | null;
  /** Webhook fields that the platform does not report to this service; empty: none that is known. */
  missingSubscriptions: readonly string[];
  /** Why nothing can be sent; null: nothing is known. */
  problem: SenderProblem | null;
}

/** The senders of an account as they are at the moment. */
@Injectable()
export class SenderStatesService {
  constructor(
    private readonly senders: SendersService,
    private readonly sendGateway: SendGateway,
    private readonly tierBudget: TierBudget,
    private readonly traffic: SenderTrafficService,
    private readonly gaps: SubscriptionGaps,
    private readonly limits: SenderLimitsService,
  ) {}

  async ofAccount(accountId: string): Promise<SenderState[]> {
    const own = (await this.senders.all()).filter((sender) => sender.accountId === accountId);
    return Promise.all(own.map((sender) => this.stateOf(sender)));
  }

  /** Reads the account's sender from the platform first; throws what SenderLimitsService.readAtRequest does. */
  async syncOfAccount(accountId: string): Promise<SenderState[]> {
    await this.limits.readAtRequest(accountId);
    return this.ofAccount(accountId);
  }

  private async stateOf(sender: Sender): Promise<SenderState> {
    const [pace, tier, lastWebhookAt] = await Promise.all([
      this.sendGateway.currentPace(sender),
      this.tierBudget.useOf(sender),
      this.traffic.lastWebhookAt(sender.id),
    ]);
    return {
      sender,
      rateNow: sender.sendingPaused ? 0 : Math.round(pace * 10) / 10,
      tierUsed: tier?.used ?? null,
      roomAt: tier?.roomAt ?? null,
      qualityRating: this.senders.qualityOf(sender.id),
      lastWebhookAt,
      missingSubscriptions: this.gaps.of(sender),
      problem: this.senders.problemOf(sender),
    };
  }
}
