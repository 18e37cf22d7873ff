import { Injectable } from '@nestjs/common';
import { SenderTrafficService } from '../../accounts/domain/sender-traffic.service';
import { SenderLimitsService } from '../../accounts/domain/sender-limits.service';
import type { Sender, SenderProblem, SenderQualityRating } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { SendGateway } from './send-gateway';
import { SubscriptionGaps } from './subscription-gaps';
import { TierBudget } from './tier-budget';

/** A sender with its current sending state. */
export interface SenderState {
  sender: Sender;
  /** Whether requests that name no sender use it. */
  isDefault: boolean;
  /** Current messages per second; 0 while sending is paused. */
  rateNow: number;
  /** People counted towards the messaging tier; null: the tier is unlimited. */
  tierUsed: number | null;
  /** When the tier has room for another person; null: now. */
  roomAt: Date | null;
  /** The platform's rating; null: unrated or not read yet. */
  qualityRating: SenderQualityRating | null;
  /** When the platform last reported a status; up to a minute late. */
  lastWebhookAt: Date | null;
  /** Webhook fields known not to reach this service; empty: none known. */
  missingSubscriptions: readonly string[];
  /** Why nothing can be sent; null: no known problem. */
  problem: SenderProblem | null;
}

/** The current state of an account's senders. */
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

  /** The default sender first. */
  async ofAccount(accountId: string): Promise<SenderState[]> {
    const all = await this.senders.allOf(accountId);
    return Promise.all(all.map((sender, index) => this.stateOf(sender, index === 0)));
  }

  /** Syncs the account's senders with the platform first; throws the errors of SenderLimitsService.readAtRequest. */
  async syncOfAccount(accountId: string): Promise<SenderState[]> {
    await this.limits.readAtRequest(accountId);
    return this.ofAccount(accountId);
  }

  private async stateOf(sender: Sender, isDefault: boolean): Promise<SenderState> {
    const [pace, tier] = await Promise.all([this.sendGateway.currentPace(sender), this.tierBudget.useOf(sender)]);
    return {
      sender,
      isDefault,
      rateNow: sender.sendingPaused ? 0 : Math.round(pace * 10) / 10,
      tierUsed: tier?.used ?? null,
      roomAt: tier?.roomAt ?? null,
      qualityRating: sender.qualityRating,
      lastWebhookAt: this.traffic.lastWebhookAt(sender),
      missingSubscriptions: this.gaps.of(sender),
      problem: this.senders.problemOf(sender),
    };
  }
}
