import type { ModuleMetadata } from '@nestjs/common';
import { Test, type TestingModule, type TestingModuleBuilder } from '@nestjs/testing';
import { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { SystemClock } from '../../src/infra/system-clock';
import { Clock } from '../../src/kernel/clock';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { TypeOrmMessageStore } from '../../src/modules/chat-history/adapters/typeorm-message-store';
import { TypeOrmStatusStore } from '../../src/modules/chat-history/adapters/typeorm-status-store';
import { MessageHistory } from '../../src/modules/chat-history/domain/message-history.service';
import { MessageStore } from '../../src/modules/chat-history/domain/message-store.port';
import { PlatformStatuses } from '../../src/modules/chat-history/domain/platform-statuses.service';
import { StatusStore } from '../../src/modules/chat-history/domain/status-store.port';
import { LogLaneJournal } from '../../src/modules/delivery/adapters/log-lane-journal';
import { TypeOrmJobStatusStore } from '../../src/modules/delivery/adapters/typeorm-job-status-store';
import { LaneStoreOptions, TypeOrmLaneStore } from '../../src/modules/delivery/adapters/typeorm-lane-store';
import { JobStatusStore } from '../../src/modules/delivery/domain/job-status-store.port';
import { LaneJournal } from '../../src/modules/delivery/domain/lane-journal';
import { LaneStore } from '../../src/modules/delivery/domain/lane-store.port';
import { Recorder } from '../../src/modules/delivery/domain/recorder';
import { StatusCounts } from '../../src/modules/delivery/domain/status-counts.service';
import { StatusSettlement } from '../../src/modules/delivery/domain/status-settlement.service';
import { StatusStops } from '../../src/modules/delivery/domain/status-stops.service';
import { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { TypeOrmSingleSendStore } from '../../src/modules/sending/adapters/typeorm-single-send-store';
import { TypeOrmTierBudgetStore } from '../../src/modules/sending/adapters/typeorm-tier-budget-store';
import { MarketingStops } from '../../src/modules/sending/domain/marketing-stops.service';
import { SenderSignal } from '../../src/modules/sending/domain/sender-signal';
import { SingleSendProofs } from '../../src/modules/sending/domain/single-send-proofs.service';
import { SingleSendStore } from '../../src/modules/sending/domain/single-send-store.port';
import { SingleSends, SingleSendTimes } from '../../src/modules/sending/domain/single-sends.service';
import { Willingness } from '../../src/modules/sending/domain/willingness.service';
import { TypeOrmTemplateStore } from '../../src/modules/templates/adapters/typeorm-template-store';
import { TemplateStore } from '../../src/modules/templates/domain/template-store.port';
import { TemplatesService } from '../../src/modules/templates/domain/templates.service';
import { TierBudget } from '../../src/modules/sending/domain/tier-budget.service';
import { TierBudgetStore } from '../../src/modules/sending/domain/tier-budget-store.port';
import { optOutsOn } from './opt-outs-on';

/** What takes in statuses, with real stores on a database; `more` stands beside it. */
export function statusParts(database: Database, more: ModuleMetadata = {}): TestingModuleBuilder {
  return Test.createTestingModule({
    ...more,
    providers: [
      MessageHistory,
      PlatformStatuses,
      Recorder,
      SenderSignal,
      SingleSendProofs,
      SingleSends,
      StatusCounts,
      StatusSettlement,
      StatusStops,
      TierBudget,
      Willingness,
      MarketingStops,
      TemplatesService,
      { provide: TemplateStore, useClass: TypeOrmTemplateStore },
      { provide: Clock, useClass: SystemClock },
      { provide: Database, useValue: database },
      { provide: JobStatusStore, useClass: TypeOrmJobStatusStore },
      { provide: LaneJournal, useClass: LogLaneJournal },
      { provide: LaneStore, useClass: TypeOrmLaneStore },
      {
        provide: LaneStoreOptions,
        useValue: { owner: 'test', exclusive: false, graceMs: 900_000, proofRange: 5000 },
      },
      { provide: MessageStore, useClass: TypeOrmMessageStore },
      { provide: OptOutsService, useValue: optOutsOn(database) },
      { provide: SingleSendStore, useClass: TypeOrmSingleSendStore },
      { provide: SingleSendTimes, useValue: { giveUpAfterMs: 1000, graceMs: 900_000 } },
      { provide: StatusStore, useClass: TypeOrmStatusStore },
      { provide: TierBudgetStore, useClass: TypeOrmTierBudgetStore },
      { provide: UnitOfWork, useClass: TypeOrmUnitOfWork },
      ...(more.providers ?? []),
    ],
  });
}

/** Lets jobs and single sends hear of statuses, as the service does when it starts. */
export function subscribeJobsAndSends(parts: Pick<TestingModule, 'get'>): void {
  const statuses = parts.get(PlatformStatuses);
  statuses.onProofs((updates) => parts.get(StatusSettlement).settle(updates));
  statuses.onProofs((updates) => parts.get(SingleSendProofs).settle(updates));
  statuses.onChanges((changes) => parts.get(StatusCounts).count(changes));
  statuses.onChanges((changes) => parts.get(StatusStops).heed(changes));
  statuses.onChanges((changes) => parts.get(MarketingStops).heedChanges(changes));
}
