import { uuidV7 } from '../../src/kernel/uuid';
import { BulkJobsApi } from '../support/bulk-jobs-api';
import { describeOnDatabase } from '../support/databases';

const PHONE = '4915123456781';
const USER_ID = 'DE.13491208655302741918';

describeOnDatabase('A person given by number and by user id', (open) => {
  let api: BulkJobsApi;

  beforeAll(async () => {
    api = new BulkJobsApi(await open());
    await api.start();
  });
  beforeEach(async () => {
    await api.newAccount();
    await api.database.execute(
      `INSERT INTO opt_outs (account_id, scope, person, phone, user_id, stopped, source, created_at)
       VALUES ($1, 'All', $2, $2, $3, false, 'Keyword', now())`,
      [api.caller.accountId, PHONE, USER_ID],
    );
  });
  afterAll(() => api.app.close());

  const recipientsOf = async (jobId: string) =>
    (await api.get(`/bulk-jobs/${jobId}/recipients`).expect(200)).body.items as object[];
  const listOf = (recipients: object[], fields: object = {}) =>
    api.post('/bulk-jobs', { templateName: 'promo', recipients, ...fields });
  const one = (person: object, order = '1') => ({ ...person, templateParameters: [{ text: 'Ann' }, { text: order }] });

  describe.each([
    ['number first', `${PHONE},Ann,1\n${USER_ID},Ann,1\n`],
    ['user id first', `${USER_ID},Ann,1\n${PHONE},Ann,1\n`],
  ])('in a file, %s', (_, rows) => {
    it('is one recipient, in a dry run too', async () => {
      const { body: check } = await api.upload(`phone,name,order\n${rows}`, { dryRun: 'true' }).expect(200);
      expect(check).toMatchObject({ totalRecipients: 1, duplicateRows: 1, warnings: [] });
      const { body } = await api.upload(`phone,name,order\n${rows}`).expect(202);
      expect(body).toMatchObject({ totalRecipients: 1, duplicateRows: 1 });
      expect(await recipientsOf(body.jobId)).toMatchObject([{ rowNumber: 2, phone: PHONE }]);
    });

    it('gets the first row alone with onDuplicates=onePerPerson, whatever the others are', async () => {
      const other = `phone,name,order\n${rows.replace('Ann,1', 'Ann,2')}+4915123456799,Cy,\n4915123456799,Cy,3\n`;
      const onePerPerson = { onDuplicates: 'onePerPerson' };
      const { body: check } = await api.upload(other, { ...onePerPerson, dryRun: 'true' }).expect(200);
      expect(check).toMatchObject({ totalRecipients: 3, invalidRows: 1, duplicateRows: 1, warnings: [] });
      const { body } = await api.upload(other, onePerPerson).expect(202);
      expect(await recipientsOf(body.jobId)).toMatchObject([
        { rowNumber: 2, phone: PHONE },
        { rowNumber: 4, errorCode: 'parameter_missing' },
        { rowNumber: 5, phone: '4915123456799' },
      ]);
    });

    it('gets both rows with onDuplicates=keep or with different values, which a dry run names', async () => {
      const { body } = await api.upload(`phone,name,order\n${rows}`, { onDuplicates: 'keep' }).expect(202);
      expect(await recipientsOf(body.jobId)).toMatchObject([{ phone: PHONE }, { phone: PHONE }]);
      const other = `phone,name,order\n${rows.replace('Ann,1', 'Ann,2')}`;
      const { body: check } = await api.upload(other, { dryRun: 'true' }).expect(200);
      expect(check).toMatchObject({ totalRecipients: 2, duplicateRows: 0 });
      expect(check.warnings).toEqual([
        expect.stringMatching(/^repeated_people: 1 row is for a person .* first row 3:/),
      ]);
    });
  });

  it('is one recipient in a large file, in any batch', async () => {
    const others = Array.from({ length: 1500 }, (_, n) => `${4915200000000 + n},Ann,1\n`);
    const rows = [`${USER_ID},Ann,1\n`, ...others, `${PHONE},Ann,1\n`, `${USER_ID},Ann,1\n`, `DE.2,Ann,1\n`];
    const { body } = await api.upload(rows.join(''), { hasHeader: 'false' }).expect(202);
    expect(body).toMatchObject({ totalRecipients: 1502, duplicateRows: 2 });
    const { body: limited } = await api.upload(`${USER_ID},Ann,1\n`.repeat(5001), { hasHeader: 'false' }).expect(413);
    expect(limited.code).toBe('too_many_rows');
  });

  it('gets one message from a list with onDuplicates=onePerPerson', async () => {
    const recipients = [one({ to: PHONE }), one({ userId: USER_ID }, '2'), one({ to: '4915123456799' })];
    const { body } = await listOf(recipients, { onDuplicates: 'onePerPerson' }).expect(202);
    expect(body).toMatchObject({ totalRecipients: 2, duplicateRows: 1 });
    expect(await recipientsOf(body.jobId)).toMatchObject([{ rowNumber: 1, phone: PHONE }, { rowNumber: 3 }]);
  });

  it('is one recipient in a list', async () => {
    const recipients = [one({ to: PHONE }), one({ userId: USER_ID }), one({ userId: USER_ID }, '2')];
    const { body } = await listOf(recipients).expect(202);
    expect(body).toMatchObject({ totalRecipients: 2, duplicateRows: 1 });
    expect(await recipientsOf(body.jobId)).toMatchObject([
      { rowNumber: 1, phone: PHONE },
      { rowNumber: 3, phone: PHONE, userId: USER_ID },
    ]);
    const { body: check } = await listOf(recipients, { dryRun: true }).expect(200);
    expect(check).toMatchObject({ totalRecipients: 2, duplicateRows: 1 });
  });

  it('is one recipient of a group', async () => {
    const groupId = await api.newGroup([{ phone: PHONE }]);
    const hidden = uuidV7();
    await api.database.execute(`INSERT INTO contacts (id, account_id, user_id) VALUES ($1, $2, $3)`, [
      ...[hidden, api.caller.accountId, USER_ID],
    ]);
    await api.database.execute('INSERT INTO contact_group_members VALUES ($1, $2)', [groupId, hidden]);
    const parameterDefaults = { '1': 'Ann', '2': '1' };
    const { body } = await api
      .post('/send-template-to-group', { groupId, templateName: 'promo', parameterDefaults })
      .expect(202);
    expect(body).toMatchObject({ totalRecipients: 1 });
  });

  it('is retried with the number found meanwhile', async () => {
    const { body } = await listOf([one({ userId: 'DE.2' })], { hold: true }).expect(202);
    await api.post(`/bulk-jobs/${body.jobId}/cancel`).expect(200);
    await api.database.execute(`UPDATE opt_outs SET user_id = 'DE.2' WHERE account_id = $1`, [api.caller.accountId]);
    await api.database.execute(`UPDATE bulk_jobs SET completed_at = now() WHERE id = $1`, [body.jobId]);
    const { body: retry } = await api.post(`/bulk-jobs/${body.jobId}/retry`, { scope: 'all' }).expect(202);
    expect(await recipientsOf(retry.jobId)).toMatchObject([{ phone: PHONE, userId: 'DE.2' }]);
  });

  describe('in a file with both in one row', () => {
    const OTHER = '4915123456782';
    const COLUMNS = { phone: 'Tel', userId: 'UID', values: ['A', 'B'], reference: 'Ref' };
    const upload = (rows: string[], fields: Record<string, string> = {}) =>
      api.upload(['Tel;UID;A;B;Ref', ...rows].join('\n'), { columns: JSON.stringify(COLUMNS), ...fields });
    const counts = async (rows: string[]) => {
      const { body: check } = await upload(rows, { dryRun: 'true' }).expect(200);
      const { body } = await upload(rows).expect(202);
      expect(check).toMatchObject({ totalRecipients: body.totalRecipients, duplicateRows: body.duplicateRows });
      return { check, body, recipients: await recipientsOf(body.jobId) };
    };

    it('is skipped after an opt-out of either, also in a dry run', async () => {
      api.optedOut.add('DE.9').add(OTHER);
      const rows = [`${PHONE};DE.9;a;b`, `${OTHER};DE.8;a;b`, '4915123456783;DE.7;a;b'];
      expect((await counts(rows)).check).toMatchObject({ totalRecipients: 3, optedOut: 2 });
    });

    const [NUMBER, USER, BOTH] = [`${OTHER};;a;b`, ';DE.9;a;b', `${OTHER};DE.9;a;b`];
    it.each([
      [[NUMBER, USER, BOTH]],
      [[NUMBER, BOTH, USER]],
      [[USER, NUMBER, BOTH]],
      [[USER, BOTH, NUMBER]],
      [[BOTH, NUMBER, USER]],
      [[BOTH, USER, NUMBER]],
    ])('is one recipient, the number, of the rows %j, next to each other or far apart', async (rows) => {
      const others = (from: number) => Array.from({ length: 600 }, (_, n) => `${from + n};;a;b`);
      const { body, recipients } = await counts(rows);
      expect(body).toMatchObject({ totalRecipients: 1, duplicateRows: 2 });
      expect(recipients).toMatchObject([{ rowNumber: 2, phone: OTHER }]);
      const [first, second, third] = rows as [string, string, string];
      const far = await counts([first, ...others(4915200000000), second, ...others(4915300000000), third]);
      expect(far.body).toMatchObject({ totalRecipients: 1201, duplicateRows: 2 });
      expect(far.recipients[0]).toMatchObject({ rowNumber: 2, phone: OTHER });
    });

    it('has the number in the rows above a row that states it, also if that row is invalid', async () => {
      const { check, body, recipients } = await counts([USER, NUMBER, `${OTHER};DE.9;;b`]);
      expect(body).toMatchObject({ totalRecipients: 2, duplicateRows: 1, invalidRows: 1 });
      expect(check.errors).toMatchObject([{ rowNumber: 4, code: 'parameter_missing' }]);
      expect(recipients[0]).toMatchObject({ rowNumber: 2, phone: OTHER, userId: 'DE.9' });
    });

    it.each([
      ['above', [`${OTHER};DE.9;a;b`, ';DE.9;a;c', `${OTHER};;a;c`]],
      ['below', [';DE.9;a;c', `${OTHER};;a;c`, `${OTHER};DE.9;a;b`]],
    ])('has the number that is stated %s, also for other values, which a dry run names', async (_, rows) => {
      const { check, recipients } = await counts(rows);
      expect(check.warnings).toEqual([
        expect.stringMatching(/^repeated_people: 1 row is for a person .* first row \d:/),
      ]);
      expect(recipients).toHaveLength(2);
      expect(recipients).toContainEqual(expect.objectContaining({ phone: OTHER, userId: 'DE.9' }));
      expect(new Set(recipients.map((recipient) => (recipient as { phone: string }).phone))).toEqual(new Set([OTHER]));
    });

    it('is invalid with a number other than the known or an earlier one, and with two user ids', async () => {
      const rows = [
        `${OTHER};${USER_ID};a;b;K-1`,
        `${PHONE};${USER_ID};a;b`,
        `${OTHER};DE.9;a;b`,
        `${PHONE};DE.9;a;c`,
        'DE.5;DE.6;a;b',
      ];
      const { check, body, recipients } = await counts(rows);
      const code = 'recipient_ids_differ';
      expect(check.errors).toEqual([
        expect.objectContaining({ rowNumber: 2, field: 'userId', code, cells: rows[0]!.split(';') }),
        expect.objectContaining({ rowNumber: 5, field: 'userId', code }),
        expect.objectContaining({ rowNumber: 6, field: 'userId', code }),
      ]);
      expect(check.errors[0].message).toBe(
        'The user id in column B ("UID") belongs to another person than the phone column of the row. Correct one of the two, or clear one of the cells.',
      );
      expect(body).toMatchObject({ totalRecipients: 5, invalidRows: 3, duplicateRows: 0 });
      expect(recipients).toMatchObject([
        { rowNumber: 2, status: 'Failed', errorCode: code },
        { rowNumber: 3, status: 'Pending' },
        { rowNumber: 4, status: 'Pending' },
        { rowNumber: 5, status: 'Failed', errorCode: code },
        { rowNumber: 6, status: 'Failed', errorCode: code },
      ]);
    });
  });
});
