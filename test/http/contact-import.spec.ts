import { readdirSync } from 'node:fs';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { DiscoveryModule } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { NextFunction, Response } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { Database } from '../../src/infra/database/database';
import type { ApiRequest } from '../../src/infra/http/api-request';
import { configureHttp } from '../../src/infra/http/configure-http';
import { FileUploadInterceptor, UploadLimit } from '../../src/infra/http/uploads/file-upload.decorator';
import { UploadDirectory } from '../../src/infra/http/uploads/upload-directory';
import { SystemClock } from '../../src/infra/system-clock';
import type { Caller } from '../../src/kernel/caller';
import { Clock } from '../../src/kernel/clock';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { uuidV7 } from '../../src/kernel/uuid';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { Plans } from '../../src/modules/accounts/domain/plans';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { AccountPhoneBook } from '../../src/modules/groups/adapters/account-phone-book';
import { ContactImportsController } from '../../src/modules/groups/adapters/contact-imports.controller';
import { PostgresContactStore } from '../../src/modules/groups/adapters/postgres-contact-store';
import { PostgresGroupStore } from '../../src/modules/groups/adapters/postgres-group-store';
import { ContactImportsService } from '../../src/modules/groups/domain/contact-imports.service';
import { ContactStore } from '../../src/modules/groups/domain/contact-store.port';
import { ContactQuota } from '../../src/modules/groups/domain/contact-quota';
import { ContactsService } from '../../src/modules/groups/domain/contacts.service';
import { GroupStore } from '../../src/modules/groups/domain/group-store.port';
import { KnownNumbers } from '../../src/modules/groups/domain/known-numbers';
import { GroupsService } from '../../src/modules/groups/domain/groups.service';
import type { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { PhoneBook } from '../../src/modules/groups/domain/phone-book.port';
import { SpreadsheetRecipientFile } from '../../src/modules/recipient-files/adapters/spreadsheet-recipient-file';
import { RecipientFile } from '../../src/modules/recipient-files/domain/recipient-file.port';
import { RecipientFiles } from '../../src/modules/recipient-files/domain/recipient-files';
import { ImmediateUnitOfWork } from '../fakes/immediate-unit-of-work';
import { describeOnDatabase } from '../support/databases';

const ROWS_OF_PLAN = 3000;
const CONTACTS_OF_PLAN = 4000;
const FILE_BYTES = 200_000;
const CSV = ['phone;Order;NAME;City', '+4915123456781;A-1;Ann;Bonn', '015123456782;;;', '4915123456783;C-3'].join('\n');

const contactsWithoutOptOuts = (contacts: ContactStore, phones: PhoneBook, quota: ContactQuota) => {
  const optOuts = { mergeIdentities: () => Promise.resolve() } as unknown as OptOutsService;
  return new ContactsService(contacts, phones, optOuts, new ImmediateUnitOfWork(), quota);
};

const UPLOADS = { perAccount: 6, bytesPerAccount: 5 * FILE_BYTES, bytes: 10 * FILE_BYTES };
const STALL_MS = 600_000;

describeOnDatabase('An import of contacts into a group over HTTP', (open) => {
  let app: NestExpressApplication;
  let database: Database;
  let caller: Caller;
  let groupId: string;
  let groups: GroupsService;

  beforeAll(async () => {
    database = await open();
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      controllers: [ContactImportsController],
      providers: [
        ContactImportsService,
        // No inbound messages here, and no automatic changes of contacts.
        {
          provide: ContactsService,
          useFactory: contactsWithoutOptOuts,
          inject: [ContactStore, PhoneBook, ContactQuota],
        },
        ...[GroupsService, ContactQuota, RecipientFiles, UploadDirectory, FileUploadInterceptor],
        { provide: KnownNumbers, useValue: {} },
        { provide: Database, useValue: database },
        { provide: UnitOfWork, useValue: new TypeOrmUnitOfWork(database) },
        { provide: Clock, useClass: SystemClock },
        { provide: GroupStore, useClass: PostgresGroupStore },
        { provide: ContactStore, useClass: PostgresContactStore },
        { provide: PhoneBook, useClass: AccountPhoneBook },
        { provide: RecipientFile, useClass: SpreadsheetRecipientFile },
        { provide: UploadLimit, useValue: new UploadLimit(FILE_BYTES, UPLOADS, STALL_MS) },
        {
          provide: Plans,
          useValue: new Plans({
            Free: { requestsPerSecond: 1, burst: 1, maxRowsPerFile: ROWS_OF_PLAN, maxContacts: CONTACTS_OF_PLAN },
          }),
        },
        { provide: SendersService, useValue: { ofAccount: () => Promise.resolve({ defaultCountry: 'DE' }) } },
      ],
    }).compile();
    app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(app, { maxFileBytes: FILE_BYTES, logger: pino({ level: 'silent' }) });
    app.use((incoming: ApiRequest, _response: Response, next: NextFunction) => {
      incoming.caller = caller;
      next();
    });
    groups = app.get(GroupsService);
    await app.listen(0, '127.0.0.1');
  });

  afterAll(() => app.close());

  beforeEach(async () => {
    caller = { accountId: uuidV7(), keyId: uuidV7(), keyPrefix: 'mta', plan: 'Free', scopes: [] };
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free')`, [caller.accountId]);
    groupId = (await groups.create(caller.accountId, { name: 'VIP', description: null }, 100)).id;
  });

  const upload = (content: string | Buffer | null, fields: Record<string, string> = {}, id = groupId) => {
    let call = request(app.getHttpServer()).post(`/api/v1/messaging/groups/${id}/contacts/import`);
    for (const [name, value] of Object.entries(fields)) call = call.field(name, value);
    return content === null ? call.field('x', 'y') : call.attach('file', Buffer.from(content), 'people.csv');
  };
  const contacts = async () => {
    const { items } = await groups.contactsOf(caller.accountId, groupId, { limit: 200 });
    return items.map(({ phone, name, parameters }) => [phone, name, parameters]).sort(([a], [b]) => (a! < b! ? -1 : 1));
  };
  const count = async () => (await groups.get(caller.accountId, groupId)).contactCount;
  const totalContacts = async () =>
    (await database.rows('SELECT 1 FROM contacts WHERE account_id = $1', [caller.accountId])).length;

  it("reads national numbers of the given country, otherwise of the account's", async () => {
    await upload('phone\n01 23 45 67 89\n', { defaultCountry: 'FR' }).expect(200);
    await upload('phone\n01512 3456789\n', { defaultCountry: '' }).expect(200);
    expect((await contacts()).map(([phone]) => phone)).toEqual(['33123456789', '4915123456789']);
  });

  it('is rejected before any write if it adds more people than the plan allows', async () => {
    await database.execute(
      `INSERT INTO contacts (id, account_id, phone, phone_key)
       SELECT gen_random_uuid(), $1, phone, phone FROM (SELECT (4915200000000 + n)::text AS phone FROM generate_series(1, $2::int) n) p`,
      [caller.accountId, CONTACTS_OF_PLAN - 2],
    );
    const known = '+4915200000001,Ann\n+4915200000002,Ben\n';
    const { body } = await upload(`phone,name\n${known}+4915123456781,C\n+4915123456782,D\n+4915123456783,E\n`).expect(
      409,
    );
    expect(body).toMatchObject({ code: 'quota_exceeded', quota: 'maxContacts', limit: CONTACTS_OF_PLAN });
    expect([await count(), await totalContacts()]).toEqual([0, CONTACTS_OF_PLAN - 2]);
    await upload(`phone,name\n${known}+4915123456781,C\n+4915123456782,D\n`).expect(200);
    expect([await count(), await totalContacts()]).toEqual([4, CONTACTS_OF_PLAN]);
  });

  /** Starts an upload that announces `bytes` and sends the first few; resolves with the response. */
  function hangingUpload(bytes: number) {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const path = `/api/v1/messaging/groups/${groupId}/contacts/import`;
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(bytes) };
    const sending = httpRequest({ port, host: '127.0.0.1', path, method: 'POST', headers });
    const answer = new Promise<IncomingMessage>((resolve, reject) =>
      sending.on('response', resolve).on('error', reject),
    );
    answer.catch(() => undefined);
    sending.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n4915');
    return { sending, answer };
  }

  it("is accepted regardless of other accounts' hanging uploads", async () => {
    const entered = jest.spyOn(app.get(UploadLimit).active, 'enter');
    const hanging = [];
    const own = { caller, groupId };
    for (let account = 0; account < 2; account++) {
      caller = { ...caller, accountId: uuidV7() };
      for (let n = 0; n < 5; n++) hanging.push(hangingUpload(FILE_BYTES));
      while (entered.mock.calls.length < hanging.length) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    ({ caller, groupId } = own);
    expect((await upload(CSV)).status).toBe(200);
    hanging.forEach(({ sending }) => sending.destroy());
    entered.mockRestore();
  });

  it('is aborted after a while without data, and leaves no file', async () => {
    const stallMs = jest.replaceProperty(app.get(UploadLimit), 'stallMs', 500);
    const { sending, answer } = hangingUpload(1000);
    const closed = new Promise((resolve) => sending.on('close', resolve));
    const response = await answer;
    expect([response.statusCode, response.headers.connection]).toEqual([400, 'close']);
    expect(JSON.parse(await text(response))).toMatchObject({ code: 'upload_stalled' });
    await closed;
    const folder = dirname(await app.get(UploadDirectory).newFile());
    while (readdirSync(folder).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    stallMs.restore();
  });

  /** Repeats an upload until the response has this status. */
  async function uploadUntil(status: number, content = CSV) {
    let answer = await upload(content);
    for (let tries = 0; answer.status !== status && tries < 200; tries++) answer = await upload(content);
    return answer;
  }

  it('is rejected while too many files of the account are being uploaded, until one of them ends', async () => {
    const hanging = Array.from({ length: UPLOADS.perAccount }, () => hangingUpload(1000));
    const refused = await uploadUntil(503);
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
      503,
      'service_unavailable',
      '10',
    ]);
    hanging.forEach(({ sending }) => sending.destroy());
    expect((await uploadUntil(200)).status).toBe(200);
  });

  it('reads names from the column with that header, and the other columns as parameters', async () => {
    const { body } = await upload(CSV).expect(200);
    expect(body).toEqual({ added: 3, updated: 0, duplicates: 0, invalid: 0, errors: [], warnings: [] });
    expect(await contacts()).toEqual([
      ['4915123456781', 'Ann', { '1': 'A-1', '2': 'Bonn' }],
      ['4915123456782', null, {}],
      ['4915123456783', null, { '1': 'C-3' }],
    ]);
    expect(await count()).toBe(3);
  });

  it('adds nothing twice, keeps omitted values, and stores given ones', async () => {
    await upload(CSV).expect(200);
    expect((await upload(CSV).expect(200)).body).toMatchObject({ added: 0, updated: 3 });
    const changed = 'phone,name,1\n4915123456781,Anna,\n4915123456783,,C-4\n4915123456784,Dan,D\n';
    expect((await upload(changed).expect(200)).body).toMatchObject({ added: 1, updated: 2 });
    expect(await contacts()).toEqual([
      ['4915123456781', 'Anna', { '1': 'A-1', '2': 'Bonn' }],
      ['4915123456782', null, {}],
      ['4915123456783', null, { '1': 'C-4' }],
      ['4915123456784', 'Dan', { '1': 'D' }],
    ]);
    expect(await count()).toBe(4);
  });

  describe('with a header row', () => {
    const SHEET = 'Nr,Vorname,Ort,Handy\n1,Ann,Bonn,+4915123456781\n2,Ben,,+4915123456782\n3,Cy,Kiel,12';
    const attributes = async () => {
      const { items } = await groups.contactsOf(caller.accountId, groupId, { limit: 200 });
      return Object.fromEntries(items.map((contact) => [contact.phone, contact.attributes])) as Record<string, object>;
    };
    const byName = { columns: JSON.stringify({ phone: 'handy', name: 'Vorname', values: ['C'] }) };

    it('keeps every column but the phone as an attribute', async () => {
      await upload('Handy,name,Ort\n4915123456781,Ann,Bonn').expect(200);
      expect(await contacts()).toEqual([['4915123456781', 'Ann', { '1': 'Bonn' }]]);
      expect(await attributes()).toEqual({ '4915123456781': { name: 'Ann', Ort: 'Bonn' } });
    });

    it('has columns of any name', async () => {
      await upload('Handy,constructor,__proto__,toString\n4915123456781,a,b,c').expect(200);
      const [kept] = Object.values(await attributes());
      expect(Object.entries(kept!).sort()).toEqual([
        ['__proto__', 'b'],
        ['constructor', 'a'],
        ['toString', 'c'],
      ]);
      await upload('Handy,__proto__\n4915123456781,', { columns: '{"phone":"Handy"}' }).expect(200);
      expect(Object.keys((await attributes())['4915123456781']!).sort()).toEqual(['constructor', 'toString']);
    });

    it('reads the named columns', async () => {
      const { body } = await upload(SHEET, byName).expect(200);
      expect(body).toMatchObject({ added: 2, invalid: 1, errors: [{ rowNumber: 4, code: 'phone_invalid' }] });
      expect(body).not.toHaveProperty('columns');
      expect(await contacts()).toEqual([
        ['4915123456781', 'Ann', { '1': 'Bonn' }],
        ['4915123456782', 'Ben', {}],
      ]);
      expect(await attributes()).toEqual({
        '4915123456781': { Nr: '1', Vorname: 'Ann', Ort: 'Bonn' },
        '4915123456782': { Nr: '2', Vorname: 'Ben' },
      });
    });

    it('adds to the attributes of earlier files, and an empty cell removes one', async () => {
      await upload(SHEET, byName).expect(200);
      await upload('Handy,Ort,Tisch\n4915123456781,,7', { columns: '{"phone":"Handy"}' }).expect(200);
      expect((await attributes())['4915123456781']).toEqual({ Nr: '1', Vorname: 'Ann', Tisch: '7' });
      expect((await contacts())[0]).toEqual(['4915123456781', 'Ann', { '1': 'Bonn' }]);
    });

    it('shows with dryRun what each column is used for, and invalid rows whole', async () => {
      const { body } = await upload(SHEET, { ...byName, dryRun: 'true' }).expect(200);
      expect(body.columns).toEqual([
        { column: 'A', header: 'Nr', use: 'attribute' },
        { column: 'B', header: 'Vorname', use: 'name, attribute' },
        { column: 'C', header: 'Ort', use: 'parameter 1, attribute' },
        { column: 'D', header: 'Handy', use: 'phone' },
      ]);
      expect(body.errors).toMatchObject([{ rowNumber: 4, cells: ['3', 'Cy', 'Kiel', '12'] }]);
      const file = await upload(SHEET, { ...byName, dryRun: 'true', badRows: 'csv' }).buffer(true);
      expect(file.text).toMatch(/^\uFEFF"problem","rowNumber","Nr",.+\r\n".+","4","3","Cy","Kiel","12"\r\n$/);
      const byPosition = await upload('Handy,name,Ort\n4915123456781,Ann,Bonn', { dryRun: 'true' }).expect(200);
      expect(byPosition.body).not.toHaveProperty('columns');
    });

    it('suggests columns with columns=auto in a dry run, and reads the file by them', async () => {
      const { body } = await upload('Nr,Name,Handy\n1,Ann,+4915123456781', { columns: 'auto', dryRun: 'true' }).expect(
        200,
      );
      expect(body.suggestedColumns).toEqual({
        phone: { source: 'Handy', confidence: 'high' },
        name: { source: 'Name', confidence: 'high' },
      });
      expect(body).toMatchObject({ added: 1, invalid: 0 });
      expect(await totalContacts()).toBe(0);
      const refused = await upload(SHEET, { columns: 'auto' }).expect(400);
      expect(refused.body.errors).toMatchObject([{ field: 'columns', code: 'not_allowed' }]);
      const unknown = await upload(SHEET, { columns: 'auto', dryRun: 'true' }, uuidV7()).expect(404);
      expect(unknown.body.code).toBe('group_not_found');
    });

    it.each([
      ['{"phone":"Hendy"}', 'column_not_found', undefined],
      ['{"name":"Vorname"}', 'validation_failed', ['columns.phone']],
      ['{"phone":"Handy","values":"Ort"}', 'validation_failed', ['columns.values']],
      ['{"phone":"Handy","values":[""]}', 'validation_failed', ['columns.values']],
      ['{"phone":"Handy","headerMediaUrl":"Ort"}', 'validation_failed', ['columns.headerMediaUrl']],
      ['null', 'validation_failed', ['columns']],
    ])('rejects the columns %s', async (columns, code, fields) => {
      const { body } = await upload(SHEET, { columns }).expect(400);
      expect(body.code).toBe(code);
      if (fields) expect(body.errors).toMatchObject(fields.map((field) => ({ field })));
      else expect(body.availableColumns).toEqual(['Nr', 'Vorname', 'Ort', 'Handy']);
      expect(await totalContacts()).toBe(0);
    });
  });

  it('counts rows of one person as duplicates in any form of the number, over the whole file', async () => {
    const others = Array.from({ length: 600 }, (_, index) => `4915200000${String(index).padStart(3, '0')},x`);
    const file = ['5511987654321,first', ...others, '+551187654321,second'].join('\n');
    const { body } = await upload(file).expect(200);
    expect(body).toMatchObject({ added: 601, updated: 0, duplicates: 1, invalid: 0 });
    const [bia] = await database.rows('SELECT parameters FROM contacts WHERE account_id = $1 AND phone = $2', [
      caller.accountId,
      '5511987654321',
    ]);
    expect(bia).toEqual({ parameters: { '1': 'first' } });
    expect(await count()).toBe(601);
  });

  it('skips invalid rows and lists the first hundred', async () => {
    const bad = Array.from({ length: 120 }, (_, index) => `x${index},a`).join('\n');
    const { body } = await upload(`phone,name\n4915123456781,Ann\n4915123456782,${'n'.repeat(129)}\n${bad}`).expect(
      200,
    );
    expect(body).toMatchObject({ added: 1, updated: 0, duplicates: 0, invalid: 121 });
    expect(body.errors).toHaveLength(100);
    expect(body.errors[0]).toMatchObject({ rowNumber: 3, field: 'name', code: 'name_invalid' });
    expect(body.errors[1]).toMatchObject({ rowNumber: 4, field: 'phone', code: 'phone_invalid' });
  });

  it('shows with dryRun what it would do, and does nothing', async () => {
    await upload('4915123456781\n').expect(200);
    const { body } = await upload(`${CSV}\nnobody`, { dryRun: 'true' }).expect(200);
    expect(body).toMatchObject({ added: 2, updated: 1, duplicates: 0, invalid: 1 });
    expect(await contacts()).toEqual([['4915123456781', null, {}]]);
    const refused = await upload('nobody\n', { dryRun: 'true', onInvalidRows: 'reject', hasHeader: 'false' }).expect(
      200,
    );
    expect(refused.body).toMatchObject({ added: 0, invalid: 1 });
  });

  it.each([
    ['no valid row', 'nobody\nno one\n', { hasHeader: 'false' }, 422, 'no_valid_rows'],
    ['a disallowed invalid row', '4915123456781\nnobody\n', { onInvalidRows: 'reject' }, 422, 'invalid_rows'],
    ['a header alone', 'phone,name\n', {}, 400, 'file_empty'],
    ['a damaged workbook', 'PK\u0003\u0004 nothing', {}, 422, 'file_unreadable'],
    ['another file type', '%PDF-1.7 nothing', {}, 415, 'unsupported_file_type'],
    ['unknown fields', '4915123456781\n', { colour: 'red' }, 400, 'validation_failed'],
    ['wrong fields', '4915123456781\n', { dryRun: 'yes' }, 400, 'validation_failed'],
  ])('is rejected with %s, and changes nothing', async (_, file, fields, status, code) => {
    const { body } = await upload(file, fields).expect(status);
    expect(body.code).toBe(code);
    expect([await count(), await totalContacts()]).toEqual([0, 0]);
  });

  it('is rejected completely if it proves too long after thousands of valid rows', async () => {
    const rows = (howMany: number) => Array.from({ length: howMany }, (_, index) => String(4915200000000 + index));
    const tooMany = await upload(rows(ROWS_OF_PLAN + 1).join('\n')).expect(413);
    expect(tooMany.body).toMatchObject({ code: 'too_many_rows', limit: ROWS_OF_PLAN });
    expect([await count(), await totalContacts()]).toEqual([0, 0]);
  });

  it("is rejected without a file, and for another account's group", async () => {
    expect((await upload(null).expect(400)).body.code).toBe('file_required');
    expect((await upload(CSV, {}, uuidV7()).expect(404)).body.code).toBe('group_not_found');
    caller = { ...caller, accountId: uuidV7() };
    expect((await upload(CSV).expect(404)).body.code).toBe('group_not_found');
  });

  it('counts exactly with concurrent files', async () => {
    const file = (from: number) =>
      Array.from({ length: 700 }, (_, index) => String(4915200000000 + from + index)).join('\n');
    const answers = await Promise.all([upload(file(0)), upload(file(350)), upload(file(0))]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.reduce((sum, { body }) => sum + (body.added as number), 0)).toBe(1050);
    expect(await count()).toBe(1050);
  });
});
