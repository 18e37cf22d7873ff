import { randomBytes } from 'node:crypto';
import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { NextFunction, Response } from 'express';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import request from 'supertest';
import { Database } from '../../src/infra/database/database';
import { DatabaseIdentity } from '../../src/infra/database/database-identity';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { HealthChecks } from '../../src/infra/health/health-checks';
import type { ApiRequest } from '../../src/infra/http/api-request';
import { configureHttp } from '../../src/infra/http/configure-http';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { SystemClock } from '../../src/infra/system-clock';
import type { Caller } from '../../src/kernel/caller';
import { Clock } from '../../src/kernel/clock';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresAuditStore } from '../../src/modules/accounts/adapters/postgres-audit-store';
import { InMemoryAccountStore } from '../fakes/in-memory-account-store';
import { AccountArchive } from '../../src/modules/accounts/domain/account-archive';
import { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import { AuditStore } from '../../src/modules/accounts/domain/audit-store.port';
import { Plans } from '../../src/modules/accounts/domain/plans';
import { EventsModule } from '../../src/modules/events/events.module';

const API = '/api/v1/messaging';
const PLAN = { requestsPerSecond: 5, burst: 10, maxRowsPerFile: 5000, maxWebhookEndpoints: 3 };

/** The events module over HTTP, on a real database; `allowPrivate` permits private endpoint addresses. */
export class WebhooksApi {
  caller: Caller;
  app: NestExpressApplication;

  constructor(readonly database: Database) {}

  async start({ allowPrivate, role }: { allowPrivate: boolean; role: 'api' | 'all' }): Promise<void> {
    const shared = [
      { provide: Database, useValue: this.database },
      { provide: UnitOfWork, useValue: new TypeOrmUnitOfWork(this.database) },
      { provide: Clock, useClass: SystemClock },
      { provide: SecretBox, useValue: new SecretBox(randomBytes(32)) },
      { provide: Plans, useValue: new Plans({ Free: PLAN }) },
      { provide: AuditStore, useClass: PostgresAuditStore },
      { provide: Registry, useValue: new Registry() },
      { provide: AccountArchive, useValue: new AccountArchive(new InMemoryAccountStore()) },
      { provide: DatabaseIdentity, useValue: new DatabaseIdentity(this.database) },
      AuditLogService,
      HealthChecks,
    ];
    const tokens = shared.map((one) => ('provide' in one ? one.provide : one));
    class SharedModule {}
    Module({ providers: shared, exports: tokens })(SharedModule);
    Global()(SharedModule);
    const events = EventsModule.register({ role, webhookAllowPrivate: allowPrivate, eventsAfterRestore: false });
    const module = await Test.createTestingModule({ imports: [DiscoveryModule, SharedModule, events] }).compile();
    this.app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(this.app, { maxFileBytes: 1000, logger: pino({ level: 'silent' }) });
    this.app.use((incoming: ApiRequest, _response: Response, next: NextFunction) => {
      incoming.caller = this.caller;
      next();
    });
    await this.app.listen(0, '127.0.0.1');
  }

  /** Switches to a new account. */
  async newAccount(): Promise<string> {
    const accountId = uuidV7();
    this.caller = { accountId, keyId: uuidV7(), keyPrefix: '1a2b3c4d', plan: 'Free', scopes: [] };
    await this.database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free')`, [accountId]);
    return accountId;
  }

  http(method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object): request.Test {
    const call = request(this.app.getHttpServer())[method](API + path);
    return body === undefined ? call : call.send(body);
  }
}
