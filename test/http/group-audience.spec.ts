import * as fc from 'fast-check';
import { uuidV7 } from '../../src/kernel/uuid';
import { JobErasureStore } from '../../src/modules/bulk-jobs/domain/job-erasure-store.port';
import { BulkJobsApi, errorsOf, ROWS_OF_PLAN } from '../support/bulk-jobs-api';
import { describeOnDatabase } from '../support/databases';
import { endedJobs, phone } from '../support/ended-jobs';

const DEFAULTS = { '1': 'a', '2': 'b' };
const VALUES = [{ attribute: 'Vorname', default: 'there' }, { attribute: 'Order' }];

describeOnDatabase('The audience of a group send', (open) => {
  let api: BulkJobsApi;

  beforeAll(async () => {
    api = new BulkJobsApi(await open());
    await api.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.app.close());

  const { set, job, finishedJob, jobWithUndelivered, recipients, numbersOf } = endedJobs(() => api);
  const post = (fields: object) => api.post('/send-template-to-group', { templateName: 'promo', ...fields });
  const send = (fields: object) => post({ parameterDefaults: DEFAULTS, ...fields });
  const groupOf = (...positions: number[]) => api.newGroup(positions.map((position) => ({ phone: phone(position) })));
  const phones = (...positions: number[]) => positions.map(phone);

  async function sentTo(fields: object): Promise<unknown[]> {
    const { body } = await send(fields).expect(202);
    return (await numbersOf(body.jobId as string)).sort();
  }

  it('of several groups has each person once, without those of excluded groups', async () => {
    const [one, two, three] = [await groupOf(1, 2, 3), await groupOf(3, 2, 4, 5), await groupOf(5, 1, 9)];
    const { body } = await send({ groupIds: [one, two.toUpperCase(), one], excludeGroupIds: [three] }).expect(202);
    expect(body).toMatchObject({ groupId: null, totalRecipients: 3, invalidRows: 0 });
    expect((await numbersOf(body.jobId as string)).sort()).toEqual(phones(2, 3, 4));
    const { body: detail } = await api.get(`/bulk-jobs/${body.jobId}`).expect(200);
    expect(detail).toMatchObject({
      groupId: null,
      audience: { groupIds: [one, two], excludeGroupIds: [three], notReachedBy: null },
    });
  });

  it('of one group is shown with its job', async () => {
    const groupId = await groupOf(1);
    const { body } = await send({ groupId }).expect(202);
    const { body: detail } = await api.get(`/bulk-jobs/${body.jobId}`).expect(200);
    const audience = { groupIds: [groupId], excludeGroupIds: [], notReachedBy: null };
    expect(detail).toMatchObject({ groupId, audience });
    const { body: imported } = await api.get(`/bulk-jobs/${await finishedJob()}`).expect(200);
    expect(imported).toMatchObject({ groupId: null });
    expect(imported).not.toHaveProperty('audience');
  });

  it('has no one twice, and no one excluded', async () => {
    const group = () => fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 12 });
    const groups = fc.array(group(), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(groups, fc.array(group(), { maxLength: 2 }), async (included, excluded) => {
        await api.newAccount();
        const groupIds = [];
        for (const positions of included) groupIds.push(await groupOf(...positions));
        const excludeGroupIds = [];
        for (const positions of excluded) excludeGroupIds.push(await groupOf(...positions));
        const expected = [...new Set(included.flat())].filter((one) => !excluded.flat().includes(one));
        const { status, body } = await send({ groupIds, excludeGroupIds, hold: true });
        expect(status).toBe(expected.length === 0 ? 422 : 202);
        if (status === 202) {
          expect((await numbersOf(body.jobId as string)).sort()).toEqual(phones(...expected).sort());
        }
      }),
      { numRuns: 15 },
    );
  });

  it('has no one twice whose number moves to another contact during the read', async () => {
    const groupId = await groupOf(...Array.from({ length: 501 }, (_, index) => index + 1));
    const { body: first } = await send({ groupId }).expect(202);
    expect(new Set(await everyPhone(first.jobId as string)).size).toBe(501);
    const move = `
      CREATE FUNCTION move_number() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.position = 1 THEN
          UPDATE contacts SET phone = '4915129999999', phone_key = '4915129999999' WHERE phone_key = '${phone(1)}';
          UPDATE contacts SET phone = '${phone(1)}', phone_key = '${phone(1)}' WHERE phone_key = '${phone(501)}';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER move_number BEFORE INSERT ON job_recipients FOR EACH ROW EXECUTE FUNCTION move_number()`;
    for (const statement of move.split(/(?<=\$\$);/)) await api.database.execute(statement);
    try {
      const { body } = await send({ groupId }).expect(202);
      const numbers = await everyPhone(body.jobId as string);
      expect(numbers.filter((number) => number === phone(1))).toHaveLength(1);
    } finally {
      await api.database.execute('DROP TRIGGER move_number ON job_recipients');
      await api.database.execute('DROP FUNCTION move_number');
    }
  });

  async function everyPhone(jobId: string): Promise<string[]> {
    const rows = await api.database.rows<{ phone: string }>('SELECT phone FROM job_recipients WHERE job_id = $1', [
      jobId,
    ]);
    return rows.map((row) => row.phone);
  }

  describe('without recipients reached by a job', () => {
    it('has failed and skipped recipients, and people outside the job', async () => {
      const notReachedBy = await finishedJob();
      const groupId = await groupOf(1, 2, 3, 4, 5, 6, 7, 8, 20);
      expect(await sentTo({ groupId, notReachedBy })).toEqual(phones(2, 20, 3, 5, 7, 8).sort());
    });

    it('has undelivered recipients', async () => {
      const notReachedBy = await jobWithUndelivered();
      expect(await sentTo({ groupId: await groupOf(1, 6), notReachedBy })).toEqual(phones(1));
    });

    it('has no one whom a retry of the job, or a retry of that one, reached or may reach', async () => {
      const notReachedBy = await finishedJob();
      const groupId = await groupOf(2, 3, 5);
      const retry = await job(2, `status = 'Completed', cursor = 3, successfully_sent = 1, failed = 1`);
      await set(retry, 1, `phone = '${phone(2)}', outcome = 'Sent', attempt = 1`);
      await set(retry, 2, `phone = '${phone(3)}', outcome = 'Failed', problem = 'recipient_unreachable'`);
      await api.database.execute('UPDATE bulk_jobs SET retry_of = $2 WHERE id = $1', [retry, notReachedBy]);
      expect(await sentTo({ groupId, notReachedBy })).toEqual(phones(3, 5));
      const second = await job(1, `status = 'Processing', cursor = 1`);
      await set(second, 1, `phone = '${phone(3)}'`);
      await api.database.execute('UPDATE bulk_jobs SET retry_of = $2 WHERE id = $1', [second, retry]);
      expect(await sentTo({ groupId, notReachedBy })).toEqual(phones(5));
      expect(await sentTo({ groupId, notReachedBy: second })).toEqual(phones(2, 5));
    });

    it('has no one to whom the job may still send, and everyone whom it never tried', async () => {
      const running = await job(4, `status = 'Processing', cursor = 2`);
      await set(running, 2, `outcome = 'Failed', problem = 'recipient_unreachable'`);
      const groupId = await groupOf(1, 2, 3, 4);
      expect(await sentTo({ groupId, notReachedBy: running })).toEqual(phones(2));
      const cancelled = await job(4, `status = 'Cancelled', completed_at = now(), cursor = 2, successfully_sent = 1`);
      await set(cancelled, 1, `outcome = 'Sent', attempt = 1`);
      expect(await sentTo({ groupId, notReachedBy: cancelled })).toEqual(phones(2, 3, 4));
    });

    it('is rejected for an unknown job, and for one with deleted recipients', async () => {
      const groupId = await groupOf(1);
      expect((await send({ groupId, notReachedBy: uuidV7() }).expect(404)).body.code).toBe('job_not_found');
      const notReachedBy = await finishedJob();
      await api.database.execute('UPDATE bulk_jobs SET recipients_expired_at = now() WHERE id = $1', [notReachedBy]);
      for (const dryRun of [true, false]) {
        const { body } = await send({ groupId, notReachedBy, dryRun }).expect(409);
        expect(body.code).toBe('recipients_expired');
      }
    });

    it('is rejected if no recipient is left, which a dry run counts', async () => {
      const notReachedBy = await finishedJob();
      const [groupId, other] = [await groupOf(1, 6), await groupOf(6, 30, 31)];
      const { body } = await send({ groupId, notReachedBy }).expect(422);
      expect(body).toMatchObject({
        code: 'group_empty',
        message: expect.stringContaining('Left out by excludeGroupIds or notReachedBy: 2.') as string,
      });
      const check = await send({ groupIds: [groupId, other], notReachedBy, dryRun: true }).expect(200);
      expect(check.body).toMatchObject({ totalRecipients: 2, leftOut: 2, duplicateRows: 0 });
      expect((await send({ groupId: other, dryRun: true }).expect(200)).body).not.toHaveProperty('leftOut');
    });
  });

  describe('with values from attributes', () => {
    const PEOPLE = [
      {
        phone: phone(1),
        attributes: { Vorname: 'Ann', Order: 'A-1', Bild: 'https://files.example.com/1.png', Nr: 'K-1' },
      },
      { phone: phone(2), attributes: { Order: 'B-2', Bild: 'http://10.0.0.1/2.png' } },
      { phone: phone(3), parameters: { '2': 'p' }, attributes: { Vorname: 'Cy' } },
    ];

    it('uses each attribute, otherwise its default, otherwise fails that recipient', async () => {
      const groupId = await api.newGroup(PEOPLE);
      const { body } = await post({ groupId, values: VALUES }).expect(202);
      expect(body).toMatchObject({ totalRecipients: 3, invalidRows: 1 });
      expect(await recipients(body.jobId as string)).toMatchObject([
        { parameters: ['Ann', 'A-1'], status: 'Pending' },
        { parameters: ['there', 'B-2'], status: 'Pending' },
        {
          ...{ parameters: ['Cy', ''], status: 'Failed', errorCode: 'parameter_missing' },
          errorMessage: 'The contact has no attribute "Order", and value 2 (body {{2}}) has no default.',
        },
      ]);
      const check = await post({ groupId, values: VALUES, dryRun: true }).expect(200);
      expect(check.body).toMatchObject({
        ...{ totalRecipients: 3, invalidRows: 1 },
        sample: [{ parameters: ['Ann', 'A-1'] }, { parameters: ['there', 'B-2'] }],
        errors: [{ field: 'parameter 2', code: 'parameter_missing', person: `+${phone(3)}` }],
      });
    });

    it('accepts attributes of any name, and no inherited ones', async () => {
      const own = JSON.parse('{"__proto__":"Ann","constructor":"A-1"}') as object;
      const groupId = await api.newGroup([{ phone: phone(1), attributes: own }, { phone: phone(2) }]);
      const values = [{ attribute: '__proto__', default: 'there' }, { attribute: 'constructor' }];
      const { body } = await post({ groupId, values }).expect(202);
      expect(await recipients(body.jobId as string)).toMatchObject([
        { parameters: ['Ann', 'A-1'], status: 'Pending' },
        { parameters: ['there', ''], status: 'Failed', errorCode: 'parameter_missing' },
      ]);
    });

    it('uses the name of the contact, which is no attribute', async () => {
      const groupId = await api.newGroup([
        { phone: phone(1), name: 'Ann Lee', attributes: { name: 'ann' } },
        { phone: phone(2), attributes: { name: 'ben' } },
      ]);
      const name = { contactField: 'name' };
      const { body } = await post({ groupId, values: [{ ...name, default: 'there' }, name] }).expect(202);
      expect(await recipients(body.jobId as string)).toMatchObject([
        { parameters: ['Ann Lee', 'Ann Lee'], status: 'Pending' },
        {
          ...{ parameters: ['there', ''], status: 'Failed', errorCode: 'parameter_missing' },
          errorMessage: 'The contact has no name, and value 2 (body {{2}}) has no default.',
        },
      ]);
      const unnamed = await api.newGroup([{ phone: phone(2) }]);
      const refused = (await post({ groupId: unnamed, values: [name, { default: 'x' }] }).expect(422)).body;
      expect(refused.message).toContain('No contact of the groups has a name: add the names, or provide a default');
      expect(errorsOf(refused)).toEqual([['values[0].contactField', 'parameter_missing']]);
      const both = [{ ...name, attribute: 'name' }, { contactField: 'phone' }];
      const unknown = (await post({ groupId, values: both }).expect(400)).body;
      expect(errorsOf(unknown)).toEqual([['values[1].contactField', 'not_allowed']]);
      const twice = (await post({ groupId, values: [both[0], name] }).expect(400)).body;
      expect(errorsOf(twice)).toEqual([['values[0].contactField', 'not_allowed']]);
    });

    it('uses a default without an attribute as the value for all', async () => {
      const groupId = await api.newGroup(PEOPLE);
      const { body } = await post({ groupId, values: [{ default: 'x' }, { default: 'y' }] }).expect(202);
      expect(await recipients(body.jobId as string)).toMatchObject(PEOPLE.map(() => ({ parameters: ['x', 'y'] })));
    });

    it('stores header media and references of the recipients, which an erasure removes', async () => {
      const groupId = await api.newGroup(PEOPLE);
      const fromAttributes = { headerMediaUrl: 'Bild', reference: 'Nr' };
      const body = { groupId, templateName: 'picture', parameterDefaults: DEFAULTS, fromAttributes };
      const { body: created } = await post(body).expect(202);
      expect(created).toMatchObject({ totalRecipients: 3, invalidRows: 2 });
      const jobId = created.jobId as string;
      expect(await recipients(jobId)).toMatchObject([
        { phone: phone(1), status: 'Pending' },
        { errorCode: 'parameter_invalid', errorMessage: expect.stringContaining('attribute "Bild" is not a public') },
        { errorCode: 'extras_invalid' },
      ]);
      const stored = () =>
        api.database.rows('SELECT extras, reference FROM job_recipients WHERE job_id = $1 AND position = 1', [jobId]);
      expect(await stored()).toEqual([{ extras: { link: 'https://files.example.com/1.png' }, reference: 'K-1' }]);
      const fallback = { ...body, headerMediaUrl: 'https://files.example.com/all.png', dryRun: true };
      expect((await post(fallback).expect(200)).body).toMatchObject({ invalidRows: 1 });
      await api.app.get(JobErasureStore).erase(jobId, [phone(1)]);
      expect(await stored()).toEqual([{ extras: null, reference: null }]);
    });

    it('is rejected for an unknown attribute, naming the existing ones', async () => {
      const groupId = await api.newGroup(PEOPLE);
      const { body } = await post({ groupId, values: [{ attribute: 'Firstname' }, { default: 'x' }] }).expect(422);
      expect(body).toMatchObject({ code: 'parameter_mismatch', expected: 2, actual: 1 });
      expect(body.message).toContain('has the attribute "Firstname"');
      expect(body.message).toContain('Bild, Nr, Order, Vorname');
      expect(errorsOf(body)).toEqual([['values[0].attribute', 'parameter_missing']]);
      const both = await post({ groupId, values: [{ attribute: 'Firstname' }, { attribute: 'Odrer' }] }).expect(422);
      expect(both.body).toMatchObject({ expected: 2, actual: 0, message: expect.stringContaining('"Odrer"') });
      expect(errorsOf(both.body)).toHaveLength(2);
      expect(await api.leftOvers()).toEqual({ jobs: 0, recipients: 0 });
    });

    it.each([
      [{ values: [{ default: 'x' }] }, 422, 'parameter_mismatch', undefined],
      [
        { values: [{ default: 'x' }, { default: 'a\nb' }] },
        400,
        'validation_failed',
        [['values[1].default', 'line_break']],
      ],
      [
        { values: [{}, { attribute: '' }] },
        400,
        'validation_failed',
        [
          ['values[0].default', 'required'],
          ['values[1].attribute', 'required'],
          ['values[1].default', 'required'],
        ],
      ],
      [{ values: 'Vorname' }, 400, 'validation_failed', [['values', 'wrong_type']]],
      [
        { values: VALUES, parameterDefaults: DEFAULTS },
        400,
        'validation_failed',
        [['parameterDefaults', 'not_allowed']],
      ],
      [{ fromAttributes: { to: 'Nr' } }, 400, 'validation_failed', [['fromAttributes.to', 'unknown_field']]],
      [{ groupIds: [] }, 400, 'validation_failed', [['groupIds', 'too_few']]],
      [{ groupIds: ['x'] }, 400, 'validation_failed', [['groupIds', 'invalid_id']]],
      [{ groupIds: Array.from({ length: 21 }, () => uuidV7()) }, 400, 'validation_failed', [['groupIds', 'too_many']]],
      [{ groupIds: [uuidV7()] }, 400, 'validation_failed', [['groupIds', 'not_allowed']]],
      [{ excludeGroupIds: [uuidV7()] }, 404, 'group_not_found', undefined],
      [{ groupId: undefined }, 400, 'validation_failed', [['groupId', 'required']]],
      [{ groupId: undefined, groupIds: [uuidV7()] }, 404, 'group_not_found', undefined],
      [{ notReachedBy: 'x' }, 400, 'validation_failed', [['notReachedBy', 'invalid_id']]],
    ])('is rejected with %j', async (fields, status, code, errors) => {
      const groupId = await api.newGroup(PEOPLE);
      const { body } = await post({ groupId, ...fields }).expect(status);
      expect(body.code).toBe(code);
      expect(errorsOf(body)).toEqual(errors);
      expect(await api.leftOvers()).toEqual({ jobs: 0, recipients: 0 });
    });
  });

  it('beyond the rows of the plan is rejected unless exclusions reduce it', async () => {
    const [large, more] = [await groupOf(), await groupOf(1)];
    await api.database.execute(
      `INSERT INTO contacts (id, account_id, phone, phone_key)
       SELECT gen_random_uuid(), $1, (491512100000 + n)::text, (491512100000 + n)::text FROM generate_series(1, $2) n`,
      [api.caller.accountId, ROWS_OF_PLAN],
    );
    await api.database.execute(
      `INSERT INTO contact_group_members SELECT $1, id FROM contacts WHERE account_id = $2 AND phone > '491512100000'`,
      [large, api.caller.accountId],
    );
    const dryRun = true;
    expect((await send({ groupIds: [large, more], dryRun }).expect(413)).body.code).toBe('too_many_rows');
    const check = await send({ groupIds: [large, more], excludeGroupIds: [more], dryRun }).expect(200);
    expect(check.body).toMatchObject({ totalRecipients: ROWS_OF_PLAN, leftOut: 1 });
  });
});
