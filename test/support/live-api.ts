import { PostgresHistoryTermStore } from '../../src/modules/accounts/adapters/postgres-history-term-store';
import { HistoryTermStore } from '../../src/modules/accounts/domain/history-term-store.port';
import { HistoryTerms } from '../../src/modules/accounts/domain/history-terms';
import { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import { unreadAuditLog } from './audit';
import { Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { NextFunction, Response } from 'express';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Database } from '../../src/infra/database/database';
import type { ApiRequest } from '../../src/infra/http/api-request';
import { configureHttp } from '../../src/infra/http/configure-http';
import { EventStreams } from '../../src/infra/http/streams/event-streams';
import { Shutdown } from '../../src/infra/lifecycle/shutdown';
import { HttpMetrics } from '../../src/infra/metrics/http-metrics';
import { SystemClock } from '../../src/infra/system-clock';
import type { Scope } from '../../src/kernel/caller';
import { Clock } from '../../src/kernel/clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresTimeZones } from '../../src/modules/bulk-jobs/adapters/postgres-time-zones';
import { TimeZones } from '../../src/modules/bulk-jobs/domain/time-zones.port';
import { PostgresBulkJobStore } from '../../src/modules/bulk-jobs/adapters/postgres-bulk-job-store';
import { BulkJobStore } from '../../src/modules/bulk-jobs/domain/bulk-job-store.port';
import { SendForecasts } from '../../src/modules/bulk-jobs/domain/send-forecasts';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { BulkJobsService } from '../../src/modules/bulk-jobs/domain/bulk-jobs.service';
import { PostgresConversationStore } from '../../src/modules/chat-history/adapters/postgres-conversation-store';
import { ConversationsService } from '../../src/modules/chat-history/domain/conversations.service';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { PostgresActivityStore } from '../../src/modules/delivery/adapters/postgres-activity-store';
import { ActivityStore } from '../../src/modules/delivery/domain/activity-store.port';
import { ActivityService } from '../../src/modules/delivery/domain/activity.service';
import { OverviewController } from '../../src/modules/live/adapters/overview.controller';
import { OverviewService } from '../../src/modules/live/domain/overview.service';
import { LiveUpdates } from '../../src/modules/live/adapters/live-updates';
import { LiveController } from '../../src/modules/live/adapters/live.controller';
import { SenderSignal } from '../../src/modules/sending/domain/sender-signal';
import { SingleSendTimes } from '../../src/modules/sending/domain/single-sends';
import { TemplatesService } from '../../src/modules/templates/domain/templates.service';
import { EventReader } from './event-reader';

/** One process that serves event streams; several can share a database. */
export class LiveApi {
  readonly registry = new Registry();
  readonly shutdown = new Shutdown();
  private app: NestExpressApplication;
  url: string;

  constructor(private readonly database: Database) {}

  async start(): Promise<this> {
    const { database } = this;
    const conversations = new PostgresConversationStore(database);
    @Module({
      controllers: [LiveController, OverviewController],
      providers: [
        BulkJobsService,
        EventStreams,
        LiveUpdates,
        OverviewService,
        ActivityService,
        { provide: ActivityStore, useClass: PostgresActivityStore },
        { provide: SendersService, useValue: { byId: () => Promise.resolve({ messagesPerSecond: 80 }) } },
        HistoryTerms,
        { provide: HistoryTermStore, useClass: PostgresHistoryTermStore },
        SenderSignal,
        HttpMetrics,
        { provide: Registry, useValue: this.registry },
        { provide: Shutdown, useValue: this.shutdown },
        { provide: Database, useValue: database },
        { provide: Clock, useClass: SystemClock },
        { provide: BulkJobStore, useClass: PostgresBulkJobStore },
        { provide: TimeZones, useClass: PostgresTimeZones },
        { provide: SingleSendTimes, useValue: { giveUpAfterMs: 1, graceMs: 1 } satisfies SingleSendTimes },
        { provide: TemplatesService, useValue: {} },
        { provide: SendForecasts, useValue: {} },
        { provide: AuditLogService, useValue: unreadAuditLog() },
        { provide: UnitOfWork, useValue: new TypeOrmUnitOfWork(database) },
        {
          provide: ConversationsService,
          useValue: conversations,
        },
      ],
    })
    class OneProcess {}
    const module = await Test.createTestingModule({ imports: [OneProcess] }).compile();
    this.app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(this.app, {
      maxFileBytes: 1,
      logger: pino({ level: 'silent' }),
      metrics: this.app.get(HttpMetrics),
      shutdown: this.shutdown,
    });
    this.app.use((request: ApiRequest, _: Response, next: NextFunction) => {
      const [accountId, ...scopes] = request.headers.cookie!.split(' ') as [string, ...Scope[]];
      request.caller = { accountId, keyId: uuidV7(), keyPrefix: 'mta', plan: 'Free', scopes };
      next();
    });
    await this.app.listen(0, '127.0.0.1');
    this.url = (await this.app.getUrl()) + '/api/v1/messaging';
    return this;
  }

  /** Opens a stream for an account, with a key of these scopes. */
  listen(
    path: string,
    accountId: string,
    { scopes = ['jobs:read', 'messaging:read'], lastId }: { scopes?: Scope[]; lastId?: string } = {},
  ): Promise<EventReader> {
    return EventReader.open(this.url + path, {
      cookie: [accountId, ...scopes].join(' '),
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    });
  }

  /** Sends a request for an account. */
  async get(path: string, accountId: string): Promise<{ status: number; body: ReturnType<JSON['parse']> }> {
    const answer = await fetch(this.url + path, { headers: { cookie: accountId } });
    return { status: answer.status, body: await answer.json() };
  }

  /** Runs the counting that a process does once a second. */
  count(): Promise<void> {
    return this.app.get(ActivityService).count(new AbortController().signal);
  }

  close(): Promise<void> {
    return this.app.close();
  }
}
