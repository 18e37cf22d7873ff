import { describeOnDatabase } from '../support/databases';
import { uuidV7 } from '../../src/kernel/uuid';
import { BulkJobsApi, errorsOf, ROWS_OF_PLAN } from '../support/bulk-jobs-api';

const NOTHING = { jobs: 0, recipients: 0 };

describeOnDatabase('A send to a group over HTTP', (open) => {
  let api: BulkJobsApi;

  beforeAll(async () => {
    api = new BulkJobsApi(await open());
    await api.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.app.close());

  const send = (groupId: string, fields: object = {}) =>
    api.post('/send-template-to-group', { groupId, templateName: 'promo', ...fields });

  it("takes each contact's own value, else the default, else fails that recipient", async () => {
    const groupId = await api.newGroup([
      { phone: '4915123456781', parameters: { '1': 'Ann', '2': 'A-1' } },
      { phone: '4915123456782', parameters: { '2': 'B-2' } },
      { phone: '4915123456783', parameters: { '1': 'Cy' } },
    ]);
    const { body } = await send(groupId.toUpperCase(), { parameterDefaults: { '1': 'there' } }).expect(202);
    expect(body).toMatchObject({ groupId, totalRecipients: 3, invalidRows: 1, duplicateRows: 0, warnings: [] });
    const { body: recipients } = await api.get(`/bulk-jobs/${body.jobId}/recipients`).expect(200);
    const rows = (recipients.items as Record<string, unknown>[]).map((r) => [
      r.rowNumber,
      r.parameters,
      r.status,
      r.errorCode,
    ]);
    expect(rows).toEqual([
      [1, ['Ann', 'A-1'], 'Pending', null],
      [2, ['there', 'B-2'], 'Pending', null],
      [3, ['Cy', ''], 'Failed', 'parameter_missing'],
    ]);
    const { body: detail } = await api.get(`/bulk-jobs/${body.jobId}`).expect(200);
    expect(detail).toMatchObject({ kind: 'Group', groupId, fileName: null, failed: 1, pending: 2 });
  });

  it('fails a contact whose values make the body longer than the platform accepts', async () => {
    const groupId = await api.newGroup([
      { phone: '4915123456781', parameters: { '1': 'Ann', '2': 'x'.repeat(1010) } },
      { phone: '4915123456782', parameters: { '1': 'Bob', '2': 'B-2' } },
    ]);
    const { body } = await send(groupId).expect(202);
    const { body: failed } = await api.get(`/bulk-jobs/${body.jobId}/recipients?status=Failed`).expect(200);
    expect(failed.items).toMatchObject([{ phone: '4915123456781', errorCode: 'text_too_long' }]);
  });

  it('includes a contact without a phone number, by user id', async () => {
    const groupId = await api.newGroup([{ phone: '4915123456781', parameters: { '1': 'Ann', '2': 'A-1' } }]);
    const hidden = uuidV7();
    await api.database.execute(`INSERT INTO contacts (id, account_id, user_id) VALUES ($1, $2, 'US.1')`, [
      hidden,
      api.caller.accountId,
    ]);
    await api.database.execute('INSERT INTO contact_group_members VALUES ($1, $2)', [groupId, hidden]);
    const { body } = await send(groupId, { parameterDefaults: { '1': 'a', '2': 'b' } }).expect(202);
    expect(body).toMatchObject({ totalRecipients: 2, invalidRows: 0 });
    const { body: recipients } = await api.get(`/bulk-jobs/${body.jobId}/recipients`).expect(200);
    const shown = (recipients.items as { phone: string | null; userId?: string }[]).map(({ phone, userId }) => [
      phone,
      userId,
    ]);
    expect(shown).toHaveLength(2);
    expect(shown).toEqual(
      expect.arrayContaining([
        ['4915123456781', undefined],
        [null, 'US.1'],
      ]),
    );
  });

  async function largeGroup(contacts: number): Promise<string> {
    const groupId = await api.newGroup([]);
    await api.database.execute(
      `INSERT INTO contacts (id, account_id, phone, phone_key, parameters)
         SELECT gen_random_uuid(), $1, (491512000000 + n)::text, (491512000000 + n)::text, '{}' FROM generate_series(1, $2) n`,
      [api.caller.accountId, contacts],
    );
    await api.database.execute('INSERT INTO contact_group_members SELECT $1, id FROM contacts WHERE account_id = $2', [
      groupId,
      api.caller.accountId,
    ]);
    return groupId;
  }

  it.each([
    ['as its count says', ROWS_OF_PLAN + 1],
    ['as it has grown since it was counted', ROWS_OF_PLAN],
  ])('beyond the rows of the plan is rejected, %s, also in a dry run', async (_, counted) => {
    const groupId = await largeGroup(ROWS_OF_PLAN + 1);
    await api.database.execute('UPDATE contact_groups SET contact_count = $2 WHERE id = $1', [groupId, counted]);
    for (const dryRun of [false, true]) {
      const { body } = await send(groupId, { parameterDefaults: { '1': 'a', '2': 'b' }, dryRun }).expect(413);
      expect(body).toMatchObject({ code: 'too_many_rows', limit: ROWS_OF_PLAN });
    }
    expect(await api.leftOvers()).toEqual(NOTHING);
  });

  it('handles groups of more than one chunk', async () => {
    const groupId = await largeGroup(4100);
    const { body } = await send(groupId, { parameterDefaults: { '1': 'a', '2': 'b' } }).expect(202);
    expect(body.totalRecipients).toBe(4100);
    const [row] = await api.database.rows<{ people: number }>(
      'SELECT count(DISTINCT phone)::int AS people FROM job_recipients WHERE job_id = $1',
      [body.jobId],
    );
    expect(row?.people).toBe(4100);
  });

  it('is rejected if a placeholder is empty for every contact, and creates nothing', async () => {
    const groupId = await api.newGroup([{ phone: '4915123456781', parameters: { '1': 'Ann' } }]);
    const { body } = await send(groupId).expect(422);
    expect(body).toMatchObject({ code: 'parameter_mismatch', expected: 2, actual: 1 });
    expect(body.message).toContain('No contact of the group has parameter 2');
    expect(await api.leftOvers()).toEqual(NOTHING);
  });

  it('is rejected for a group without contacts, and for an unknown one', async () => {
    const empty = await api.newGroup([]);
    expect((await send(empty).expect(422)).body.code).toBe('group_empty');
    expect((await send(uuidV7()).expect(404)).body.code).toBe('group_not_found');
    expect(errorsOf((await send('vip').expect(400)).body)).toEqual([['groupId', 'invalid_id']]);
    const accountId = api.caller.accountId;
    api.caller = { ...api.caller, accountId: uuidV7() };
    expect((await send(empty).expect(404)).body.code).toBe('group_not_found');
    api.caller = { ...api.caller, accountId };
  });

  it.each([
    [{ '0': 'a' }, 400, [['parameterDefaults.0', 'unknown_field']]],
    [
      { '01': 'a', name: 'b' },
      400,
      [
        ['parameterDefaults.01', 'unknown_field'],
        ['parameterDefaults.name', 'unknown_field'],
      ],
    ],
    [{ '1': 7 }, 400, [['parameterDefaults.1', 'wrong_type']]],
    [{ '1': 'x'.repeat(1025) }, 400, [['parameterDefaults.1', 'too_long']]],
    [{ '1': 'a\nb' }, 400, [['parameterDefaults.1', 'line_break']]],
    [{ '1': ' ' }, 400, [['parameterDefaults.1', 'empty']]],
    [['a'], 400, [['parameterDefaults', 'wrong_type']]],
    [{ '3': 'a' }, 422, undefined],
  ])('is rejected with the defaults %j', async (parameterDefaults, status, errors) => {
    const groupId = await api.newGroup([{ phone: '4915123456781', parameters: { '1': 'a', '2': 'b' } }]);
    const { body } = await send(groupId, { parameterDefaults }).expect(status);
    expect(body.code).toBe(status === 400 ? 'validation_failed' : 'parameter_mismatch');
    expect(errorsOf(body)).toEqual(errors);
  });

  it.each([
    [{ '3': 'a' }, 3, 'Remove "3" from'],
    [{ '1': 'a', '9': 'b' }, 3, 'Remove "9" from'],
    [{ '3': 'a', '9': 'b' }, 4, 'Remove all keys above "2" from'],
  ])('counts superfluous defaults %j', async (parameterDefaults, actual, remedy) => {
    const groupId = await api.newGroup([{ phone: '4915123456781', parameters: { '1': 'a', '2': 'b' } }]);
    const { body } = await send(groupId, { parameterDefaults }).expect(422);
    expect(body).toMatchObject({ code: 'parameter_mismatch', expected: 2, actual });
    expect(body.message).toContain(remedy);
  });

  it('with an Idempotency-Key becomes one job', async () => {
    const groupId = await api.newGroup([{ phone: '4915123456781', parameters: { '1': 'a', '2': 'b' } }]);
    const first = await send(groupId).set('Idempotency-Key', 'g').expect(202);
    const again = await send(groupId).set('Idempotency-Key', 'g').expect(202);
    expect(again.body).toEqual(first.body);
    expect((await api.get('/bulk-jobs').expect(200)).body.totalCount).toBe(1);
  });

  it('whose response was lost is answered with the current state of its job', async () => {
    const groupId = await api.newGroup([{ phone: '4915123456781', parameters: { '1': 'a', '2': 'b' } }]);
    const first = await send(groupId).set('Idempotency-Key', 'lost').expect(202);
    await api.database.execute(
      `UPDATE idempotency_keys SET answer_status = NULL, answer = NULL, lease_until = now() WHERE account_id = $1`,
      [api.caller.accountId],
    );
    await api.database.execute(`UPDATE bulk_jobs SET status = 'Processing' WHERE id = $1`, [first.body.jobId]);
    const again = await send(groupId).set('Idempotency-Key', 'lost').expect(202);
    expect(again.body).toEqual({ ...first.body, status: 'Processing' });
  });
});
