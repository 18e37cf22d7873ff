import { hostname } from 'node:os';
import { BullModule } from '@nestjs/bull';
import { type DynamicModule, Module } from '@nestjs/common';
import { Redis } from 'ioredis';
import { uuidV7 } from '../../kernel/uuid';
import type { Settings } from '../../../config/settings';
import { GroupsModule } from '../groups/groups.module';
import { TemplatesModule } from '../templates/templates.module';
import { AccountActivity } from './adapters/account-activity';
import { ActivityUpkeep } from './adapters/activity-upkeep';
import { DeliveryChecks } from './adapters/delivery-checks';
import { DeliveryFigures } from './adapters/delivery-figures';
import { LaneWorkload } from './adapters/lane-workload';
import { RestoreAtStart, RestoreSetting } from './adapters/restore-at-start';
import { PostgresRestoredDatabase } from './adapters/postgres-restored-database';
import { DeliveryLifecycle, DeliveryRole } from './adapters/delivery-lifecycle';
import { BullLaneQueue, WAKE_UPS } from './adapters/bull-lane-queue';
import { InProcessLaneQueue } from './adapters/in-process-lane-queue';
import { WakeUpMetrics } from './adapters/wake-up-metrics';
import { LogLaneTelemetry } from './adapters/log-lane-telemetry';
import { PostgresActivityStore } from './adapters/postgres-activity-store';
import { PostgresTemplateJobStore } from './adapters/postgres-template-job-store';
import { PostgresJobScheduleStore } from './adapters/postgres-job-schedule-store';
import { PostgresJobWindowStore } from './adapters/postgres-job-window-store';
import { PostgresJobStatusStore } from './adapters/postgres-job-status-store';
import { LaneMetrics } from './adapters/lane-metrics';
import { LaneStoreOptions } from './adapters/lane-store-options';
import { PostgresLaneJobStore } from './adapters/postgres-lane-job-store';
import { PostgresLaneLeases } from './adapters/postgres-lane-leases';
import { ActivityService } from './domain/activity.service';
import { ActivityStore } from './domain/activity-store.port';
import { AfterRestore } from './domain/after-restore';
import { RestoredDatabase } from './domain/restored-database.port';
import { JobScheduleStore } from './domain/job-schedule-store.port';
import { JobSchedules } from './domain/job-schedules';
import { JobWindowStore } from './domain/job-window-store.port';
import { JobWindows } from './domain/job-windows';
import { JobStatusStore } from './domain/job-status-store.port';
import { LaneDriver } from './domain/lane-driver';
import { LaneTelemetry } from './domain/lane-telemetry';
import { LaneLimits, LaneParts, PlatformConnections } from './domain/lane-parts';
import { LaneQueue } from './domain/lane-queue.port';
import { LaneJobStore } from './domain/lane-job-store.port';
import { LaneLeases } from './domain/lane-leases.port';
import { Claims } from './domain/claims';
import { PauseExpiry } from './domain/pause-expiry';
import { Recorder } from './domain/recorder';
import { JobStatuses } from './domain/job-statuses';
import { TemplateJobStore } from './domain/template-job-store.port';
import { TemplateJobs } from './domain/template-jobs';

const COMMAND_TIMEOUT_MS = 1000;
const MAX_LANES = 500;
/** The rest is reserved for single sends and other requests to the platform, so that they never wait behind a job. */
const CONNECTIONS_OF_LANES = 7 / 8;
const PROOF_RANGE = { embedded: 5000, postgres: 50_000 };

/** The sending engine of this process. */
@Module({})
export class DeliveryModule {
  /** Registered once, by the root module; its exports are global. */
  static register(
    settings: Pick<Settings, 'databaseUrl' | 'redisUrl' | 'role' | 'platform' | 'unknownGraceSeconds' | 'afterRestore'>,
  ): DynamicModule {
    const { redisUrl } = settings;
    const embedded = settings.databaseUrl === undefined;
    const limits: LaneLimits = {
      maxLanes: MAX_LANES,
      connections: new PlatformConnections(Math.floor(settings.platform.connections * CONNECTIONS_OF_LANES)),
      terms: embedded ? 'exclusive' : 'renewed',
    };
    const storeOptions: LaneStoreOptions = {
      owner: `${hostname()}-${process.pid}-${uuidV7()}`,
      exclusive: embedded,
      graceMs: settings.unknownGraceSeconds * 1000,
      proofRange: embedded ? PROOF_RANGE.embedded : PROOF_RANGE.postgres,
    };
    return {
      module: DeliveryModule,
      global: true,
      imports: [GroupsModule, TemplatesModule, ...(redisUrl === undefined ? [] : [wakeUpsIn(redisUrl)])],
      providers: [
        AfterRestore,
        RestoreAtStart,
        { provide: RestoredDatabase, useClass: PostgresRestoredDatabase },
        { provide: RestoreSetting, useValue: { forced: settings.afterRestore } satisfies RestoreSetting },
        DeliveryLifecycle,
        { provide: DeliveryRole, useValue: { runsLanes: settings.role !== 'api' } satisfies DeliveryRole },
        LaneDriver,
        LaneParts,
        Claims,
        PauseExpiry,
        Recorder,
        JobSchedules,
        JobWindows,
        JobStatuses,
        { provide: JobScheduleStore, useClass: PostgresJobScheduleStore },
        { provide: JobWindowStore, useClass: PostgresJobWindowStore },
        TemplateJobs,
        AccountActivity,
        ActivityService,
        ActivityUpkeep,
        { provide: ActivityStore, useClass: PostgresActivityStore },
        { provide: JobStatusStore, useClass: PostgresJobStatusStore },
        { provide: TemplateJobStore, useClass: PostgresTemplateJobStore },
        DeliveryChecks,
        DeliveryFigures,
        LaneWorkload,
        LaneMetrics,
        { provide: LaneTelemetry, useClass: LogLaneTelemetry },
        ...(redisUrl === undefined
          ? [{ provide: LaneQueue, useClass: InProcessLaneQueue }]
          : [WakeUpMetrics, { provide: LaneQueue, useClass: BullLaneQueue }]),
        { provide: LaneLimits, useValue: limits },
        { provide: LaneStoreOptions, useValue: storeOptions },
        { provide: LaneLeases, useClass: PostgresLaneLeases },
        { provide: LaneJobStore, useClass: PostgresLaneJobStore },
      ],
      exports: [ActivityService, JobStatuses],
    };
  }
}

/** A queue whose clients fail immediately while Redis is unavailable, and that retries a dead worker's wake-up within seconds. */
function wakeUpsIn(redisUrl: string): DynamicModule {
  return BullModule.registerQueue({
    name: WAKE_UPS,
    prefix: 'mta',
    createClient: (type) =>
      type === 'client'
        ? new Redis(redisUrl, {
            maxRetriesPerRequest: 1,
            enableOfflineQueue: false,
            commandTimeout: COMMAND_TIMEOUT_MS,
          })
        : new Redis(redisUrl, { maxRetriesPerRequest: null, enableReadyCheck: false, connectionName: `mta:${type}` }),
    settings: { lockDuration: 5000, stalledInterval: 2000, maxStalledCount: 100 },
  });
}
