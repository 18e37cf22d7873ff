import { describeOnDatabase } from '../support/databases';
import { readdirSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import {
  API,
  BulkJobsApi,
  CSV,
  errorsOf,
  MAX_FILE_BYTES,
  OPEN_JOBS_OF_PLAN,
  ROWS_OF_PLAN,
} from '../support/bulk-jobs-api';

const NOTHING = { jobs: 0, recipients: 0 };

describeOnDatabase('An imported file over HTTP', (open) => {
  let api: BulkJobsApi;

  beforeAll(async () => {
    api = new BulkJobsApi(await open());
    await api.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.app.close());

  const uploadsOnDisk = () =>
    readdirSync(tmpdir())
      .filter((name) => name.startsWith('recipient-uploads-') && name.includes(`-${process.pid}-`))
      .flatMap((name) => readdirSync(`${tmpdir()}/${name}`));

  it('reads national numbers of the given country, like a list', async () => {
    const csv = 'phone,name,order\n01 23 45 67 89,Ann,1\n';
    await api.upload(csv).expect(422);
    const { body: file } = await api.upload(csv, { defaultCountry: 'FR' }).expect(202);
    const recipients = [{ to: '01 23 45 67 89', templateParameters: [{ text: 'Ann' }, { text: '1' }] }];
    const { body: list } = await api
      .post('/bulk-jobs', { templateName: 'promo', recipients, defaultCountry: 'FR' })
      .expect(202);
    for (const { jobId } of [file, list]) {
      const { body } = await api.get(`/bulk-jobs/${jobId}/recipients`).expect(200);
      expect(body.items).toMatchObject([{ phone: '33123456789' }]);
    }
    for (const defaultCountry of ['XX', 'de']) {
      expect(errorsOf((await api.upload(csv, { defaultCountry }).expect(400)).body)).toEqual([
        ['defaultCountry', 'not_allowed'],
      ]);
    }
  });

  it('reaches a person once if the number has two spellings', async () => {
    const csv = 'phone,name,order\n+52 1 55 1234 5678,Ann,1\n+52 55 1234 5678,Ann,1\n';
    const { body } = await api.upload(csv).expect(202);
    expect(body).toMatchObject({ totalRecipients: 1, invalidRows: 0, duplicateRows: 1 });
  });

  it('warns if the same file is uploaded again with the same fields and without a key, and names the earlier job', async () => {
    const csv = '4915123456781,Ann,1\n';
    const upload = async (fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      (await api.upload(csv, { reference: 'again', ...fields }, headers).expect(202)).body as {
        jobId: string;
        warnings: string[];
      };
    await api.upload(csv, { reference: 'again', dryRun: 'true' }).expect(200);
    const first = await upload();
    expect(first.warnings).toEqual([]);
    const second = await upload();
    expect(second.jobId).not.toBe(first.jobId);
    expect(second.warnings).toEqual([expect.stringMatching(`^duplicate_upload: job ${first.jobId} `)]);
    expect((await upload({ onDuplicates: 'skip' })).warnings).toEqual([expect.stringContaining(second.jobId)]);
    expect((await upload({ reference: 'another' })).warnings).toEqual([]);
    expect((await upload({}, { 'Idempotency-Key': 'meant' })).warnings).toEqual([]);
    expect(
      (await api.upload(`${csv}\n4915123456782,Bob,1\n`, { reference: 'again' }).expect(202)).body.warnings,
    ).toEqual([]);
    await api.database.execute(
      `UPDATE bulk_jobs SET created_at = now() - interval '25 hours' WHERE upload_hash IS NOT NULL`,
    );
    expect((await upload()).warnings).toEqual([]);
    await api.newAccount();
    expect((await upload()).warnings).toEqual([]);
  });

  it('fails a row whose values make the body longer than the platform accepts', async () => {
    const csv = `4915123456781,Ann,${'x'.repeat(1010)}\n4915123456782,Bob,1\n`;
    const { body } = await api.upload(csv).expect(202);
    expect(body).toMatchObject({ totalRecipients: 2, invalidRows: 1 });
    const { body: recipients } = await api.get(`/bulk-jobs/${body.jobId}/recipients`).expect(200);
    expect(recipients.items).toMatchObject([
      { rowNumber: 1, status: 'Failed', errorCode: 'text_too_long' },
      { rowNumber: 2, status: 'Pending' },
    ]);
    const { body: refused } = await api.upload(csv, { onInvalidRows: 'reject' }).expect(422);
    expect(refused.errors).toMatchObject([{ rowNumber: 1, field: 'parameter 2', code: 'text_too_long' }]);
  });

  it('becomes a job with progress', async () => {
    const csv = 'phone,name,order\n+4915123456781,Ann,1\n12,Bob,2\n+4915123456783,Cy,\n+4915123456781,Ann,1\n';
    const { body, headers } = await api.upload(csv, { reference: 'spring' }).expect(202);
    const statusUrl = `${API}/bulk-jobs/${body.jobId}/status`;
    expect(body).toEqual({
      jobId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'Queued',
      totalRecipients: 3,
      invalidRows: 2,
      duplicateRows: 1,
      statusUrl,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      warnings: [],
    });
    expect(headers.location).toBe(statusUrl);
    expect(api.runnable).toContain(api.caller.accountId);
    const status = {
      jobId: body.jobId,
      status: 'Queued',
      totalRecipients: 3,
      successfullySent: 0,
      failed: 2,
      progressPercentage: 66.6,
      throttled: null,
    };
    await api.get(`/bulk-jobs/${body.jobId}/status`).expect(200, status);
    const { body: page } = await api.get('/bulk-jobs?pageSize=1&kind=Import&status=Queued').expect(200);
    const item = {
      ...status,
      kind: 'Import',
      templateName: 'promo',
      languageCode: 'en_US',
      name: null,
      reference: 'spring',
      createdAt: body.createdAt,
      startedAt: null,
      completedAt: null,
    };
    expect(page).toEqual({ items: [item], page: 1, pageSize: 1, totalCount: 1, totalPages: 1 });
    const { body: counted } = await api.get('/bulk-jobs?pageSize=1&counts=true').expect(200);
    expect(counted.items).toEqual([{ ...item, invalidRows: 2 }]);
    await api.database.execute('UPDATE bulk_jobs SET delivered = 1, read = 1 WHERE id = $1', [body.jobId]);
    const { body: read } = await api.get('/bulk-jobs?pageSize=1&counts=true').expect(200);
    expect(read.items).toEqual([{ ...item, invalidRows: 2, delivered: 1, read: 1 }]);
    await api.database.execute('UPDATE bulk_jobs SET delivered = 0, read = 0 WHERE id = $1', [body.jobId]);
    const { body: detail } = await api.get(`/bulk-jobs/${body.jobId}`).expect(200);
    expect(detail).toEqual({
      ...item,
      fileName: 'peöple.csv',
      groupId: null,
      retryOf: null,
      validUntil: null,
      pending: 1,
      delivered: 0,
      read: 0,
      undelivered: 0,
      skipped: 0,
      unknown: 0,
      invalidRows: 2,
      duplicateRows: 1,
      recipientsExpiredAt: null,
      throttled: null,
      pauseReason: null,
      pausedAt: null,
      // Its key exists only in the test, so it has no name.
      createdBy: { keyId: expect.any(String) as string, keyName: null },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      pausedBy: null,
      cancelledBy: null,
      error: null,
      ratePerSecond: null,
      scheduledAt: null,
      sendWindow: null,
      estimatedCompletionAt: expect.any(String) as string,
      allowedActions: ['pause', 'cancel'],
    });
    const { body: recipients } = await api.get(`/bulk-jobs/${body.jobId}/recipients?limit=2`).expect(200);
    expect(recipients).toEqual({
      items: [
        {
          rowNumber: 2,
          phone: '4915123456781',
          parameters: ['Ann', '1'],
          status: 'Pending',
          errorCode: null,
          errorMessage: null,
          platformCode: null,
          messageId: null,
          platformMessageId: null,
          attempts: 0,
          updatedAt: body.createdAt,
        },
        expect.objectContaining({ rowNumber: 3, phone: '12', status: 'Failed', errorCode: 'phone_invalid' }),
      ],
      nextCursor: '2',
    });
    const { body: rest } = await api.get(`/bulk-jobs/${body.jobId}/recipients?cursor=2&status=Failed`).expect(200);
    expect((rest.items as { errorCode: string }[]).map(({ errorCode }) => errorCode)).toEqual(['parameter_missing']);
    expect(rest.nextCursor).toBeNull();
    expect(uploadsOnDisk()).toEqual([]);
  });

  it('keeps duplicates and reads the first row as a recipient if requested', async () => {
    const csv = '+4915123456781,Ann,1\n+4915123456781,Ann,1\n';
    const { body } = await api.upload(csv, { onDuplicates: 'keep', hasHeader: 'false' }).expect(202);
    expect(body).toMatchObject({ totalRecipients: 2, duplicateRows: 0 });
    const { body: headed } = await api.upload(csv, { hasHeader: 'true' }).expect(202);
    expect(headed.totalRecipients).toBe(1);
  });

  it('is only checked in a dry run, even if every row is invalid', async () => {
    const csv = 'phone\n' + '1\n2\n'.repeat(75);
    const { body } = await api
      .upload(csv, { dryRun: 'true', onInvalidRows: 'reject', onDuplicates: 'keep' })
      .expect(200);
    expect(body).toMatchObject({ totalRecipients: 150, invalidRows: 150, duplicateRows: 0 });
    expect(body.warnings).toEqual([expect.stringMatching(/^The file has 1 column, but the template needs 3: /)]);
    expect(body.errors).toHaveLength(100);
    expect(body.errors[0]).toEqual({
      rowNumber: 2,
      field: 'phone',
      code: 'phone_invalid',
      message: expect.any(String),
      cells: ['1'],
    });
    expect(await api.leftOvers()).toEqual(NOTHING);
  });

  it('is rejected completely without a valid row, or with a disallowed invalid one', async () => {
    const bad = 'phone,name,order\n' + '1,Ann,1\n'.repeat(2600);
    const { body: none } = await api.upload(bad, { onDuplicates: 'keep', onInvalidRows: 'reject' }).expect(422);
    expect(none).toMatchObject({ code: 'no_valid_rows', totalRecipients: 2600, invalidRows: 2600, duplicateRows: 0 });
    expect(none.errors).toHaveLength(20);
    expect(none.errors[0]).toMatchObject({ rowNumber: 2, field: 'phone', code: 'phone_invalid' });
    const { body: turned } = await api.upload('name,order,phone\nAnn,1,+4915123456781\n').expect(422);
    expect(turned.message).toMatch(
      /name them in `columns`: with `dryRun=true` and `columns=auto` the service suggests them\./,
    );
    const { body: narrow } = await api.upload('phone,name\n+4915123456781,Ann\n').expect(422);
    expect(narrow.message).toMatch(/^The file has no valid row\. The file has 2 columns, but the template needs 3: /);
    const { body: some } = await api.upload(`${CSV}1,Cy,3\n`, { onInvalidRows: 'reject' }).expect(422);
    expect(some).toMatchObject({ code: 'invalid_rows', totalRecipients: 3, invalidRows: 1 });
    expect(await api.leftOvers()).toEqual(NOTHING);
    expect(uploadsOnDisk()).toEqual([]);
  });

  it("is rejected while the plan's number of jobs is open", async () => {
    const { body } = await api.upload(CSV, { hold: 'true' }).expect(202);
    const columns = 'account_id, sender_id, kind, template_name, language_code, revision_id, total_recipients';
    await api.database.execute(
      `INSERT INTO bulk_jobs (id, status, completed_at, ${columns})
       SELECT gen_random_uuid(), 'Paused', CASE WHEN n > $2::int THEN now() END, ${columns}
       FROM bulk_jobs, generate_series(2, $2::int + 5) n WHERE id = $1`,
      [body.jobId, OPEN_JOBS_OF_PLAN],
    );
    const before = await api.leftOvers();
    const { body: refused } = await api.upload(CSV, { hold: 'true' }).expect(409);
    expect(refused).toMatchObject({ code: 'quota_exceeded', quota: 'maxOpenJobs', limit: OPEN_JOBS_OF_PLAN });
    expect(await api.leftOvers()).toEqual(before);
    await api.upload(CSV, { dryRun: 'true' }).expect(200);
    await api.database.execute('UPDATE bulk_jobs SET completed_at = now() WHERE id = $1', [body.jobId]);
    await api.upload(CSV, { hold: 'true' }).expect(202);
  });

  it('leaves nothing if it proves invalid after thousands of stored rows', async () => {
    const rows = Array.from({ length: ROWS_OF_PLAN + 1 }, (_, index) => `${491512000000 + index},A,1`).join('\n');
    const { body } = await api.upload(rows).expect(413);
    expect(body).toMatchObject({ code: 'too_many_rows', limit: ROWS_OF_PLAN });
    expect(await api.leftOvers()).toEqual(NOTHING);
  });

  it('leaves nothing if its upload is aborted', async () => {
    const boundary = 'b';
    const start = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${CSV}`;
    const { port } = api.app.getHttpServer().address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST ${API}/bulk-import-messages HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n` +
        `Content-Type: multipart/form-data; boundary=${boundary}\r\n\r\n${start}`,
    );
    while (uploadsOnDisk().length === 0) await wait(5);
    socket.destroy();
    while (uploadsOnDisk().length > 0) await wait(5);
    expect(await api.leftOvers()).toEqual(NOTHING);
  });

  it.each([
    ['no file', () => api.upload(null), 400, 'file_required'],
    ['an empty file', () => api.upload(''), 400, 'file_empty'],
    ['a header alone', () => api.upload('phone,name,order\n'), 400, 'file_empty'],
    ['a file over the limit', () => api.upload('x'.repeat(MAX_FILE_BYTES + 1)), 413, 'file_too_large'],
    ['a PDF', () => api.upload('%PDF-1.7 \0\x01\x02'), 415, 'unsupported_file_type'],
    ['a damaged workbook', () => api.upload(Buffer.from('504b0304deadbeef', 'hex')), 422, 'file_unreadable'],
    ['an unknown template', () => api.upload(CSV, { templateName: 'nope' }), 404, 'template_not_found'],
    ['missing header media', () => api.upload(CSV, { templateName: 'picture' }), 422, 'media_mismatch'],
    ['superfluous header media', () => api.upload(CSV, { headerMediaId: '17' }), 422, 'media_mismatch'],
    ['JSON', () => api.post('/bulk-import-messages', { templateName: 'promo' }), 415, 'unsupported_media_type'],
  ])('is refused: %s', async (_, call, status, code) => {
    const { body } = await call().expect(status);
    expect(body).toMatchObject({ statusCode: status, code });
    expect(await api.leftOvers()).toEqual(NOTHING);
  });

  it.each([
    [{ templateName: '' }, [['templateName', 'required']]],
    [{ hasHeader: 'yes' }, [['hasHeader', 'not_allowed']]],
    [
      { onInvalidRows: 'x', onDuplicates: 'y', dryRun: '1' },
      [
        ['onInvalidRows', 'not_allowed'],
        ['onDuplicates', 'not_allowed'],
        ['dryRun', 'not_allowed'],
      ],
    ],
    [{ reference: 'x'.repeat(256) }, [['reference', 'too_long']]],
    [{ headerMediaUrl: 'ftp://example.com/a.png' }, [['headerMediaUrl', 'invalid_format']]],
    [
      { scheduledAt: '2030-01-01', colour: 'red' },
      [
        ['scheduledAt', 'invalid_format'],
        ['colour', 'unknown_field'],
      ],
    ],
    [{ 'templateName[x]': 'promo' }, [['templateName', 'wrong_type']]],
  ])('is rejected with the fields %j', async (fields, errors) => {
    const { body } = await api.upload(CSV, fields as Record<string, string>).expect(400);
    expect(body.code).toBe('validation_failed');
    expect(errorsOf(body)).toEqual(errors);
  });

  it('is rejected with a second file, or one in another field', async () => {
    const { body } = await api.upload(CSV).attach('extra', Buffer.from(CSV), 'b.csv').expect(400);
    expect(body.code).toBe('validation_failed');
    expect(errorsOf(body)).toEqual([['extra', 'unknown_field']]);
  });

  it('with an Idempotency-Key creates one job for any number of requests', async () => {
    const log = jest.spyOn(Logger.prototype, 'log').mockImplementation();
    const key = { 'Idempotency-Key': 'import-1' };
    const first = await api.upload(CSV, {}, key).expect(202);
    const again = await api.upload(CSV, {}, key).expect(202);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const line = { jobId: again.body.jobId, kind: 'Import', recipients: again.body.totalRecipients };
    const accepted = log.mock.calls.map(([written]) => written as object).filter((written) => 'recipients' in written);
    log.mockRestore();
    expect(accepted).toEqual([expect.objectContaining({ ...line, accountId: expect.any(String) })]);
    expect(again.headers.location).toBe(first.headers.location);
    const other = await api.upload(`${CSV}+4915123456789,Dan,4\n`, {}, key).expect(422);
    expect(other.body.code).toBe('idempotency_mismatch');
    await api.upload(CSV, { reference: 'other' }, key).expect(422);
    expect((await api.get('/bulk-jobs').expect(200)).body.totalCount).toBe(1);
  });

  it('frees its Idempotency-Key if nothing was created', async () => {
    const key = { 'Idempotency-Key': 'import-2' };
    await api.upload(CSV, { dryRun: 'true' }, key).expect(200);
    await api.upload('phone\n1\n', {}, key).expect(422);
    await api.upload(CSV, {}, key).expect(202);
  });
  it('documents the upload as a form with its file and its fields', () => {
    const document = SwaggerModule.createDocument(api.app, new DocumentBuilder().build());
    const operation = document.paths[`${API}/bulk-import-messages`]?.post;
    expect(JSON.stringify(operation?.requestBody)).toContain('multipart/form-data');
    expect(document.components?.schemas?.BulkImportFormDto).toMatchObject({
      properties: { file: { format: 'binary' }, templateName: { type: 'string' } },
    });
    expect(Object.keys(operation?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '202', '400', '413', '422']),
    );
  });
});
