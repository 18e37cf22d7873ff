import { uuidV7 } from '../../src/kernel/uuid';
import { BulkJobsApi, errorsOf } from '../support/bulk-jobs-api';
import { describeOnDatabase } from '../support/databases';
import { endedJobs, phone } from '../support/ended-jobs';

describeOnDatabase('Imports and lists without some people', (open) => {
  let api: BulkJobsApi;

  beforeAll(async () => {
    api = new BulkJobsApi(await open());
    await api.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.app.close());

  const { finishedJob, numbersOf, retry } = endedJobs(() => api);
  const phones = (...positions: number[]) => positions.map(phone);
  const groupOf = (...positions: number[]) => api.newGroup(positions.map((position) => ({ phone: phone(position) })));

  interface Exclusions {
    excludeGroupIds?: string[];
    notReachedBy?: string | string[];
  }
  const SOURCES = {
    file: (positions: number[], { excludeGroupIds, notReachedBy }: Exclusions, others: Record<string, string> = {}) => {
      const rows = positions.map((position) => `+${phone(position)},Ann,1`);
      return api.upload(`phone,name,order\n${rows.join('\n')}\n`, {
        ...(excludeGroupIds && { excludeGroupIds: JSON.stringify(excludeGroupIds) }),
        ...(notReachedBy && {
          notReachedBy: typeof notReachedBy === 'string' ? notReachedBy : JSON.stringify(notReachedBy),
        }),
        ...others,
      });
    },
    list: (positions: number[], exclusions: Exclusions, { dryRun }: Record<string, string> = {}) => {
      const templateParameters = [{ text: 'Ann' }, { text: '1' }];
      const recipients = positions.map((position) => ({ to: phone(position), templateParameters }));
      const body = { templateName: 'promo', recipients, ...exclusions, ...(dryRun && { dryRun: true }) };
      return api.post('/bulk-jobs', body);
    },
  };

  describe.each(['file', 'list'] as const)('of a %s', (source) => {
    const send = SOURCES[source];

    it('have no one whom an earlier job reached or may reach, and no contact of an excluded group', async () => {
      const notReachedBy = await finishedJob();
      const excludeGroupIds = [await groupOf(20, 2), await groupOf(21)];
      const everyone = [1, 2, 3, 4, 5, 6, 7, 8, 20, 21, 22];
      const { body } = await send(everyone, { notReachedBy }).expect(202);
      expect(body).toMatchObject({ totalRecipients: 8, invalidRows: 0, duplicateRows: 0, warnings: [] });
      expect(await numbersOf(body.jobId as string)).toEqual(phones(2, 3, 5, 7, 8, 20, 21, 22));
      const { body: both } = await send(everyone, { notReachedBy, excludeGroupIds }).expect(202);
      const jobId = both.jobId as string;
      expect(await numbersOf(jobId)).toEqual(phones(3, 5, 7, 8, 22));
      const { body: detail } = await api.get(`/bulk-jobs/${jobId}`).expect(200);
      expect(detail).toMatchObject({ kind: 'Import', audience: { groupIds: [], excludeGroupIds, notReachedBy } });
    });

    it('have no one whom one of several jobs reached', async () => {
      const [first, second] = [await finishedJob(), await finishedJob()];
      await api.database.execute('UPDATE job_recipients SET phone = (phone::bigint + 10)::text WHERE job_id = $1', [
        second,
      ]);
      const { body } = await send([1, 2, 11, 12, 22], { notReachedBy: [first, second, first.toUpperCase()] }).expect(
        202,
      );
      expect(await numbersOf(body.jobId as string)).toEqual(phones(2, 12, 22));
      const { body: detail } = await api.get(`/bulk-jobs/${body.jobId}`).expect(200);
      expect(detail.audience).toEqual({ groupIds: [], excludeGroupIds: [], notReachedBy: [first, second] });
      const { body: one } = await send([2], { notReachedBy: [first] }).expect(202);
      expect((await api.get(`/bulk-jobs/${one.jobId}`)).body.audience.notReachedBy).toBe(first);
      const jobIds = Array.from({ length: 11 }, () => uuidV7());
      expect(errorsOf((await send([1], { notReachedBy: jobIds }).expect(400)).body)).toEqual([
        ['notReachedBy', 'too_many'],
      ]);
      expect(errorsOf((await send([1], { notReachedBy: [first, 'x'] }).expect(400)).body)).toEqual([
        ['notReachedBy', 'invalid_id'],
      ]);
    });

    it('are counted by a dry run, and rejected if no recipient is left', async () => {
      const excludeGroupIds = [await groupOf(1, 2)];
      const dryRun = { dryRun: 'true' };
      const check = await send([1, 2, 3], { excludeGroupIds }, dryRun).expect(200);
      expect(check.body).toMatchObject({
        totalRecipients: 1,
        invalidRows: 0,
        leftOut: 2,
        sample: [{ phone: phone(3) }],
      });
      expect((await send([1], {}, dryRun).expect(200)).body).not.toHaveProperty('leftOut');
      expect((await send([3], { excludeGroupIds }, dryRun).expect(200)).body.leftOut).toBe(0);
      const { body } = await send([1, 2], { excludeGroupIds }).expect(422);
      expect(body).toMatchObject({
        code: 'no_valid_rows',
        message: `The ${source} has no valid r${source === 'file' ? 'ow' : 'ecipient'}. Left out by excludeGroupIds or notReachedBy: 2.`,
      });
      expect(await api.leftOvers()).toEqual({ jobs: 0, recipients: 0 });
    });

    it('are rejected for unknown groups and jobs, and for a job with deleted recipients', async () => {
      const notReachedBy = await finishedJob();
      await api.database.execute('UPDATE bulk_jobs SET recipients_expired_at = now() WHERE id = $1', [notReachedBy]);
      for (const others of [{}, { dryRun: 'true' }] as Record<string, string>[]) {
        const codeOf = async (exclusions: Exclusions) => (await send([30], exclusions, others)).body.code as string;
        expect(await codeOf({ excludeGroupIds: [uuidV7()] })).toBe('group_not_found');
        expect(await codeOf({ notReachedBy: uuidV7() })).toBe('job_not_found');
        expect(await codeOf({ notReachedBy })).toBe('recipients_expired');
      }
      const { body } = await send([30], { excludeGroupIds: ['x'], notReachedBy: 'x' }).expect(400);
      expect(errorsOf(body)).toEqual([
        ['excludeGroupIds', 'invalid_id'],
        ['notReachedBy', 'invalid_id'],
      ]);
    });
  });

  it('leave out a group that a form names without JSON', async () => {
    const excludeGroupIds = await groupOf(1);
    const { body } = await api.upload(`+${phone(1)},Ann,1\n+${phone(2)},Ben,2\n`, { excludeGroupIds }).expect(202);
    expect(await numbersOf(body.jobId as string)).toEqual([phone(2)]);
  });

  it('leave out invalid rows too, and read the others as before', async () => {
    const excludeGroupIds = JSON.stringify([await groupOf(1)]);
    const csv = `phone,name,order\n+${phone(1)},Ann,\n+${phone(2)},Ben,2\nx,Cy,3\n`;
    await api.upload(csv, { excludeGroupIds, onInvalidRows: 'reject' }).expect(422);
    const { body } = await api.upload(csv, { excludeGroupIds, dryRun: 'true' }).expect(200);
    expect(body).toMatchObject({ totalRecipients: 2, invalidRows: 1, leftOut: 1, errors: [{ rowNumber: 4 }] });
    const valid = csv.replace('x,Cy,3\n', '');
    const { body: created } = await api.upload(valid, { excludeGroupIds, onInvalidRows: 'reject' }).expect(202);
    expect(created).toMatchObject({ totalRecipients: 1, invalidRows: 0 });
    const file = await api.upload(csv, { excludeGroupIds, dryRun: 'true', badRows: 'csv' }).expect(200);
    expect(file.text).toContain('"4","x"');
    expect(file.text).not.toContain('Ann');
  });

  it('keep whom they left out in a retry, and are no import without this choice', async () => {
    const excludeGroupIds = [await groupOf(9)];
    const { body } = await SOURCES.file([1, 9], { excludeGroupIds }).expect(202);
    await api.database.execute(
      `UPDATE bulk_jobs SET status = 'Completed', completed_at = now(), cursor = 2, failed = 1 WHERE id = $1`,
      [body.jobId],
    );
    await api.database.execute(
      `UPDATE job_recipients SET outcome = 'Failed', problem = 'recipient_unreachable', attempt = 1 WHERE job_id = $1`,
      [body.jobId],
    );
    const { body: again } = await retry(body.jobId as string).expect(202);
    const { body: detail } = await api.get(`/bulk-jobs/${again.jobId}`).expect(200);
    expect(detail.audience).toEqual({ groupIds: [], excludeGroupIds, notReachedBy: null });
    const whole = await SOURCES.file([1, 9], {}).expect(202);
    expect((await api.get(`/bulk-jobs/${whole.body.jobId}`).expect(200)).body).not.toHaveProperty('audience');
  });
});
