import { DiscoveryModule } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { NextFunction, Response } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import type { ApiRequest } from '../../src/infra/http/api-request';
import { configureHttp } from '../../src/infra/http/configure-http';
import { FileUploadInterceptor, UploadLimit } from '../../src/infra/http/uploads/file-upload.decorator';
import { UploadDirectory } from '../../src/infra/http/uploads/upload-directory';
import { SystemClock } from '../../src/infra/system-clock';
import { Clock } from '../../src/kernel/clock';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { uuidV7 } from '../../src/kernel/uuid';
import { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import { AuditStore } from '../../src/modules/accounts/domain/audit-store.port';
import { Plans } from '../../src/modules/accounts/domain/plans';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { EventOutbox } from '../../src/modules/events/domain/event-outbox';
import { EventOutboxStore } from '../../src/modules/events/domain/event-outbox.port';
import { AccountPhoneBook } from '../../src/modules/groups/adapters/account-phone-book';
import { OptOutImportsController } from '../../src/modules/groups/adapters/opt-out-imports.controller';
import { PostgresKnownNumberStore } from '../../src/modules/groups/adapters/postgres-known-number-store';
import { PostgresOptOutStore } from '../../src/modules/groups/adapters/postgres-opt-out-store';
import { KnownNumberStore } from '../../src/modules/groups/domain/known-number-store.port';
import { KnownNumbers } from '../../src/modules/groups/domain/known-numbers';
import { OptOutImportsService } from '../../src/modules/groups/domain/opt-out-imports.service';
import { OptOutKeywordsStore } from '../../src/modules/groups/domain/opt-out-keywords-store.port';
import { OptOutStore } from '../../src/modules/groups/domain/opt-out-store.port';
import { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { PhoneBook } from '../../src/modules/groups/domain/phone-book.port';
import { SpreadsheetRecipientFile } from '../../src/modules/recipient-files/adapters/spreadsheet-recipient-file';
import { RecipientFile } from '../../src/modules/recipient-files/domain/recipient-file.port';
import { RecipientFiles } from '../../src/modules/recipient-files/domain/recipient-files';
import { EventsInMemory } from '../fakes/events-in-memory';
import { InMemoryAuditStore } from '../fakes/in-memory-audit-store';
import { InMemoryOptOutKeywords } from '../fakes/in-memory-opt-outs';
import { callerOf } from '../support/contact-book-api';
import { describeOnDatabase } from '../support/databases';

const ANNA = '4915123456789';
const BEN = '4915123456780';

describeOnDatabase('An import of opt-outs over HTTP', (open) => {
  let app: NestExpressApplication;
  let database: Database;
  let optOuts: OptOutsService;
  let caller = callerOf(uuidV7());

  beforeAll(async () => {
    database = await open();
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      controllers: [OptOutImportsController],
      providers: [
        ...[OptOutImportsService, OptOutsService, KnownNumbers, RecipientFiles, AuditLogService, EventOutbox],
        ...[UploadDirectory, FileUploadInterceptor],
        { provide: Database, useValue: database },
        { provide: UnitOfWork, useValue: new TypeOrmUnitOfWork(database) },
        { provide: Clock, useClass: SystemClock },
        { provide: OptOutStore, useClass: PostgresOptOutStore },
        { provide: OptOutKeywordsStore, useClass: InMemoryOptOutKeywords },
        { provide: KnownNumberStore, useClass: PostgresKnownNumberStore },
        { provide: PhoneBook, useClass: AccountPhoneBook },
        { provide: RecipientFile, useClass: SpreadsheetRecipientFile },
        { provide: EventOutboxStore, useClass: EventsInMemory },
        { provide: AuditStore, useClass: InMemoryAuditStore },
        { provide: UploadLimit, useValue: new UploadLimit(100_000) },
        { provide: Plans, useValue: new Plans({ Free: { requestsPerSecond: 1, burst: 1, maxRowsPerFile: 10 } }) },
        { provide: SendersService, useValue: { ofAccount: () => Promise.resolve({ defaultCountry: 'DE' }) } },
      ],
    }).compile();
    app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(app, { maxFileBytes: 100_000, logger: pino({ level: 'silent' }) });
    app.use((incoming: ApiRequest, _response: Response, next: NextFunction) => {
      incoming.caller = caller;
      next();
    });
    optOuts = app.get(OptOutsService);
    await app.listen(0, '127.0.0.1');
  });
  beforeEach(async () => {
    caller = callerOf(uuidV7());
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free')`, [caller.accountId]);
  });
  afterAll(() => app.close());

  const upload = (content: string, fields: Record<string, string> = {}) => {
    let call = request(app.getHttpServer()).post('/api/v1/messaging/opt-outs/import');
    for (const [name, value] of Object.entries(fields)) call = call.field(name, value);
    return call.attach('file', Buffer.from(content), 'people.csv');
  };
  const optedOut = async () => {
    const { items } = await optOuts.list(caller.accountId, { page: 1, pageSize: 20 });
    return items.map(({ phone, userId, scope, source }) => [phone ?? userId, scope, source].join(' ')).sort();
  };
  const events = () =>
    app
      .get<EventOutboxStore, EventsInMemory>(EventOutboxStore)
      .events.filter(({ accountId }) => accountId === caller.accountId)
      .map(({ type }) => type);

  it('opts out each number of the first column once, and counts who has opted out, repeated and invalid rows', async () => {
    await optOuts.add(caller, { phone: BEN });
    const content = `phone,note\n0151 23456789,x\n+${BEN},${'y'.repeat(3000)}\n+${ANNA},again\n12,bad\n`;
    const result = { added: 1, updated: 1, duplicates: 1, invalid: 1, warnings: [] };
    const { body: check } = await upload(content, { dryRun: 'true' }).expect(200);
    expect(check).toMatchObject(result);
    expect(await optedOut()).toEqual([`${BEN} All Api`]);
    const { body } = await upload(content).expect(200);
    expect(body).toEqual({ ...result, errors: [expect.objectContaining({ rowNumber: 5, code: 'phone_invalid' })] });
    expect(await optedOut()).toEqual([`${BEN} All Api`, `${ANNA} All Api`]);
    expect(events()).toEqual(['contact.opted_out', 'contact.opted_out']);
    expect((await upload(content).expect(200)).body).toMatchObject({ added: 0, updated: 2 });
    expect(events()).toHaveLength(2);
  });

  it('reads named columns, guesses them in a dry run, and returns the invalid rows as a file', async () => {
    const content = `Name,Mobile,User\nAnn,+${ANNA},\nBen,,DE.77\nCem,12,\n`;
    const { body } = await upload(content, { dryRun: 'true', columns: 'auto' }).expect(200);
    expect(body).toMatchObject({ added: 1, invalid: 2, suggestedColumns: { phone: { source: 'Mobile' } } });
    expect(body.columns).toMatchObject([{ use: null }, { header: 'Mobile', use: 'phone' }, { use: null }]);
    const columns = JSON.stringify({ phone: 'Mobile', userId: 'User' });
    const { text } = await upload(content, { dryRun: 'true', columns, badRows: 'csv' }).expect(200);
    expect(text.trim().split('\n')).toHaveLength(2);
    await upload(content, { columns, onInvalidRows: 'reject' }).expect(422);
    expect(await optedOut()).toEqual([]);
    expect((await upload(content, { columns }).expect(200)).body).toMatchObject({ added: 2, invalid: 1 });
    expect(await optedOut()).toEqual([`${ANNA} All Api`, 'DE.77 All Api']);
    expect((await upload('phone\nx\n').expect(422)).body.code).toBe('no_valid_rows');
  });
});
