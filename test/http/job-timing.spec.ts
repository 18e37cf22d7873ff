import { opensAt } from '../../src/modules/bulk-jobs/domain/send-window';
import { isTimeZone } from '../../src/modules/bulk-jobs/domain/wall-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { BulkJobsApi, CSV, errorsOf } from '../support/bulk-jobs-api';
import { describeOnDatabase } from '../support/databases';

const HOUR = 3_600_000;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
/** A one-hour window that opens in this many hours. */
const windowIn = (hours: number) => ({
  from: inHours(hours).slice(11, 16),
  until: inHours(hours + 1).slice(11, 16),
  timeZone: 'UTC',
});
const WINDOW = { from: '09:00', until: '17:00', timeZone: 'Europe/Berlin', days: [1, 2, 3, 4, 5] };

describeOnDatabase('When a job sends', (open) => {
  let api: BulkJobsApi;

  beforeAll(async () => {
    api = new BulkJobsApi(await open());
    await api.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.app.close());

  type Detail = Record<string, unknown> & { jobId: string; validUntil: string; createdAt: string };

  async function created(fields: Record<string, string | number | object> = {}): Promise<Detail> {
    const form = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const { body } = await api.upload(CSV, Object.fromEntries(form) as Record<string, string>).expect(202);
    return (await api.get(`/bulk-jobs/${body.jobId}`).expect(200)).body as Detail;
  }

  const after = (job: Detail): number => new Date(job.validUntil).getTime();
  const change = (jobId: string, body: object) => api.patch(`/bulk-jobs/${jobId}`, body);

  it('is immediate without a schedule, a window or a hold', async () => {
    expect(await created({ scheduledAt: '', sendWindow: '', hold: 'false' })).toMatchObject({
      ...{ status: 'Queued', scheduledAt: null, sendWindow: null, throttled: null },
    });
    expect(await created({ scheduledAt: inHours(-0.01) })).toMatchObject({ status: 'Queued' });
  });

  it('is its schedule, in any time zone', async () => {
    const at = inHours(48);
    const job = await created({ scheduledAt: at, validForSeconds: 600 });
    expect(job).toMatchObject({ status: 'Scheduled', scheduledAt: at, allowedActions: ['pause', 'cancel'] });
    expect(after(job)).toBe(new Date(at).getTime() + 600_000);
    expect(new Date(job.estimatedCompletionAt as string).getTime()).toBeGreaterThan(new Date(at).getTime());
    const inAthens = new Date(Date.parse(at) + 2 * HOUR).toISOString().replace('Z', '+02:00');
    expect(await created({ scheduledAt: inAthens })).toMatchObject({ scheduledAt: at });
  });

  it('is a local time in a time zone, of files, lists, groups and changes', async () => {
    const at = inHours(48).slice(0, 16);
    const scheduledAt = new Date(Date.parse(`${at}Z`) - 5.75 * HOUR).toISOString();
    const local = { scheduledAt: at, timeZone: 'Asia/Kathmandu' };
    const { jobId, ...job } = await created(local);
    expect(job).toMatchObject({ status: 'Scheduled', scheduledAt });
    const templateParameters = [{ text: 'Mira' }, { text: 'PK-7731' }];
    const listed = { templateName: 'promo', recipients: [{ to: '4915112345678', templateParameters }] };
    const { body: list } = await api.post('/bulk-jobs', { ...listed, ...local }).expect(202);
    expect((await api.get(`/bulk-jobs/${list.jobId}`).expect(200)).body).toMatchObject({ scheduledAt });
    const groupId = await api.newGroup([{ phone: '4915123456781', parameters: {} }]);
    const group = { templateName: 'promo', groupId, parameterDefaults: { '1': 'a', '2': 'b' } };
    const { body: sent } = await api.post('/send-template-to-group', { ...group, ...local }).expect(202);
    expect((await api.get(`/bulk-jobs/${sent.jobId}`).expect(200)).body).toMatchObject({ scheduledAt });
    const { body: changed } = await change(jobId, { ...local, timeZone: 'UTC' }).expect(200);
    expect(changed).toMatchObject({ scheduledAt: `${at}:00.000Z` });
  });

  it('is not a local time without a zone: the error names what to add', async () => {
    const { body } = await api.upload(CSV, { scheduledAt: '2030-01-01T10:00', timeZone: '' }).expect(400);
    expect(body.errors[0].message).toMatch(/^scheduledAt is a local time: send `timeZone` too/);
  });

  it('is within its send window: the job shows until when it waits, and its validity starts then', async () => {
    const window = windowIn(2);
    const job = await created({ sendWindow: window, validForSeconds: 600 });
    const opens = opensAt({ ...window, days: EVERY_DAY }, new Date(job.createdAt));
    expect(job).toMatchObject({
      ...{ status: 'Queued', sendWindow: { ...window, days: EVERY_DAY } },
      throttled: { reason: 'send_window', until: opens.toISOString() },
    });
    expect(after(job)).toBe(opens.getTime() + 600_000);
    expect(new Date(job.estimatedCompletionAt as string).getTime()).toBeGreaterThanOrEqual(opens.getTime());
    expect(await created({ sendWindow: WINDOW })).toMatchObject({ sendWindow: WINDOW });
  });

  it('is the first moment of its send window from its schedule on, also on hold', async () => {
    const timing = { scheduledAt: inHours(48), sendWindow: windowIn(50) };
    const startsAt = opensAt({ ...windowIn(50), days: EVERY_DAY }, new Date(timing.scheduledAt)).toISOString();
    const job = await created(timing);
    expect(job).toMatchObject({ status: 'Scheduled', startsAt });
    expect(await created({ ...timing, hold: 'true' })).toMatchObject({ status: 'Paused', startsAt });
    expect(await created({ sendWindow: windowIn(50) })).not.toHaveProperty('startsAt');
    const { body } = await api.post(`/bulk-jobs/${job.jobId}/cancel`).expect(200);
    expect(body).not.toHaveProperty('startsAt');
  });

  it('is when it is resumed, if it is on hold', async () => {
    const job = await created({ hold: 'true', validForSeconds: 600 });
    expect(job).toMatchObject({
      ...{ status: 'Paused', pauseReason: { code: 'held' }, validUntil: null, allowedActions: ['resume', 'cancel'] },
    });
    const { body } = await api.post(`/bulk-jobs/${job.jobId}/resume`).expect(200);
    expect(body).toMatchObject({ status: 'Queued', pauseReason: null });
    expect(Math.abs(Date.parse(body.validUntil as string) - Date.now() - 600_000)).toBeLessThan(60_000);
  });

  it('remains its schedule if it was on hold or paused before', async () => {
    const at = inHours(5);
    const held = await created({ hold: 'true', scheduledAt: at, validForSeconds: 60 });
    const { body } = await api.post(`/bulk-jobs/${held.jobId}/resume`).expect(200);
    expect(body).toMatchObject({ status: 'Scheduled', scheduledAt: at });
    expect(Date.parse(body.validUntil as string)).toBe(Date.parse(at) + 60_000);

    expect((await api.post(`/bulk-jobs/${held.jobId}/pause`).expect(200)).body).toMatchObject({ status: 'Paused' });
    await api.database.execute(`UPDATE bulk_jobs SET scheduled_at = now() WHERE id = $1`, [held.jobId]);
    expect((await api.post(`/bulk-jobs/${held.jobId}/resume`).expect(200)).body.status).toBe('Queued');
  });

  it('is never if cancelled before', async () => {
    const { jobId } = await created({ scheduledAt: inHours(5) });
    const { body } = await api.post(`/bulk-jobs/${jobId}/cancel`).expect(200);
    expect(body).toMatchObject({ status: 'Cancelled', failed: 2, allowedActions: ['retry'] });
    expect((await change(jobId, { scheduledAt: null }).expect(409)).body).toMatchObject({
      ...{ code: 'invalid_job_state', currentStatus: 'Cancelled', allowedActions: ['retry'] },
    });
  });

  it('of a group send too', async () => {
    const groupId = await api.newGroup([{ phone: '4915123456781', parameters: {} }]);
    const body = { groupId, templateName: 'promo', parameterDefaults: { '1': 'x', '2': 'y' } };
    const at = inHours(30);
    const { body: answer } = await api
      .post('/send-template-to-group', { ...body, scheduledAt: at, sendWindow: WINDOW, hold: false })
      .expect(202);
    expect(answer.status).toBe('Scheduled');
    expect((await api.get(`/bulk-jobs/${answer.jobId}`).expect(200)).body).toMatchObject({
      scheduledAt: at,
      sendWindow: WINDOW,
    });
    const { body: held } = await api.post('/send-template-to-group', { ...body, hold: true }).expect(202);
    expect(held.status).toBe('Paused');
    const { body: check } = await api
      .post('/send-template-to-group', { ...body, scheduledAt: at, dryRun: true })
      .expect(200);
    expect(check).toMatchObject({ plan: { startsAt: at } });
  });

  it('is shown before the creation: from schedule and window', async () => {
    const at = inHours(3);
    const plan = async (fields: Record<string, string>) =>
      (await api.upload(CSV, { ...fields, dryRun: 'true' }).expect(200)).body.plan as {
        startsAt: string;
        endsAt: string;
      };
    expect(await plan({ scheduledAt: at })).toMatchObject({ startsAt: at });
    const window = { ...windowIn(5), days: EVERY_DAY };
    const { startsAt, endsAt } = await plan({ scheduledAt: at, sendWindow: JSON.stringify(window) });
    expect(startsAt).toBe(opensAt(window, new Date(at)).toISOString());
    expect(Date.parse(endsAt)).toBeGreaterThan(Date.parse(startsAt));
  });

  it('can be changed while Scheduled: later, in a window, or immediately', async () => {
    const { jobId } = await created({ scheduledAt: inHours(5), validForSeconds: 60 });
    const at = inHours(9);
    const { body: later } = await change(jobId, { scheduledAt: at }).expect(200);
    expect(later).toMatchObject({ status: 'Scheduled', scheduledAt: at, sendWindow: null });
    expect(Date.parse(later.validUntil as string)).toBe(Date.parse(at) + 60_000);
    const { body: inWindow } = await change(jobId, { sendWindow: WINDOW }).expect(200);
    expect(inWindow).toMatchObject({ status: 'Scheduled', scheduledAt: at, sendWindow: WINDOW });
    expect(Date.parse(inWindow.validUntil as string)).toBe(opensAt(WINDOW, new Date(at)).getTime() + 60_000);
    expect((await change(jobId, {}).expect(200)).body).toMatchObject({ scheduledAt: at, sendWindow: WINDOW });
    api.runnable.length = 0;
    const { body: atOnce } = await change(jobId, { scheduledAt: null, sendWindow: null }).expect(200);
    expect(atOnce).toMatchObject({ status: 'Queued', scheduledAt: null, sendWindow: null });
    expect(api.runnable).toEqual([api.caller.accountId]);
  });

  it('can be changed while Paused, and applies after the resume', async () => {
    const { jobId } = await created();
    expect((await change(jobId, { sendWindow: WINDOW }).expect(409)).body).toMatchObject({
      ...{ code: 'invalid_job_state', currentStatus: 'Queued', allowedActions: ['pause', 'cancel'] },
    });
    await api.post(`/bulk-jobs/${jobId}/pause`).expect(200);
    const at = inHours(2);
    expect((await change(jobId, { scheduledAt: at, sendWindow: WINDOW }).expect(200)).body).toMatchObject({
      ...{ status: 'Paused', scheduledAt: at, sendWindow: WINDOW },
    });
    expect((await api.post(`/bulk-jobs/${jobId}/resume`).expect(200)).body).toMatchObject({ status: 'Scheduled' });
    await api.post(`/bulk-jobs/${jobId}/pause`).expect(200);
    await change(jobId, { scheduledAt: null }).expect(200);
    expect((await api.post(`/bulk-jobs/${jobId}/resume`).expect(200)).body).toMatchObject({ status: 'Queued' });
  });

  it('counts its validity from a schedule that is changed while it is resumed', async () => {
    const { jobId } = await created({ hold: 'true', validForSeconds: 60 });
    const at = inHours(5);
    api.whileTemplateIsRead = () => change(jobId, { scheduledAt: at }).expect(200);
    const { body } = await api.post(`/bulk-jobs/${jobId}/resume`).expect(200);
    expect(body).toMatchObject({ status: 'Scheduled', scheduledAt: at });
    expect(Date.parse(body.validUntil as string)).toBe(Date.parse(at) + 60_000);
  });

  it('continues as before if a started job loses its later schedule', async () => {
    const { jobId } = await created();
    await api.database.execute(`UPDATE bulk_jobs SET status = 'Processing', started_at = now() WHERE id = $1`, [jobId]);
    await api.post(`/bulk-jobs/${jobId}/pause`).expect(200);
    await change(jobId, { scheduledAt: inHours(2) }).expect(200);
    expect((await api.post(`/bulk-jobs/${jobId}/resume`).expect(200)).body.status).toBe('Scheduled');
    expect((await change(jobId, { scheduledAt: null }).expect(200)).body.status).toBe('Processing');
  });

  it('of another account cannot be changed', async () => {
    const { jobId } = await created({ scheduledAt: inHours(5) });
    api.caller = { ...api.caller, accountId: uuidV7() };
    expect((await change(jobId, { scheduledAt: null }).expect(404)).body.code).toBe('job_not_found');
    expect((await change('x', {}).expect(404)).body.code).toBe('job_not_found');
  });

  it('of a retry is immediate, within the window of the old job', async () => {
    const { jobId } = await created({ sendWindow: WINDOW, scheduledAt: inHours(1) });
    await api.post(`/bulk-jobs/${jobId}/cancel`).expect(200);
    await api.database.execute(`UPDATE bulk_jobs SET completed_at = now(), failed = 2 WHERE id = $1`, [jobId]);
    const { body } = await api.post(`/bulk-jobs/${jobId}/retry`, {}).expect(202);
    expect((await api.get(`/bulk-jobs/${body.jobId}`).expect(200)).body).toMatchObject({
      ...{ retryOf: jobId, status: 'Queued', scheduledAt: null, sendWindow: WINDOW },
    });
  });

  const wrong: [object, [string, string][]][] = [
    [{ scheduledAt: inHours(-1) }, [['scheduledAt', 'out_of_range']]],
    [{ scheduledAt: inHours(24 * 367) }, [['scheduledAt', 'out_of_range']]],
    [{ scheduledAt: '2030-01-01' }, [['scheduledAt', 'invalid_format']]],
    [{ scheduledAt: '2030-01-01T10:00' }, [['scheduledAt', 'invalid_format']]],
    [{ scheduledAt: '2030-01-01', timeZone: 'Europe/Berlin' }, [['scheduledAt', 'invalid_format']]],
    [{ scheduledAt: '2030-02-30T10:00', timeZone: 'Europe/Berlin' }, [['scheduledAt', 'invalid_format']]],
    [{ scheduledAt: '2030-01-01T10:00', timeZone: 'Europe/Nowhere' }, [['timeZone', 'not_allowed']]],
    [{ scheduledAt: inHours(1), timeZone: 'Europe/Berlin' }, [['timeZone', 'not_allowed']]],
    [{ timeZone: 'Europe/Berlin' }, [['timeZone', 'not_allowed']]],
    [{ scheduledAt: 'tomorrow' }, [['scheduledAt', 'invalid_format']]],
    [{ sendWindow: 'always' }, [['sendWindow', 'wrong_type']]],
    [{ sendWindow: { ...WINDOW, from: '9:00' } }, [['sendWindow.from', 'invalid_format']]],
    [{ sendWindow: { ...WINDOW, from: '24:00' } }, [['sendWindow.from', 'invalid_format']]],
    [{ sendWindow: { ...WINDOW, until: '24:01' } }, [['sendWindow.until', 'invalid_format']]],
    [{ sendWindow: { ...WINDOW, until: '09:00' } }, [['sendWindow.until', 'not_allowed']]],
    [{ sendWindow: { ...WINDOW, timeZone: '+02:00' } }, [['sendWindow.timeZone', 'not_allowed']]],
    [{ sendWindow: { ...WINDOW, timeZone: 'Europe/Nowhere' } }, [['sendWindow.timeZone', 'not_allowed']]],
    // Available in Node.js, but not in databases, like the one above.
    [{ sendWindow: { ...WINDOW, timeZone: 'SystemV/PST8' } }, [['sendWindow.timeZone', 'not_allowed']]],
    [{ sendWindow: { ...WINDOW, days: [] } }, [['sendWindow.days', 'too_few']]],
    [{ sendWindow: { ...WINDOW, days: [1, 1] } }, [['sendWindow.days', 'not_unique']]],
    [{ sendWindow: { ...WINDOW, days: [0, 8] } }, [['sendWindow.days', 'out_of_range']]],
    [{ sendWindow: { ...WINDOW, zone: 'UTC' } }, [['sendWindow.zone', 'unknown_field']]],
    [{ sendWindow: { from: '09:00', until: '10:00' } }, [['sendWindow.timeZone', 'required']]],
  ];

  it('is not in a time zone that only Node.js has, for files, lists, groups and changes', async () => {
    const timeZone = 'US/Pacific-New';
    expect(isTimeZone(timeZone)).toBe(true);
    const known = await api.database.rows('SELECT name FROM pg_timezone_names WHERE name = $1', [timeZone]);
    expect(known).toEqual([]);
    const timing = { sendWindow: { ...WINDOW, timeZone } };
    const templateParameters = [{ text: 'Mira' }, { text: 'PK-7731' }];
    const list = { templateName: 'promo', recipients: [{ to: '4915112345678', templateParameters }] };
    const groupId = await api.newGroup([{ phone: '4915123456781', parameters: {} }]);
    const group = { templateName: 'promo', groupId, parameterDefaults: { '1': 'a', '2': 'b' } };
    const { jobId } = await created({ scheduledAt: inHours(5), sendWindow: WINDOW });
    const rejected = await Promise.all([
      api.upload(CSV, { sendWindow: JSON.stringify(timing.sendWindow) }),
      api.post('/bulk-jobs', { ...list, ...timing }),
      api.post('/send-template-to-group', { ...group, ...timing }),
      change(jobId, timing),
    ]);
    const message = expect.stringContaining("unknown to the service's database") as string;
    for (const { status, body } of rejected) {
      expect({ status, errors: body.errors }).toEqual({
        ...{ status: 400, errors: [{ field: 'sendWindow.timeZone', code: 'not_allowed', message }] },
      });
    }
    expect((await api.get(`/bulk-jobs/${jobId}`).expect(200)).body).toMatchObject({ sendWindow: WINDOW });
  });

  it.each([[['mon']], [[0, 8]]])('says which days there are, not %j', async (days) => {
    const { body } = await change(uuidV7(), { sendWindow: { ...WINDOW, days } }).expect(400);
    const message = 'sendWindow.days must be numbers from 1 (Monday) to 7 (Sunday), such as [1,2,3,4,5].';
    expect(body).toMatchObject({ message });
  });

  it.each(wrong)('is not %j', async (fields, errors) => {
    const form = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const { body } = await api.upload(CSV, Object.fromEntries(form) as Record<string, string>).expect(400);
    expect(errorsOf(body)).toEqual(errors);
    const { body: changed } = await change(uuidV7(), fields).expect(400);
    expect(errorsOf(changed)).toEqual(errors);
  });
});
