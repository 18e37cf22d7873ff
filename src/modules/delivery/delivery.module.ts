import { hostname } from 'node:os';
import { BullModule } from '@nestjs/bull';
import { type DynamicModule, Module } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { Clock } from '../../kernel/clock';
import { uuidV7 } from '../../kernel/uuid';
import type { Settings } from '../../../config/settings';
import { ChatHistoryModule } from '../chat-history/chat-history.module';
import { GroupsModule } from '../groups/groups.module';
import { TemplatesModule } from '../templates/templates.module';
import { DeliveryChecks } from './adapters/delivery-checks';
import { DeliveryFigures } from './adapters/delivery-figures';
import { DeliveryLifecycle, DeliveryRole } from './adapters/delivery-lifecycle';
import { BullLaneQueue, KNOCKS } from './adapters/bull-lane-queue';
import { InProcessLaneQueue } from './adapters/in-process-lane-queue';
import { KnockMetrics } from './adapters/knock-metrics';
import { LogLaneJournal } from './adapters/log-lane-journal';
import { StatusLifecycle } from './adapters/status-lifecycle';
import { TypeOrmTemplateJobStore } from './adapters/typeorm-template-job-store';
import { TypeOrmJobStatusStore } from './adapters/typeorm-job-status-store';
import { MeasuredLaneJournal } from './adapters/measured-lane-journal';
import { LaneStoreOptions, TypeOrmLaneStore } from './adapters/typeorm-lane-store';
import { JobStatusStore } from './domain/job-status-store.port';
import { LaneDriver } from './domain/lane-driver';
import { LaneJournal } from './domain/lane-journal';
import { LaneLimits, LaneParts } from './domain/lane-parts';
import { LaneQueue } from './domain/lane-queue.port';
import { LaneStore } from './domain/lane-store.port';
import { Recorder } from './domain/recorder';
import { StatusCounts } from './domain/status-counts.service';
import { StatusStops } from './domain/status-stops.service';
import { StatusSettlement } from './domain/status-settlement.service';
import { TemplateJobStore } from './domain/template-job-store.port';
import { TemplateJobs } from './domain/template-jobs.service';

const COMMAND_TIMEOUT_MS = 1000;
const MAX_LANES = 500;
const MAX_FLIGHTS = 256;
const PROOF_RANGE = { embedded: 5000, postgres: 50_000 };

/** The sending engine of this process. */
@Module({})
export class DeliveryModule {
  /** Registered once, by the root. */
  static register(
    settings: Pick<Settings, 'databaseUrl' | 'redisUrl' | 'role' | 'unknownGraceSeconds'>,
  ): DynamicModule {
    const { redisUrl } = settings;
    const embedded = settings.databaseUrl === undefined;
    const limits: LaneLimits = {
      maxLanes: MAX_LANES,
      maxFlights: MAX_FLIGHTS,
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
      imports: [
        ChatHistoryModule,
        GroupsModule,
        TemplatesModule,
        ...(redisUrl === undefined ? [] : [knocksIn(redisUrl)]),
      ],
      providers: [
        DeliveryLifecycle,
        { provide: DeliveryRole, useValue: { runsLanes: settings.role !== 'api' } satisfies DeliveryRole },
        LaneDriver,
        LaneParts,
        Recorder,
        StatusCounts,
        StatusStops,
        StatusLifecycle,
        StatusSettlement,
        TemplateJobs,
        { provide: JobStatusStore, useClass: TypeOrmJobStatusStore },
        { provide: TemplateJobStore, useClass: TypeOrmTemplateJobStore },
        DeliveryChecks,
        DeliveryFigures,
        LogLaneJournal,
        {
          provide: LaneJournal,
          inject: [LogLaneJournal, Clock, Registry],
          useFactory: (journal: LogLaneJournal, clock: Clock, registry: Registry) =>
            new MeasuredLaneJournal(journal, clock, registry),
        },
        ...(redisUrl === undefined
          ? [{ provide: LaneQueue, useClass: InProcessLaneQueue }]
          : [KnockMetrics, { provide: LaneQueue, useClass: BullLaneQueue }]),
        { provide: LaneLimits, useValue: limits },
        { provide: LaneStoreOptions, useValue: storeOptions },
        { provide: LaneStore, useClass: TypeOrmLaneStore },
      ],
    };
  }
}

/** A queue whose clients fail at once while Redis is away, and that gives up on a dead worker's knock within seconds. */
function knocksIn(redisUrl: string): DynamicModule {
  return BullModule.registerQueue({
    name: KNOCKS,
    prefix: 'mta',
    createClient: (type) =>
      type === 'client'
        ? new Redis(redisUrl, {
            maxRetriesPerRequest: 1,
            enableOfflineQueue: false,
            commandTimeout: COMMAND_TIMEOUT_MS,
          })
        : new Redis(redisUrl, { maxRetriesPerRequest: null, enableReadyCheck: false }),
    settings: { lockDuration: 5000, stalledInterval: 2000, maxStalledCount: 100 },
  });
}
