import { Module } from '@nestjs/common';
import { AccountTemplates } from './adapters/account-templates';
import { CloudApiTemplateDirectory } from './adapters/cloud-api-template-directory';
import { CloudApiTemplatePublisher } from './adapters/cloud-api-template-publisher';
import { RequestedTemplateSyncs } from './adapters/requested-template-syncs';
import { TemplateAuthoringController } from './adapters/template-authoring.controller';
import { TemplateSamplesController } from './adapters/template-samples.controller';
import { TemplateSyncSchedule } from './adapters/template-sync-schedule';
import { TemplatesController } from './adapters/templates.controller';
import { PostgresSyncLeases } from './adapters/postgres-sync-leases';
import { PostgresTemplateStore } from './adapters/postgres-template-store';
import { SyncLeases } from './domain/sync-leases.port';
import { TemplateDirectory } from './domain/template-directory.port';
import { TemplateStore } from './domain/template-store.port';
import { SyncSignal } from './domain/sync-signal';
import { TemplateAuthoring } from './domain/template-authoring';
import { TemplateChanges } from './domain/template-changes';
import { TemplateEvents } from './domain/template-events';
import { TemplatePublisher } from './domain/template-publisher.port';
import { TemplateReports } from './domain/template-reports';
import { TemplateSync } from './domain/template-sync';
import { TemplatesService } from './domain/templates.service';

/** Message templates: list, sync with the platform, authoring, and checks for sends. */
@Module({
  controllers: [TemplatesController, TemplateAuthoringController, TemplateSamplesController],
  providers: [
    AccountTemplates,
    TemplatesService,
    TemplateSync,
    TemplateAuthoring,
    TemplateReports,
    TemplateChanges,
    TemplateEvents,
    SyncSignal,
    TemplateSyncSchedule,
    RequestedTemplateSyncs,
    { provide: TemplateStore, useClass: PostgresTemplateStore },
    { provide: SyncLeases, useClass: PostgresSyncLeases },
    { provide: TemplateDirectory, useClass: CloudApiTemplateDirectory },
    { provide: TemplatePublisher, useClass: CloudApiTemplatePublisher },
  ],
  exports: [TemplatesService, TemplateSync, TemplateReports, TemplateChanges, SyncSignal],
})
export class TemplatesModule {}
