import type { ModuleMetadata } from '@nestjs/common';
import { Registry } from 'prom-client';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { SystemClock } from '../../src/infra/system-clock';
import { Clock } from '../../src/kernel/clock';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { PostgresMessageStore } from '../../src/modules/messages/adapters/postgres-message-store';
import { PostgresStatusStore } from '../../src/modules/messages/adapters/postgres-status-store';
import { MessageHistory } from '../../src/modules/messages/domain/message-history';
import { MessageStore } from '../../src/modules/messages/domain/message-store.port';
import { MessageStatuses } from '../../src/modules/messages/domain/message-statuses';
import { StatusStore } from '../../src/modules/messages/domain/status-store.port';
import { LaneMetrics } from '../../src/modules/delivery/adapters/lane-metrics';
import { LogLaneTelemetry } from '../../src/modules/delivery/adapters/log-lane-telemetry';
import { PostgresJobStatusStore } from '../../src/modules/delivery/adapters/postgres-job-status-store';
import { LaneStoreOptions } from '../../src/modules/delivery/adapters/lane-store-options';
import { PostgresLaneJobStore } from '../../src/modules/delivery/adapters/postgres-lane-job-store';
import { JobStatusStore } from '../../src/modules/delivery/domain/job-status-store.port';
import { LaneTelemetry } from '../../src/modules/delivery/domain/lane-telemetry';
import { LaneJobStore } from '../../src/modules/delivery/domain/lane-job-store.port';
import { Recorder } from '../../src/modules/delivery/domain/recorder';
import { JobStatuses } from '../../src/modules/delivery/domain/job-statuses';
import { StatusReports } from '../../src/modules/platform-webhook/domain/status-reports';
import { KnownNumbers } from '../../src/modules/groups/domain/known-numbers';
import { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { PostgresSingleSendStore } from '../../src/modules/sending/adapters/postgres-single-send-store';
import { PostgresTierBudgetStore } from '../../src/modules/sending/adapters/postgres-tier-budget-store';
import { MarketingStops } from '../../src/modules/sending/domain/marketing-stops';
import { SenderSignal } from '../../src/modules/sending/domain/sender-signal';
import { SingleSendStore } from '../../src/modules/sending/domain/single-send-store.port';
import { SingleSends, SingleSendTimes } from '../../src/modules/sending/domain/single-sends';
import { OptOutCheck } from '../../src/modules/sending/domain/opt-out-check';
import { PostgresTemplateStore } from '../../src/modules/templates/adapters/postgres-template-store';
import { TemplateStore } from '../../src/modules/templates/domain/template-store.port';
import { TemplatesService } from '../../src/modules/templates/domain/templates.service';
import { TierBudget } from '../../src/modules/sending/domain/tier-budget';
import { TierBudgetStore } from '../../src/modules/sending/domain/tier-budget-store.port';
import { Identities } from '../../src/modules/platform-webhook/domain/identities';
import { ConversationJoins } from '../../src/modules/chat-history/domain/conversation-joins';
import { PostgresMessageArchive } from '../../src/modules/messages/adapters/postgres-message-archive';
import { ConversationMessages } from '../../src/modules/messages/domain/conversation-messages';
import { MessageArchive } from '../../src/modules/messages/domain/message-archive.port';
import { MessageTexts } from '../../src/modules/messages/domain/message-texts';
import { LaterMessages } from '../../src/modules/chat-history/domain/later-messages';
import { InboundConversations } from '../../src/modules/chat-history/domain/inbound-conversations';
import { ContactQuota } from '../../src/modules/groups/domain/contact-quota';
import { ContactsService } from '../../src/modules/groups/domain/contacts.service';
import { ConversationStore } from '../../src/modules/chat-history/domain/conversation-store.port';
import { PostgresConversationStore } from '../../src/modules/chat-history/adapters/postgres-conversation-store';
import { ContactStore } from '../../src/modules/groups/domain/contact-store.port';
import { PostgresContactStore } from '../../src/modules/groups/adapters/postgres-contact-store';
import { internationalPhoneBook } from './phone-book';
import { PhoneBook } from '../../src/modules/groups/domain/phone-book.port';
import { knownNumbersOn, optOutsOn } from './opt-outs-on';

/** The status parts with real stores on a database, plus `more`. */
export function statusParts(database: Database, more: ModuleMetadata = {}): TestingModuleBuilder {
  return Test.createTestingModule({
    ...more,
    providers: [
      JobStatuses,
      MessageHistory,
      MessageStatuses,
      Recorder,
      SenderSignal,
      SingleSends,
      Identities,
      ConversationJoins,
      ConversationMessages,
      InboundConversations,
      LaterMessages,
      MessageTexts,
      { provide: MessageArchive, useClass: PostgresMessageArchive },
      ContactsService,
      // Contacts come from messages here, without a quota.
      { provide: ContactQuota, useValue: {} },
      StatusReports,
      TierBudget,
      { provide: SendersService, useValue: { allOf: () => Promise.resolve([{ messagingTier: 'Unlimited' }]) } },
      OptOutCheck,
      MarketingStops,
      TemplatesService,
      { provide: TemplateStore, useClass: PostgresTemplateStore },
      { provide: ConversationStore, useClass: PostgresConversationStore },
      { provide: ContactStore, useClass: PostgresContactStore },
      { provide: PhoneBook, useValue: internationalPhoneBook() },
      { provide: Clock, useClass: SystemClock },
      { provide: Database, useValue: database },
      { provide: JobStatusStore, useClass: PostgresJobStatusStore },
      { provide: Registry, useValue: new Registry() },
      LaneMetrics,
      { provide: LaneTelemetry, useClass: LogLaneTelemetry },
      { provide: LaneJobStore, useClass: PostgresLaneJobStore },
      {
        provide: LaneStoreOptions,
        useValue: { owner: 'test', exclusive: false, graceMs: 900_000, proofRange: 5000 },
      },
      { provide: MessageStore, useClass: PostgresMessageStore },
      { provide: OptOutsService, useValue: optOutsOn(database) },
      { provide: KnownNumbers, useValue: knownNumbersOn(database) },
      { provide: SingleSendStore, useClass: PostgresSingleSendStore },
      { provide: SingleSendTimes, useValue: { giveUpAfterMs: 1000, graceMs: 900_000 } },
      { provide: StatusStore, useClass: PostgresStatusStore },
      { provide: TierBudgetStore, useClass: PostgresTierBudgetStore },
      { provide: UnitOfWork, useClass: TypeOrmUnitOfWork },
      ...(more.providers ?? []),
    ],
  });
}
