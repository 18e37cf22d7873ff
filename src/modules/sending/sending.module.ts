import { type DynamicModule, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { SharedRedis } from '../../infra/redis/shared-redis';
import { Clock } from '../../kernel/clock';
import type { Settings } from '../../../config/settings';
import { ChatHistoryModule } from '../chat-history/chat-history.module';
import { GroupsModule } from '../groups/groups.module';
import { TemplatesModule } from '../templates/templates.module';
import { AccountSendersController } from './adapters/account-senders.controller';
import { CloudApiMessageSender } from './adapters/cloud-api-message-sender';
import { InProcessRateLimiter } from './adapters/in-process-rate-limiter';
import { MeasuredMessageSender } from './adapters/measured-message-sender';
import { RedisRateLimiter } from './adapters/redis-rate-limiter';
import { RepliesController } from './adapters/replies.controller';
import { SendersController } from './adapters/senders.controller';
import { SendTemplateController } from './adapters/send-template.controller';
import { SingleSendRetention } from './adapters/single-send-retention';
import { TierRetention } from './adapters/tier-retention';
import { PostgresTierBudgetStore } from './adapters/postgres-tier-budget-store';
import { PostgresSingleSendStore } from './adapters/postgres-single-send-store';
import { DirectSends } from './domain/direct-sends';
import { MessageSender } from './domain/message-sender.port';
import { MarketingStops } from './domain/marketing-stops';
import { SendGateway } from './domain/send-gateway';
import { RateLimiter } from './domain/rate-limiter.port';
import { Replies } from './domain/replies';
import { SenderStatesService } from './domain/sender-states.service';
import { SenderSignal } from './domain/sender-signal';
import { SubscriptionGaps } from './domain/subscription-gaps';
import { SendingService } from './domain/sending.service';
import { SingleSendStore } from './domain/single-send-store.port';
import { TierBudget } from './domain/tier-budget';
import { TierBudgetStore } from './domain/tier-budget-store.port';
import { SingleSends, SingleSendTimes } from './domain/single-sends';
import { OptOutCheck } from './domain/opt-out-check';

/** Added to the platform timeout for connecting and recording the answer. */
const GIVE_UP_MARGIN_MS = 5000;
/** How long a single send waits for its sender's lane. */
const LANE_WAIT_MS = 500;

/** Sends one message to one recipient: a template, or a reply in a conversation. */
@Module({})
export class SendingModule {
  /** Registered once, by the root module; its exports are global. */
  static register(settings: Pick<Settings, 'databaseUrl' | 'platform' | 'unknownGraceSeconds'>): DynamicModule {
    const times: SingleSendTimes = {
      giveUpAfterMs: settings.platform.timeoutSeconds * 1000 + GIVE_UP_MARGIN_MS,
      graceMs: settings.unknownGraceSeconds * 1000,
    };
    const pace = (clock: Clock, signal: SenderSignal, redis?: SharedRedis): RateLimiter => {
      const ownLanes = new InProcessRateLimiter(clock, {
        alone: settings.databaseUrl === undefined,
        requestLane: (senderId) => signal.runnable(senderId),
        // With Redis, workers send what this process cannot.
        laneWaitMs: redis ? 0 : LANE_WAIT_MS,
      });
      return redis ? new RedisRateLimiter(redis, ownLanes, clock) : ownLanes;
    };
    return {
      module: SendingModule,
      global: true,
      imports: [ChatHistoryModule, GroupsModule, TemplatesModule],
      controllers: [SendTemplateController, RepliesController, SendersController, AccountSendersController],
      providers: [
        SendingService,
        DirectSends,
        Replies,
        SenderSignal,
        SendGateway,
        SenderStatesService,
        SubscriptionGaps,
        SingleSends,
        TierBudget,
        { provide: TierBudgetStore, useClass: PostgresTierBudgetStore },
        MarketingStops,
        OptOutCheck,
        SingleSendRetention,
        TierRetention,
        { provide: SingleSendStore, useClass: PostgresSingleSendStore },
        CloudApiMessageSender,
        {
          provide: MessageSender,
          inject: [CloudApiMessageSender, Registry],
          useFactory: (sender: CloudApiMessageSender, registry: Registry) =>
            new MeasuredMessageSender(sender, registry),
        },
        { provide: SingleSendTimes, useValue: times },
        {
          provide: RateLimiter,
          inject: [Clock, SenderSignal, { token: SharedRedis, optional: true }],
          useFactory: pace,
        },
      ],
      exports: [
        MarketingStops,
        OptOutCheck,
        SendGateway,
        SenderSignal,
        SingleSends,
        SingleSendTimes,
        SubscriptionGaps,
        TierBudget,
      ],
    };
  }
}
