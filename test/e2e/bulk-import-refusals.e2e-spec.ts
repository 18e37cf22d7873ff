import { connect } from 'node:net';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as XLSX from '@e965/xlsx';
import { anotherAccount } from '../support/process/accounts';
import { fileOf, listOf, phone, phones } from '../support/process/bulk';
import { type Answer, Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import { KEY, type Service, startService, until } from '../support/process/service';

const MAX_ROWS = 50;
const MB = 1024 * 1024;
const GOOD = listOf(phones(2));
const FIELDS = { templateName: 'hello_world' };

describe('A rejected upload', () => {
  let folder: string;
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mta-refusals-'));
    const plan = { requestsPerSecond: 1000, burst: 2000, maxRowsPerFile: MAX_ROWS };
    await writeFile(join(folder, 'plans.json'), JSON.stringify({ Enterprise: plan }));
    platform = await Platform.start({ autoCreateSenders: true });
    service = await startService({
      platformUrl: platform.url,
      env: { MAX_FILE_MB: '1', PLANS_FILE: join(folder, 'plans.json'), TMPDIR: folder },
    });
    client = new Client(service);
  });

  afterEach(async () => {
    const { body } = await client.get('/bulk-jobs');
    expect(body.totalCount).toBe(0);
    expect(await storedFiles()).toEqual([]);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const upload = (file: { name: string; content: string | Buffer } | null, fields: Record<string, string> = FIELDS) =>
    client.upload(file, fields);

  /** Uploads on the service's disk. */
  async function storedFiles(): Promise<string[]> {
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    return names.filter((entry) => entry.isFile() && entry.name !== 'plans.json').map(({ name }) => name);
  }

  function expectRefusal(answer: Answer, status: number, code: string): void {
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body).toMatchObject({
      error: expect.any(String),
      message: expect.any(String),
      statusCode: status,
      requestId: answer.headers.get('x-request-id'),
    });
  }

  const form = (...parts: [name: string, value: string | Blob, fileName?: string][]) => {
    const made = new FormData();
    for (const [name, value, fileName] of parts) {
      if (typeof value === 'string') made.append(name, value);
      else made.append(name, value, fileName);
    }
    return client.call('POST', '/bulk-import-messages', { form: made });
  };
  const csv = new Blob([GOOD.content]);

  describe('by its form', () => {
    it('reports a missing file', async () => {
      expectRefusal(await upload(null), 400, 'file_required');
      expectRefusal(await form(['file', GOOD.content], ['templateName', 'hello_world']), 400, 'file_required');
    });

    it('accepts one file, in the field "file"', async () => {
      const twice = await form(['templateName', 'hello_world'], ['file', csv, 'a.csv'], ['file', csv, 'b.csv']);
      const renamed = await form(['templateName', 'hello_world'], ['list', csv, 'a.csv']);
      expectRefusal(twice, 400, 'validation_failed');
      expectRefusal(renamed, 400, 'validation_failed');
      expect(renamed.body.errors[0].field).toBe('list');
    });

    it('needs multipart/form-data', async () => {
      expectRefusal(await client.post('/bulk-import-messages', FIELDS), 415, 'unsupported_media_type');
      const text = { body: GOOD.content, headers: { 'content-type': 'text/csv' } };
      expectRefusal(await client.call('POST', '/bulk-import-messages', text), 415, 'unsupported_media_type');
      expectRefusal(await client.call('POST', '/bulk-import-messages'), 400, 'file_required');
    });

    it('is rejected with a broken multipart body', async () => {
      const headers = { 'content-type': 'multipart/form-data; boundary=x' };
      const cut = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n4915';
      expectRefusal(
        await client.call('POST', '/bulk-import-messages', { body: cut, headers }),
        400,
        'validation_failed',
      );
      const noBoundary = { body: cut, headers: { 'content-type': 'multipart/form-data' } };
      expectRefusal(await client.call('POST', '/bulk-import-messages', noBoundary), 400, 'validation_failed');
    });

    it('returns all invalid and unknown fields', async () => {
      const answer = await upload(GOOD, {
        languageCode: 'x'.repeat(21),
        hasHeader: 'yes',
        onInvalidRows: 'ignore',
        onDuplicates: 'drop',
        dryRun: '1',
        reference: 'x'.repeat(256),
        headerMediaUrl: 'ftp://example.com/a.jpg',
        colour: 'red',
      });
      expectRefusal(answer, 400, 'validation_failed');
      expect(fieldsOf(answer).sort()).toEqual([
        'colour',
        'dryRun',
        'hasHeader',
        'headerMediaUrl',
        'languageCode',
        'onDuplicates',
        'onInvalidRows',
        'reference',
        'templateName',
      ]);
    });

    it('cannot be scheduled for the past', async () => {
      const answer = await upload(GOOD, { ...FIELDS, scheduledAt: '2020-01-01T00:00:00Z' });
      expectRefusal(answer, 400, 'validation_failed');
      expect(answer.body.errors[0]).toMatchObject({ field: 'scheduledAt', code: 'out_of_range' });
    });

    it('is limited in size and number of fields', async () => {
      expectRefusal(await upload(GOOD, { ...FIELDS, reference: 'x'.repeat(70_000) }), 400, 'validation_failed');
      const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`field${index}`, 'x']));
      expectRefusal(await upload(GOOD, { ...many, ...FIELDS }), 400, 'validation_failed');
    });
  });

  describe('by its template', () => {
    it('is rejected before the file is read', async () => {
      const broken = { name: 'a.pdf', content: '%PDF-1.7 broken' };
      expectRefusal(await upload(broken, { templateName: 'no_such_template' }), 404, 'template_not_found');
      const language = await upload(broken, { templateName: 'appointment_reminder', languageCode: 'fr' });
      expectRefusal(language, 404, 'template_language_not_found');
      expect(new Set(language.body.availableLanguages)).toEqual(new Set(['de', 'en_US']));
      for (const [templateName, status] of [
        ['pending_notice', 'Pending'],
        ['rejected_notice', 'Rejected'],
        ['paused_notice', 'Paused'],
        ['disabled_notice', 'Disabled'],
      ] as const) {
        const answer = await upload(broken, { templateName });
        expectRefusal(answer, 422, 'template_not_approved');
        expect(answer.body.templateStatus).toBe(status);
      }
      expectRefusal(await upload(broken, { templateName: 'order_payment' }), 422, 'template_not_supported');
      expectRefusal(await upload(broken, { templateName: 'new_arrivals' }), 422, 'extras_mismatch');
      expectRefusal(await upload(broken, { templateName: 'shop_visit' }), 422, 'template_not_supported');
    });

    it('needs header media exactly if the template has them, once', async () => {
      const id = { headerMediaId: '1013859600285441' };
      const url = { headerMediaUrl: 'https://example.com/a.jpg' };
      expectRefusal(await upload(GOOD, { templateName: 'summer_sale' }), 422, 'media_mismatch');
      expectRefusal(await upload(GOOD, { templateName: 'summer_sale', ...id, ...url }), 422, 'media_mismatch');
      expectRefusal(await upload(GOOD, { ...FIELDS, ...id }), 422, 'media_mismatch');
    });
  });

  describe('by its file', () => {
    it('is empty, blank or only a header', async () => {
      for (const content of ['', '\n\n  \n', 'phone,name\n']) {
        expectRefusal(await upload({ name: 'a.csv', content }), 400, 'file_empty');
      }
      expectRefusal(await upload(fileOf('xlsx', [['phone', 'name']])), 400, 'file_empty');
      expectRefusal(
        await upload({ name: 'a.csv', content: `${phone(1)}\n` }, { ...FIELDS, hasHeader: 'true' }),
        400,
        'file_empty',
      );
    });

    it('is larger than MAX_FILE_MB', async () => {
      const answer = await upload({ name: 'a.csv', content: `${phone(1)}\n${' '.repeat(MB)}` });
      expectRefusal(answer, 413, 'file_too_large');
      expect(answer.body.limit).toBe(MB);
    });

    it('may be as large as MAX_FILE_MB', async () => {
      const content = `${phone(1)}\n`.padEnd(MB, '\n');
      expect((await upload({ name: 'a.csv', content }, { ...FIELDS, dryRun: 'true' })).status).toBe(200);
    });

    it('has more rows than the plan allows, in each of the three formats', async () => {
      const header = ['phone'];
      const rows = (count: number) => [header, ...phones(count).map((to) => [to])];
      for (const type of ['xlsx', 'xls', 'csv'] as const) {
        const answer = await upload(fileOf(type, rows(MAX_ROWS + 1)));
        expectRefusal(answer, 413, 'too_many_rows');
        expect(answer.body.limit).toBe(MAX_ROWS);
        const most = await upload(fileOf(type, rows(MAX_ROWS)), { ...FIELDS, dryRun: 'true' });
        expect(most.body.totalRecipients).toBe(MAX_ROWS);
      }
    });

    it('is none of the three formats by its bytes, whatever its name', async () => {
      const png = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001080600000000', 'hex');
      expectRefusal(await upload({ name: 'a.csv', content: png }), 415, 'unsupported_file_type');
      expectRefusal(
        await upload({ name: 'a.xlsx', content: '%PDF-1.7\n%\xe2\xe3\n1 0 obj' }),
        415,
        'unsupported_file_type',
      );
      expectRefusal(
        await upload({ name: 'a.xls', content: '<html><table></table></html>' }),
        415,
        'unsupported_file_type',
      );
      const renamed = { name: 'photo.png', content: GOOD.content };
      expect((await upload(renamed, { ...FIELDS, dryRun: 'true' })).status).toBe(200);
    });

    it('is damaged', async () => {
      const workbook = fileOf(
        'xlsx',
        phones(40).map((to) => [to]),
      ).content;
      const answer = await upload({ name: 'a.xlsx', content: workbook.subarray(0, workbook.length - 400) });
      expectRefusal(answer, 422, 'file_unreadable');
      expect(answer.body.reason).toBe('corrupt');
    });

    it('is password-protected', async () => {
      const answer = await upload({ name: 'a.xlsx', content: encryptedWorkbook() });
      expectRefusal(answer, 422, 'file_unreadable');
      expect(answer.body.reason).toBe('encrypted');
    });

    it('is text in an unknown encoding', async () => {
      const utf32 = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), Buffer.from([0x34, 0, 0, 0])]);
      const answer = await upload({ name: 'a.csv', content: utf32 });
      expectRefusal(answer, 422, 'file_unreadable');
      expect(answer.body.reason).toBe('encoding');
    });
  });

  describe('by its rows', () => {
    const bad = Array.from({ length: 30 }, (_, index) => `wrong${index}`);

    it('has no valid row, which is reported first', async () => {
      for (const onInvalidRows of ['skip', 'reject']) {
        const answer = await upload(listOf(bad), { ...FIELDS, onInvalidRows });
        expectRefusal(answer, 422, 'no_valid_rows');
        expect(answer.body).toMatchObject({ totalRecipients: 30, invalidRows: 30, duplicateRows: 0 });
        expect(answer.body.errors).toHaveLength(20);
        expect(answer.body.errors[0]).toEqual({
          rowNumber: 2,
          field: 'phone',
          code: 'phone_invalid',
          message: expect.any(String),
        });
      }
    });

    it('has one invalid row, and asks for rejection', async () => {
      const twice = [phone(1), phone(1), ...bad.slice(0, 25)];
      const answer = await upload(listOf(twice), { ...FIELDS, onInvalidRows: 'reject' });
      expectRefusal(answer, 422, 'invalid_rows');
      expect(answer.body).toMatchObject({ totalRecipients: 26, invalidRows: 25, duplicateRows: 1 });
      expect(answer.body.errors).toHaveLength(20);
      expect(answer.body.errors[0].rowNumber).toBe(4);
    });
  });

  describe('by its end', () => {
    it('is aborted midway, and leaves nothing', async () => {
      const half = await sendHalf(service);
      await until(async () => (await storedFiles()).length > 0, 5000, 'the first half is being written');
      half.destroy();
      await until(async () => (await storedFiles()).length === 0, 5000, 'the partial file is removed');
      expect((await client.get('/bulk-jobs')).body.items).toEqual([]);
    });
  });

  describe('by its key', () => {
    it('has no scope to send', async () => {
      const { id } = await anotherAccount(client);
      const { body } = await client.post(`/accounts/${id}/api-keys`, { name: 'reader', scopes: ['jobs:read'] });
      const answer = await client.upload(GOOD, FIELDS, { key: body.key as string });
      expectRefusal(answer, 403, 'missing_scope');
      expectRefusal(await client.upload(GOOD, FIELDS, { key: null }), 401, 'unauthorized');
    });
  });
});

function fieldsOf(answer: Answer): string[] {
  return (answer.body.errors as { field: string }[]).map(({ field }) => field);
}

/** A password-protected Office file: its parts are encrypted in an OLE container. */
function encryptedWorkbook(): Buffer {
  const { CFB } = XLSX as unknown as { CFB: CfbWriter };
  const container = CFB.utils.cfb_new();
  for (const name of ['EncryptionInfo', 'EncryptedPackage'])
    CFB.utils.cfb_add(container, `/${name}`, Buffer.alloc(5000));
  return CFB.write(container, { type: 'buffer' });
}

interface CfbWriter {
  utils: { cfb_new(): object; cfb_add(file: object, name: string, content: Buffer): void };
  write(file: object, options: { type: 'buffer' }): Buffer;
}

/** Starts an upload and sends 100 kB; the connection stays open. */
function sendHalf(service: Service) {
  const { hostname, port, pathname } = new URL(`${service.api}/bulk-import-messages`);
  const body =
    '--x\r\nContent-Disposition: form-data; name="templateName"\r\n\r\nhello_world\r\n' +
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
  const head =
    `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${KEY}\r\n` +
    'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 500000\r\n\r\n';
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  return new Promise<typeof socket>((done) => {
    socket.write(head + body + listOf(phones(7000)).content, () => done(socket));
  });
}
