import { describeOnDatabase } from '../support/databases';
import { uuidV7 } from '../../src/kernel/uuid';
import { BulkJobsApi, CSV, errorsOf, GRACE_MS } from '../support/bulk-jobs-api';

describeOnDatabase('A bulk job over HTTP', (open) => {
  let api: BulkJobsApi;

  beforeAll(async () => {
    api = new BulkJobsApi(await open());
    await api.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.app.close());

  const newJob = async () => (await api.upload(CSV).expect(202)).body.jobId as string;

  it('is paused, resumed and cancelled as its state allows', async () => {
    const job = `/bulk-jobs/${await newJob()}`;
    const key = { keyId: api.caller.keyId, keyName: null };
    const { body: paused } = await api.post(`${job}/pause`).expect(200);
    expect(paused).toMatchObject({
      status: 'Paused',
      pauseReason: { code: 'paused_by_client', message: 'Paused by the client' },
      allowedActions: ['resume', 'cancel'],
      pausedAt: expect.any(String),
      ...{ createdBy: key, pausedBy: key, cancelledBy: null },
    });
    const { body: conflict } = await api.post(`${job}/pause`).expect(409);
    expect(conflict).toMatchObject({
      code: 'invalid_job_state',
      currentStatus: 'Paused',
      allowedActions: ['resume', 'cancel'],
    });
    expect((await api.post(`${job}/resume`).expect(200)).body).toMatchObject({ status: 'Queued', pauseReason: null });
    api.runnable.length = 0;
    const { body: cancelled } = await api.post(`${job}/cancel`).expect(200);
    expect(cancelled).toMatchObject({ status: 'Cancelled', failed: 2, pending: 0, allowedActions: ['retry'] });
    expect(cancelled).toMatchObject({ createdBy: key, pausedBy: null, cancelledBy: key });
    expect(api.runnable).toEqual([api.caller.accountId]);
    const { body: over } = await api.post(`${job}/resume`).expect(409);
    expect(over).toMatchObject({ currentStatus: 'Cancelled', allowedActions: ['retry'] });
  });

  it('stopped by the operator shows this in its details, its status and the list, and has no expected end', async () => {
    const jobId = await newJob();
    const status = async () => (await api.get(`/bulk-jobs/${jobId}/status`).expect(200)).body as object;
    expect(await status()).toEqual({
      ...{ jobId, status: 'Queued', totalRecipients: 2, successfullySent: 0, failed: 0, progressPercentage: 0 },
      throttled: null,
    });
    await api.database.execute('UPDATE accounts SET sending_paused = true WHERE id = $1', [api.caller.accountId]);
    const throttled = { reason: 'sending_paused', until: null };
    expect(await status()).toMatchObject({ status: 'Queued', throttled });
    expect((await api.get(`/bulk-jobs/${jobId}`).expect(200)).body).toMatchObject({
      throttled,
      estimatedCompletionAt: null,
    });
    expect((await api.get('/bulk-jobs').expect(200)).body.items).toMatchObject([{ jobId, throttled }]);
  });

  it('that only waits for unknown outcomes shows this, and until when', async () => {
    const jobId = await newJob();
    const shown = async () => {
      const { throttled, estimatedCompletionAt } = (await api.get(`/bulk-jobs/${jobId}`).expect(200)).body;
      return { throttled, estimatedCompletionAt };
    };
    const unknown = await api.database.rows<{ at: Date }>(
      `UPDATE job_recipients SET outcome = 'Unknown', attempt = 1, unknown_since = now() - position * interval '1 min'
       WHERE job_id = $1 RETURNING unknown_since AS at`,
      [jobId],
    );
    const count = (inGrace: number) =>
      api.database.execute(
        `UPDATE bulk_jobs SET status = 'Processing', started_at = now(), unknown = $2, unknown_in_grace = $2 WHERE id = $1`,
        [jobId, inGrace],
      );
    await count(1);
    expect(await shown()).toEqual({ throttled: null, estimatedCompletionAt: null });
    await count(2);
    const until = new Date(Math.max(...unknown.map(({ at }) => at.getTime())) + GRACE_MS).toISOString();
    expect(await shown()).toEqual({ throttled: { reason: 'unknown_outcomes', until }, estimatedCompletionAt: until });
  });

  it('shows the outcomes of its messages, and filters by them', async () => {
    const jobId = await newJob();
    const [row] = await api.database.rows<{ message_id: string }>(
      `UPDATE job_recipients SET outcome = 'Sent', attempt = 1 WHERE job_id = $1 AND position = 2 RETURNING message_id`,
      [jobId],
    );
    await api.database.execute(
      `INSERT INTO messages (id, account_id, conversation_id, direction, type, contact_phone, template_name, language_code,
           revision_id, parameters, status, platform_message_id, created_at)
         VALUES ($1, $2, $3, 'Outbound', 'template', '4915123456782', 'promo', 'en_US', $4, '[]', 'Read', 'wamid.1', now())`,
      [row!.message_id, api.caller.accountId, uuidV7(), api.revisionId],
    );
    const { body } = await api.get(`/bulk-jobs/${jobId}/recipients?status=Read`).expect(200);
    expect(body.items).toMatchObject([
      { rowNumber: 3, status: 'Read', messageId: row!.message_id, platformMessageId: 'wamid.1', attempts: 1 },
    ]);
    expect((await api.get(`/bulk-jobs/${jobId}/recipients?status=Sent`).expect(200)).body.items).toEqual([]);
  });

  it.each(['', '/status', '/recipients', '/failures'])('with an unknown id returns 404: GET %s', async (path) => {
    for (const id of [uuidV7(), 'x', '%20']) {
      expect((await api.get(`/bulk-jobs/${id}${path}`).expect(404)).body.code).toBe('job_not_found');
    }
    const jobId = await newJob();
    api.caller = { ...api.caller, accountId: uuidV7() };
    expect((await api.get(`/bulk-jobs/${jobId}${path}`).expect(404)).body.code).toBe('job_not_found');
    expect((await api.post(`/bulk-jobs/${jobId}/cancel`).expect(404)).body.code).toBe('job_not_found');
  });

  it('counts who would be skipped of its pending recipients, if that is asked and it is not too large', async () => {
    const jobId = await newJob();
    api.optedOut.add('4915123456782');
    const path = `/bulk-jobs/${jobId}`;
    expect((await api.get(`${path}?counts=true`).expect(200)).body).toMatchObject({ pending: 2, optedOut: 1 });
    expect((await api.get(path).expect(200)).body).not.toHaveProperty('optedOut');
    // Parameters that a proxy or a client adds are ignored.
    expect((await api.get(`${path}?counts=yes&_=1`).expect(200)).body).not.toHaveProperty('optedOut');
    await api.database.execute('UPDATE bulk_jobs SET total_recipients = 50001 WHERE id = $1', [jobId]);
    expect((await api.get(`${path}?counts=true`).expect(200)).body).not.toHaveProperty('optedOut');
  });

  it('has no recipients once they have expired, and shows since when', async () => {
    const jobId = await newJob();
    await api.database.execute(
      `UPDATE bulk_jobs SET status = 'Completed', failed = 2, completed_at = now(), recipients_expired_at = '2026-01-15Z'
       WHERE id = $1`,
      [jobId],
    );
    expect((await api.get(`/bulk-jobs/${jobId}/recipients`).expect(200)).body).toEqual({ items: [], nextCursor: null });
    expect((await api.get(`/bulk-jobs/${jobId}`).expect(200)).body).toMatchObject({
      totalRecipients: 2,
      failed: 2,
      recipientsExpiredAt: '2026-01-15T00:00:00.000Z',
      allowedActions: [],
    });
  });

  it('has a name from a file, list, group or retry, is renamed in any state, and found by a part of it', async () => {
    const nameOf = async (jobId: string) => (await api.get(`/bulk-jobs/${jobId}`).expect(200)).body.name as unknown;
    const found = async (search: string) =>
      (
        (await api.get(`/bulk-jobs?search=${encodeURIComponent(search)}`).expect(200)).body.items as { name: string }[]
      ).map(({ name }) => name);
    const { body: file } = await api.upload(CSV, { name: 'Sale, Berlin' }).expect(202);
    const recipients = [{ to: '4915112345678', templateParameters: [{ text: 'Mira' }, { text: '1' }] }];
    await api.post('/bulk-jobs', { templateName: 'promo', recipients, name: 'Sale, list' }).expect(202);
    const groupId = await api.newGroup([{ phone: '4915123456781', parameters: {} }]);
    const group = { templateName: 'promo', groupId, parameterDefaults: { '1': 'x', '2': 'y' }, name: 'Sale, group' };
    await api.post('/send-template-to-group', group).expect(202);
    expect(await nameOf((await api.upload(CSV, { name: '' }).expect(202)).body.jobId)).toBeNull();
    expect(await found('sale')).toEqual(['Sale, group', 'Sale, list', 'Sale, Berlin']);
    expect(await found('LIST')).toEqual(['Sale, list']);
    expect(await found('_')).toEqual([]);

    await api.post(`/bulk-jobs/${file.jobId}/cancel`).expect(200);
    expect((await api.patch(`/bulk-jobs/${file.jobId}`, { name: 'Sale, Bonn' }).expect(200)).body).toMatchObject({
      ...{ name: 'Sale, Bonn', status: 'Cancelled' },
    });
    await api.patch(`/bulk-jobs/${file.jobId}`, { name: 'Both', scheduledAt: null }).expect(409);
    expect(await nameOf(file.jobId)).toBe('Sale, Bonn');
    await api.database.execute(`UPDATE bulk_jobs SET completed_at = now(), failed = 2 WHERE id = $1`, [file.jobId]);
    for (const [body, name] of [
      [{}, 'Sale, Bonn'],
      [{ name: 'Again' }, 'Again'],
    ] as const) {
      expect(await nameOf((await api.post(`/bulk-jobs/${file.jobId}/retry`, body).expect(202)).body.jobId)).toBe(name);
    }
    expect((await api.patch(`/bulk-jobs/${file.jobId}`, { name: null }).expect(200)).body.name).toBeNull();
    for (const [name, code] of [
      ['x'.repeat(121), 'too_long'],
      ['', 'required'],
      ['a\nb', 'invalid_format'],
    ] as const) {
      expect(errorsOf((await api.patch(`/bulk-jobs/${file.jobId}`, { name }).expect(400)).body)).toEqual([
        ['name', code],
      ]);
    }
  });

  it('is listed by cursors, with the filters of the pages and without a count', async () => {
    const jobs = [await newJob(), await newJob(), await newJob()].reverse();
    // Created in the same microsecond.
    await api.database.execute(`UPDATE bulk_jobs SET created_at = '2026-01-15' WHERE id = ANY($1)`, [jobs.slice(1)]);
    const { body: pages } = await api.get('/bulk-jobs').expect(200);
    expect(Object.keys(pages).sort()).toEqual(['items', 'page', 'pageSize', 'totalCount', 'totalPages']);
    const found: object[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await api.get(`/bulk-jobs?pageSize=1&cursor=${cursor}&kind=Import`).expect(200);
      expect(Object.keys(body).sort()).toEqual(['items', 'nextCursor']);
      found.push(...(body.items as object[]));
      cursor = body.nextCursor as string | null;
    }
    expect(found).toEqual(pages.items);
    expect(pages.items).toHaveLength(3);
    expect((await api.get('/bulk-jobs?cursor=&kind=Group').expect(200)).body).toEqual({ items: [], nextCursor: null });
  });

  it('is found by creation time', async () => {
    const jobId = await newJob();
    const { body } = await api.get(`/bulk-jobs/${jobId}`).expect(200);
    const count = async (query: string) => (await api.get(`/bulk-jobs?${query}`).expect(200)).body.totalCount as number;
    expect(await count('createdAfter=2020-01-01')).toBe(1);
    expect(await count(`createdBefore=${body.createdAt}`)).toBe(0);
    expect(await count('createdAfter=2999-01-01T00:00:00%2B02:00')).toBe(0);
    expect(await count('page=7')).toBe(1);
  });

  it.each([
    ['page=0', 'page'],
    ['pageSize=101', 'pageSize'],
    ['pageSize=x', 'pageSize'],
    ['status=Importing', 'status'],
    ['kind=import', 'kind'],
    ['createdAfter=2026-02-30', 'createdAfter'],
    ['createdAfter=2026-W01', 'createdAfter'],
    ['createdBefore=yesterday', 'createdBefore'],
    ['createdBefore=2026-01-01T00:00:00', 'createdBefore'],
    ['cursor=x', 'cursor'],
    ['colour=red', 'colour'],
  ])('is not listed with %s', async (query, field) => {
    const { body } = await api.get(`/bulk-jobs?${query}`).expect(400);
    expect(errorsOf(body)?.map(([name]) => name)).toEqual([field]);
  });

  describe('from a list', () => {
    const valid = { to: '4915112345678', templateParameters: [{ text: 'Mira' }, { text: '1' }] };
    const invalid = [
      { ...valid, to: undefined },
      { ...valid, to: null },
      { ...valid, to: '' },
      { ...valid, headerMediaUrl: 'http://192.168.0.1/a.png' },
      { ...valid, headerMediaUrl: 'a.png' },
    ];
    const send = (recipients: object[], fields: object = {}) =>
      api.post('/bulk-jobs', { templateName: 'promo', recipients, ...fields });

    it('is created without recipients that lack a number or have a refused URL', async () => {
      const { body } = await send([...invalid, valid]).expect(202);
      expect(body).toMatchObject({ totalRecipients: 6, invalidRows: 5 });
      const { items } = (await api.get(`/bulk-jobs/${body.jobId}/recipients`).expect(200)).body as {
        items: { errorCode: string | null }[];
      };
      expect(items.map(({ errorCode }) => errorCode)).toEqual([
        ...['phone_missing', 'phone_missing', 'phone_missing', 'parameter_invalid', 'parameter_invalid', null],
      ]);
    });

    it('is rejected with the errors of a list', async () => {
      const { body: none } = await send(invalid).expect(422);
      expect(none).toMatchObject({
        code: 'no_valid_rows',
        message:
          'The list has no valid recipient. The first errors are listed: correct the recipients and send the list again.',
        errors: { 0: { field: 'to' }, 3: { field: 'headerMediaUrl', message: expect.stringContaining('public') } },
      });
      const { body: some } = await send([...invalid, valid], { onInvalidRows: 'reject' }).expect(422);
      expect(some).toMatchObject({
        code: 'invalid_rows',
        message:
          '5 of 6 recipients are invalid and onInvalidRows is "reject". Correct them, or send the list with "onInvalidRows": "skip".',
      });
      const { body: empty } = await send([]).expect(400);
      expect(empty.message).toBe('recipients must contain at least 1 element.');
    });
  });

  it('finds recipients by a national number of the default country of the account', async () => {
    const { body } = await api.upload(CSV).expect(202);
    const path = `/bulk-jobs/${body.jobId}/recipients?phone=0151%2F23456781`;
    expect(errorsOf((await api.get(path).expect(400)).body)).toEqual([['phone', 'invalid_format']]);
    api.sender = { defaultCountry: 'DE' };
    expect((await api.get(path).expect(200)).body.items).toMatchObject([{ phone: '4915123456781' }]);
  });

  it.each([
    ['limit=201', 'limit'],
    ['cursor=abc', 'cursor'],
    ['cursor=-1', 'cursor'],
    ['cursor=9999999999', 'cursor'],
    ['status=Importing', 'status'],
    ['errorCode=DROP%20TABLE', 'errorCode'],
    ['errorCode=template_not_found', 'errorCode'],
    ['errorCode=expired,', 'errorCode'],
  ])('does not list its recipients with %s', async (query, field) => {
    const { body } = await api.get(`/bulk-jobs/${uuidV7()}/recipients?${query}`).expect(400);
    expect(errorsOf(body)?.map(([name]) => name)).toEqual([field]);
  });
});
