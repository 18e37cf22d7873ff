import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { get as httpGet, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { Workbook } from 'exceljs';
import request from 'supertest';
import { DEFAULT_LIMITS } from '../../libs/recipient-files/file-limits';
import { openXlsx } from '../../libs/recipient-files/xlsx/open-xlsx';
import { uuidV7 } from '../../src/kernel/uuid';
import { BulkJobsService } from '../../src/modules/bulk-jobs/domain/bulk-jobs.service';
import { API, BulkJobsApi, CSV, errorsOf } from '../support/bulk-jobs-api';
import { describeOnDatabase } from '../support/databases';

const HEADER = [
  ...['rowNumber', 'phone', 'value 1 (body {{1}})', 'value 2 (body {{2}})', 'status', 'errorCode', 'errorMessage'],
  ...['platformCode', 'messageId', 'sentAt', 'deliveredAt', 'readAt', 'updatedAt'],
];
/** Texts that spreadsheet programs would execute, or that break an unquoted file. */
const DANGEROUS = ['=1+1', '+49', '-1', '@SUM(A1)', '\tx', 'a\nb', 'a\r\nb', 'say "hi", Ann', '_x0041_', ' blank '];

describeOnDatabase('The report of a bulk job', (open) => {
  let api: BulkJobsApi;

  beforeAll(async () => {
    api = new BulkJobsApi(await open());
    await api.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.app.close());

  const newJob = async (file = CSV) => (await api.upload(file).expect(202)).body.jobId as string;
  const setRecipient = (jobId: string, position: number, change: string, ...values: unknown[]) =>
    api.database.execute(`UPDATE job_recipients SET ${change} WHERE job_id = $1 AND position = $2`, [
      jobId,
      position,
      ...values,
    ]);
  const reportOf = (jobId: string, query = '') => api.get(`/bulk-jobs/${jobId}/report?${query}`);

  async function csvOf(jobId: string, query = ''): Promise<string[][]> {
    const { text } = await reportOf(jobId, query).expect(200);
    expect(text.startsWith('\ufeff"rowNumber","phone",')).toBe(true);
    return parse(text, { bom: true });
  }

  async function xlsxOf(jobId: string, query = ''): Promise<Buffer> {
    const { body } = await reportOf(jobId, `format=xlsx&${query}`).responseType('blob').expect(200);
    return body as Buffer;
  }

  async function sheetOf(file: Buffer): Promise<unknown[][]> {
    const book = new Workbook();
    await book.xlsx.load(file as unknown as ArrayBuffer);
    const rows: unknown[][] = [];
    book.worksheets[0]!.eachRow((row) => rows.push(HEADER.map((_, index) => row.getCell(index + 1).value)));
    return rows;
  }

  /** Records the message to a position as sent and read. */
  async function sent(jobId: string, position: number): Promise<string> {
    await setRecipient(jobId, position, `outcome = 'Sent', attempt = 1, updated_at = '2026-01-15T09:00:00.5Z'`);
    const [row] = await api.database.rows<{ id: string }>(
      `INSERT INTO messages (id, account_id, conversation_id, direction, type, status, job_id, created_at, sent_at, delivered_at, read_at)
       SELECT message_id, $3, $4, 'Outbound', 'Template', 'Read', job_id, now(), '2026-01-15T09:00:00.25Z',
         '2026-01-15T09:00:01Z', '2026-01-15T09:00:02Z'
       FROM job_recipients WHERE job_id = $1 AND position = $2 RETURNING id`,
      [jobId, position, api.caller.accountId, uuidV7()],
    );
    return row!.id;
  }

  it('has one row for each recipient, with the uploaded values and the outcome', async () => {
    const jobId = await newJob('phone,name,order\n+4915123456781,Ann,001\n12,Ben,2,more\n+4915123456783,Cem,3\n');
    const messageId = await sent(jobId, 1);
    const { body: failed } = await api.get(`/bulk-jobs/${jobId}/recipients?status=Failed`).expect(200);
    const reason = failed.items[0].errorMessage as string;
    const createdAt = (await api.get(`/bulk-jobs/${jobId}`)).body.createdAt as string;
    const times = ['2026-01-15T09:00:00.250Z', '2026-01-15T09:00:01.000Z', '2026-01-15T09:00:02.000Z'];
    const rows: string[][] = [
      ['2', '4915123456781', 'Ann', '001', 'Read', '', '', '', messageId, ...times, '2026-01-15T09:00:02.000Z'],
      ['3', '12', 'Ben', '2', 'Failed', 'phone_invalid', reason, '', '', '', '', '', createdAt],
      ['4', '4915123456783', 'Cem', '3', 'Pending', '', '', '', '', '', '', '', createdAt],
    ];
    expect(await csvOf(jobId)).toEqual([HEADER, ...rows]);
    const inXlsx = rows.map(([row, ...others]) => [Number(row), ...others.map((cell) => (cell === '' ? null : cell))]);
    expect(await sheetOf(await xlsxOf(jobId))).toEqual([HEADER, ...inXlsx]);
  });

  it('has words of a language, the row number first, and times that a spreadsheet sorts, on request', async () => {
    const jobId = await newJob('phone,name,order\n+4915123456781,Ann,001\n12,Ben,2,more\n+4915123456783,Cem,3\n');
    const messageId = await sent(jobId, 1);
    await setRecipient(jobId, 3, `outcome = 'Failed', problem = 'recipient_unreachable', attempt = 1`);
    const query = 'language=de&timeZone=Europe/Berlin';
    const times = ['Gesendet', 'Zugestellt', 'Gelesen'].map((time) => `${time} (Europe/Berlin)`);
    const { text } = await reportOf(jobId, `${query}&layout=sheet`).expect(200);
    const [header, ...rows] = parse(text, { bom: true });
    const own = ['Zeile', 'phone', 'name', 'order', 'D'];
    expect(header).toEqual([...own, 'Status', 'Grund', ...times, 'Einzelheiten (englisch)', 'Nachrichten-ID']);
    expect(rows.map((row) => row.slice(0, 8))).toEqual([
      ['2', '4915123456781', 'Ann', '001', '', 'Gelesen', '', '2026-01-15 10:00:00'],
      ['3', '12', 'Ben', '2', 'more', 'Ungültige Zeile', 'Telefonnummer ungültig', ''],
      ['4', '4915123456783', 'Cem', '3', '', 'Fehlgeschlagen', 'Empfänger nicht erreichbar', ''],
    ]);
    expect(rows[0]!.at(-1)).toBe(messageId);
    // The reason says it in German.
    expect(rows.map((row) => row.at(-2))).toEqual(['', '', '']);

    const sheet = await sheetOf(await xlsxOf(jobId, query));
    expect(sheet[0]!.slice(0, 6)).toEqual(['Zeile', 'Telefon', ...HEADER.slice(2, 4), 'Status', 'Grund']);
    expect(sheet[1]!.slice(6, 9)).toEqual(['00', '01', '02'].map((s) => new Date(`2026-01-15T10:00:${s}Z`)));
    // The acceptance was recorded after the whole second that the platform reports as the delivery.
    await api.database.execute(`UPDATE messages SET sent_at = '2026-01-15T09:00:02.1Z' WHERE job_id = $1`, [jobId]);
    const inEnglish: string[][] = parse((await reportOf(jobId, 'language=en').expect(200)).text, { bom: true });
    expect(inEnglish.map((row) => [row[0], row[4], row[5]])).toEqual([
      ['Row', 'Status', 'Reason'],
      ['2', 'Read', ''],
      ['3', 'Invalid row', 'Phone number invalid'],
      ['4', 'Failed', 'Recipient unreachable'],
    ]);
    expect(inEnglish[1]!.slice(6, 8)).toEqual(Array(2).fill('2026-01-15T09:00:01.000Z'));
    expect(errorsOf((await reportOf(jobId, 'language=fr').expect(400)).body)).toEqual([['language', 'not_allowed']]);
    // Why the platform rejects a message is known in its own words only.
    await setRecipient(jobId, 3, `problem = 'platform_rejected', problem_message = 'Unsupported (#1)'`);
    expect(
      parse((await reportOf(jobId, query).expect(200)).text, { bom: true })
        .at(-1)
        ?.at(-2),
    ).toBe('Unsupported (#1)');
  });

  it('keeps dangerous texts in their cells, harmless', async () => {
    const jobId = await newJob(`phone,name,order\n${DANGEROUS.map((_, n) => `+491512345678${n},Ann,1`).join('\n')}\n`);
    for (const [index, text] of DANGEROUS.entries()) {
      await setRecipient(jobId, index + 1, `parameters = $3`, JSON.stringify([text, 'x']));
    }
    const inCsv = (await csvOf(jobId)).slice(1).map((row) => row[2]);
    expect(inCsv).toEqual(DANGEROUS.map((text) => (/^[=+\-@\t]/.test(text) ? `'${text}` : text)));
    const folder = mkdtempSync(join(tmpdir(), 'mta-report-'));
    try {
      const path = join(folder, 'report.xlsx');
      await writeFile(path, await xlsxOf(jobId));
      const read: string[][] = [];
      for await (const rows of (await openXlsx(path, DEFAULT_LIMITS, { keepsNumbers: false, isList: () => true })).rows)
        read.push(...rows.map(({ cells }) => cells));
      expect(read[0]).toEqual(HEADER);
      expect(read.slice(1).map(([row, phone, value]) => [row, phone, value])).toEqual(
        DANGEROUS.map((text, n) => [String(n + 2), `491512345678${n}`, text]),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has only the requested statuses and codes', async () => {
    const jobId = await newJob('phone,name,order\n+4915123456781,Ann,1\n+4915123456782,,2\n13,Cem,3\n');
    await setRecipient(jobId, 1, `outcome = 'Unknown', attempt = 1`);
    const rowNumbers = async (query: string) => (await csvOf(jobId, query)).slice(1).map(([rowNumber]) => rowNumber);
    expect(await rowNumbers('status=Failed')).toEqual(['3', '4']);
    expect(await rowNumbers('status=Unknown')).toEqual(['2']);
    expect(await rowNumbers('errorCode=phone_invalid')).toEqual(['4']);
    expect(await rowNumbers('errorCode=phone_invalid,parameter_missing')).toEqual(['3', '4']);
    expect(await rowNumbers('status=Delivered')).toEqual([]);
    expect((await sheetOf(await xlsxOf(jobId, 'status=Delivered'))).slice(1)).toEqual([]);
  });

  it('is blank for erased people', async () => {
    const jobId = await newJob();
    await setRecipient(jobId, 1, `phone = '', parameters = '[]', outcome = 'Skipped', problem = 'recipient_erased'`);
    const [, erased] = await csvOf(jobId);
    expect(erased!.slice(0, 6)).toEqual(['2', '', '', '', 'Skipped', 'recipient_erased']);
  });

  it('is a file with a name, also for HEAD', async () => {
    const jobId = await newJob();
    for (const [format, type] of [
      ['csv', 'text/csv; charset=utf-8'],
      ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ]) {
      const path = `${API}/bulk-jobs/${jobId}/report?format=${format}`;
      const head = await request(api.app.getHttpServer()).head(path).expect(200);
      expect(head.headers).toMatchObject({
        'content-type': type,
        'content-disposition': `attachment; filename="report-${jobId}.${format}"`,
      });
    }
  });

  it('is named after the job, in every alphabet, without characters that are not allowed', async () => {
    const named = async (name: string, query = '') => {
      const { body } = await api.upload(CSV, { name }).expect(202);
      return (await reportOf(body.jobId as string, query).expect(200)).headers['content-disposition'];
    };
    expect(await named('Frost', 'language=de')).toBe('attachment; filename="Frost Bericht.csv"');
    expect(await named('Spring sale 2026')).toBe('attachment; filename="Spring sale 2026 report.csv"');
    const whole = encodeURIComponent('Köln- 1-2 -حملة- report.csv');
    expect(await named('Köln: 1/2 "حملة"')).toBe(
      `attachment; filename="K?ln- 1-2 -????- report.csv"; filename*=UTF-8''${whole}`,
    );
  });

  it('has local times of a time zone, which its header names', async () => {
    const jobId = await newJob('phone,name,order\n+4915123456781,Ann,1\n');
    await sent(jobId, 1);
    const [header, row] = await csvOf(jobId, 'timeZone=Europe/Berlin');
    expect(header!.slice(-4)).toEqual(
      ['sentAt', 'deliveredAt', 'readAt', 'updatedAt'].map((title) => `${title} (Europe/Berlin)`),
    );
    expect(row!.slice(-4, -1)).toEqual(['2026-01-15 10:00:00', '2026-01-15 10:00:01', '2026-01-15 10:00:02']);
    const { body } = await reportOf(jobId, 'timeZone=Berlin').expect(400);
    expect(errorsOf(body)?.map(([field]) => field)).toEqual(['timeZone']);
  });

  it('is rejected for an unknown job, deleted recipients, and an invalid format', async () => {
    expect((await reportOf(uuidV7()).expect(404)).body.code).toBe('job_not_found');
    const jobId = await newJob();
    const { body } = await reportOf(jobId, 'format=pdf&status=None&errorCode=phone_missin').expect(400);
    expect(errorsOf(body)?.map(([field]) => field)).toEqual(['format', 'status', 'errorCode']);
    await api.database.execute(`UPDATE bulk_jobs SET recipients_expired_at = now() WHERE id = $1`, [jobId]);
    expect((await reportOf(jobId).expect(409)).body.code).toBe('recipients_expired');
  });

  describe('beside many others', () => {
    const ASKED = 12;
    /** Releases the held reads of the first account. */
    let release: () => void;
    let reads: { accountId: string; jobId: string }[];
    let reading: number;
    let most: number;
    let held: string;
    let spy: jest.SpyInstance;
    let found: jest.SpyInstance<unknown, Parameters<BulkJobsService['get']>>;

    beforeEach(() => {
      held = api.caller.accountId;
      reads = [];
      reading = most = 0;
      const gate = new Promise<void>((resolve) => (release = resolve));
      const jobs = api.app.get(BulkJobsService);
      found = jest.spyOn(jobs, 'get');
      const read = jobs.recipients.bind(jobs);
      spy = jest.spyOn(jobs, 'recipients').mockImplementation(async (accountId, jobId, ...rest) => {
        reads.push({ accountId, jobId });
        if (accountId !== held) return read(accountId, jobId, ...rest);
        most = Math.max(most, ++reading);
        await gate;
        reading--;
        return read(accountId, jobId, ...rest);
      });
    });
    afterEach(() => {
      release();
      spy.mockRestore();
      found.mockRestore();
    });

    /** Resolves when `count` requests for the report have passed their guards. */
    const requested = async (jobId: string, count: number) => {
      const of = () => found.mock.calls.filter(([, id]) => id === jobId).length;
      while (of() < count) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    const arrived = async (count: number) => {
      while (reads.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
    };

    it('is limited to two at a time per account, without delaying another account', async () => {
      const jobId = await newJob();
      const flood = Array.from({ length: ASKED }, (_, n) =>
        reportOf(jobId, n % 2 ? 'format=xlsx' : '').then(({ status }) => status),
      );
      await requested(jobId, ASKED);
      await arrived(2);
      await api.newAccount();
      const other = await newJob();
      expect(await csvOf(other)).toHaveLength(3);
      expect(reads.filter(({ accountId }) => accountId === held)).toHaveLength(2);
      release();
      expect(await Promise.all(flood)).toEqual(new Array(ASKED).fill(200));
      expect(most).toBe(2);
    });

    it('is skipped for a client that disconnected while waiting, in favour of the next', async () => {
      const jobId = await newJob();
      const cancelled = await newJob(`${CSV}+4915123456783,Cem,3\n`);
      const first = [reportOf(jobId), reportOf(jobId)].map((one) => one.then(({ status }) => status));
      await arrived(2);
      const { port } = api.app.getHttpServer().address() as AddressInfo;
      const left = httpGet({ port, path: `${API}/bulk-jobs/${cancelled}/report`, host: '127.0.0.1' });
      left.on('error', () => undefined);
      await requested(cancelled, 1);
      left.destroy();
      const last = reportOf(jobId).then(({ status }) => status);
      release();
      expect(await Promise.all([...first, last])).toEqual([200, 200, 200]);
      expect(reads.map((one) => one.jobId)).not.toContain(cancelled);
    });
  });

  describe('of many recipients', () => {
    const RECIPIENTS = 8000;
    let jobId: string;
    let parts: jest.SpyInstance;

    beforeEach(async () => {
      jobId = await newJob();
      // More than the buffers of any connection hold.
      await api.database.execute(
        `INSERT INTO job_recipients (job_id, position, row_number, message_id, phone, parameters)
         SELECT $1, n, n + 1, gen_random_uuid(), '49151' || n, jsonb_build_array(repeat('x', 5000))
         FROM generate_series(3, $2::int) n`,
        [jobId, RECIPIENTS],
      );
      await api.database.execute('UPDATE bulk_jobs SET total_recipients = $2 WHERE id = $1', [jobId, RECIPIENTS]);
      parts = jest.spyOn(api.app.get(BulkJobsService), 'recipients');
    });
    afterEach(() => parts.mockRestore());

    const begun = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const { port } = api.app.getHttpServer().address() as AddressInfo;
        const path = `${API}/bulk-jobs/${jobId}/report`;
        httpGet({ port, path, host: '127.0.0.1' }, (response) => resolve(response.pause())).on('error', reject);
      });

    /** Waits until no part is read any more, although the client is connected. */
    async function stalled(): Promise<number> {
      let before = -1;
      for (let quiet = 0; quiet < 20;) {
        const now = parts.mock.calls.length;
        quiet = now === before ? quiet + 1 : 0;
        before = now;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      return before;
    }

    it('waits for a client that does not read, and is complete when it continues', async () => {
      const response = await begun();
      expect(await stalled()).toBeLessThan(RECIPIENTS / 1000);
      const file = await buffer(response.resume());
      const rows = parse(file, { bom: true }).map(([row]) => row);
      expect(rows).toEqual(['rowNumber', ...Array.from({ length: RECIPIENTS }, (_, n) => String(n + 2))]);
    });

    it('delays no other of its account while its client does not read', async () => {
      const responses = [await begun(), await begun(), await begun()];
      expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
      expect((await buffer(responses[0]!.resume())).length).toBeGreaterThan(RECIPIENTS * 5000);
      responses.forEach((response) => response.destroy());
    });

    it('ends when the client disconnects', async () => {
      const response = await begun();
      const read = await stalled();
      response.destroy();
      await new Promise((resolve) => response.once('close', resolve));
      expect(await stalled()).toBeLessThanOrEqual(read + 1);
    });

    it('is aborted if the recipients are deleted meanwhile: it never looks complete', async () => {
      const response = await begun();
      await stalled();
      await api.database.execute(`UPDATE bulk_jobs SET recipients_expired_at = now() WHERE id = $1`, [jobId]);
      await expect(buffer(response.resume())).rejects.toThrow('aborted');
    });
  });
});
