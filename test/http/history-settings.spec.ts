import { DiscoveryModule } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { NextFunction, Response } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { Database } from '../../src/infra/database/database';
import type { ApiRequest } from '../../src/infra/http/api-request';
import { configureHttp } from '../../src/infra/http/configure-http';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresHistoryTermStore } from '../../src/modules/accounts/adapters/postgres-history-term-store';
import { HistoryTermStore } from '../../src/modules/accounts/domain/history-term-store.port';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import { unreadAuditLog } from '../support/audit';
import { HistoryTerms } from '../../src/modules/accounts/domain/history-terms';
import { HistorySettingsController } from '../../src/modules/messages/adapters/history-settings.controller';
import { describeOnDatabase } from '../support/databases';

const PATH = '/api/v1/messaging/settings/history';

describeOnDatabase('The settings of the history over HTTP', (open) => {
  let database: Database;
  let app: NestExpressApplication;
  let accountId: string;

  beforeAll(async () => {
    database = await open();
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      controllers: [HistorySettingsController],
      providers: [
        HistoryTerms,
        { provide: Database, useValue: database },
        { provide: UnitOfWork, useValue: new TypeOrmUnitOfWork(database) },
        { provide: AuditLogService, useValue: unreadAuditLog() },
        { provide: HistoryTermStore, useClass: PostgresHistoryTermStore },
      ],
    }).compile();
    app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(app, { maxFileBytes: 1000, logger: pino({ level: 'silent' }) });
    app.use((incoming: ApiRequest, _response: Response, next: NextFunction) => {
      incoming.caller = { accountId, keyId: uuidV7(), keyPrefix: 'mta', plan: 'Free', scopes: [] };
      next();
    });
    await app.init();
  });
  beforeEach(() => newAccount());
  afterAll(() => app.close());

  async function newAccount(): Promise<void> {
    accountId = uuidV7();
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free')`, [accountId]);
  }

  const read = async (): Promise<unknown> => (await request(app.getHttpServer()).get(PATH).expect(200)).body;
  const change = (body: object): request.Test => request(app.getHttpServer()).put(PATH).send(body);

  it('are 90 days by default, and set per account', async () => {
    expect(await read()).toEqual({ retentionDays: 90 });
    for (const retentionDays of [1, 730]) {
      expect((await change({ retentionDays }).expect(200)).body).toEqual({ retentionDays });
      expect(await read()).toEqual({ retentionDays });
    }
    await newAccount();
    expect(await read()).toEqual({ retentionDays: 90 });
  });

  it.each([
    {},
    { retentionDays: 0 },
    { retentionDays: 731 },
    { retentionDays: 1.5 },
    { retentionDays: '30' },
    { retentionDays: null },
  ])('are rejected as %j, and unchanged', async (body) => {
    const { body: answer } = await change(body).expect(400);
    expect(answer).toMatchObject({ code: 'validation_failed', errors: [{ field: 'retentionDays' }] });
    expect(await read()).toEqual({ retentionDays: 90 });
  });

  it('accept no other field', async () => {
    const { body } = await change({ retentionDays: 30, forever: true }).expect(400);
    expect(body).toMatchObject({ errors: [{ field: 'forever' }] });
  });
});
