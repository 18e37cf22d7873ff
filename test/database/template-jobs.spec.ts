import { knownSenders } from '../fakes/known-senders';
import type { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresBulkJobStore } from '../../src/modules/bulk-jobs/adapters/postgres-bulk-job-store';
import { PostgresJobStatusStore } from '../../src/modules/delivery/adapters/postgres-job-status-store';
import { PostgresTemplateJobStore } from '../../src/modules/delivery/adapters/postgres-template-job-store';
import { refusedByPlatform } from '../../src/modules/delivery/domain/job-stop';
import type { LaneTelemetry, NamedJob } from '../../src/modules/delivery/domain/lane-telemetry';
import { TemplateJobs } from '../../src/modules/delivery/domain/template-jobs';
import { SenderSignal } from '../../src/modules/sending/domain/sender-signal';
import { PostgresTemplateStore } from '../../src/modules/templates/adapters/postgres-template-store';
import { SyncSignal } from '../../src/modules/templates/domain/sync-signal';
import type { Template, TemplateStatus } from '../../src/modules/templates/domain/template';
import { TemplateChanges } from '../../src/modules/templates/domain/template-changes';
import { TemplateReports } from '../../src/modules/templates/domain/template-reports';
import { TemplatesService } from '../../src/modules/templates/domain/templates.service';
import { platformTemplate } from '../fakes/templates-in-memory';
import { describeOnDatabase } from '../support/databases';
import { SqlSendingTables } from '../support/sending-tables';

const NO_SENDERS = knownSenders(() => []);

describeOnDatabase('Jobs and their templates', (open) => {
  let database: Database;
  let tables: SqlSendingTables;
  let store: PostgresTemplateStore;
  let statuses: PostgresJobStatusStore;
  let reports: TemplateReports;
  let jobs: TemplateJobs;
  let promo: Template;
  let notified: string[];
  let runnable: string[];
  let synced: string[];
  let seconds: number;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(async () => {
    notified = [];
    runnable = [];
    synced = [];
    seconds = 0;
    await database.execute('DELETE FROM bulk_jobs');
    tables = new SqlSendingTables(database);
    await tables.addSender();
    store = new PostgresTemplateStore(database);
    statuses = new PostgresJobStatusStore(database);
    const [first] = await store.byName(tables.accountId, 'promo');
    const { components } = platformTemplate('promo');
    promo = { ...first!, components, platformTemplateId: '771', revisionId: uuidV7(), updatedAt: new Date() };
    await store.save(promo);
    tables.revisionId = promo.revisionId;
    const clock = new SystemClock();
    const unitOfWork = new TypeOrmUnitOfWork(database);
    const templates = new TemplatesService(store, NO_SENDERS, clock);
    const changes = new TemplateChanges();
    const syncSignal = new SyncSignal();
    syncSignal.onRequest((accountId) => synced.push(accountId));
    const signal = new SenderSignal();
    signal.onRunnable((senderId) => runnable.push(senderId));
    const telemetry = {
      stopped: ({ id }: NamedJob, { problem }: { problem: string }) => notified.push(`${id} ${problem}`),
      resumed: ({ id }: NamedJob) => notified.push(`${id} resumes`),
      failed: (_sender: null, error: Error) => notified.push(error.message),
    } as unknown as LaneTelemetry;
    jobs = new TemplateJobs(
      ...([new PostgresTemplateJobStore(database), statuses, templates, telemetry, signal] as const),
      ...([syncSignal, unitOfWork, clock] as const),
    );
    changes.onStatusChanged((heard) => jobs.apply(heard));
    reports = new TemplateReports(unitOfWork, store, templates, changes, syncSignal, clock);
  });

  const report = (status: TemplateStatus) =>
    reports.apply({ accountId: tables.accountId, businessAccountId: '2' }, [
      {
        ...{ platformTemplateId: '771', name: 'promo', languageCode: 'en_US' },
        at: new Date(Date.now() + ++seconds * 1000),
        change: { kind: 'status', status, reason: null },
      },
    ]);
  const job = async (id: string) => {
    const [row] = await database.rows<Record<string, unknown>>('SELECT * FROM bulk_jobs WHERE id = $1', [id]);
    return row!;
  };
  const until = async (holds: () => Promise<boolean>) => {
    for (let turn = 0; turn < 500 && !(await holds()); turn++) await new Promise((done) => setTimeout(done, 20));
    expect(await holds()).toBe(true);
  };

  it.each<[TemplateStatus, string]>([
    ['Paused', 'template_paused'],
    ['Pending', 'template_not_approved'],
    ['Rejected', 'template_not_approved'],
    ['Archived', 'template_not_approved'],
    ['Deleted', 'template_not_approved'],
  ])('wait while their template is %s, and resume automatically once it is Approved again', async (status, problem) => {
    const [queued, started] = [
      await tables.addJob(2),
      await tables.addJob(2, { status: 'Processing', startedAt: new Date() }),
    ];
    await report(status);
    await jobs.check();
    for (const id of [queued, started]) {
      expect(await job(id)).toMatchObject({
        ...{ status: 'Paused', pause_problem: problem, paused_at: expect.any(Date) as Date },
        pause_reason:
          `Template "promo" (en_US) is ${status} on the platform. The job resumes automatically once the ` +
          `template is Approved again.`,
      });
    }
    await jobs.check();
    expect(notified.sort()).toEqual([`${queued} ${problem}`, `${started} ${problem}`].sort());

    await report('Approved');
    await jobs.check();
    const goesOn = { pause_reason: null, pause_problem: null, paused_at: null, revision_id: promo.revisionId };
    expect(await job(queued)).toMatchObject({ ...goesOn, status: 'Queued' });
    expect(await job(started)).toMatchObject({ ...goesOn, status: 'Processing' });
    expect(runnable).toEqual([tables.senderId, tables.senderId]);
  });

  it('keep their validity when a client changes their schedule meanwhile', async () => {
    const id = await tables.addJob(1);
    const valid = `valid_for_seconds = 60, valid_until = now() + interval '60 s'`;
    await database.execute(`UPDATE bulk_jobs SET ${valid} WHERE id = $1`, [id]);
    await report('Paused');
    await jobs.check();
    const at = new Date(Date.now() + 3_600_000);
    // Like a PATCH of a paused job: its validity is unknown until it resumes.
    await new PostgresBulkJobStore(database).changeTiming(id, { scheduledAt: at, validFrom: null });
    await report('Approved');
    await jobs.check();
    expect(await job(id)).toMatchObject({ status: 'Scheduled', valid_until: new Date(at.getTime() + 60_000) });
  });

  it('fail permanently when it is Disabled', async () => {
    const id = await tables.addJob(2);
    await report('Disabled');
    await jobs.check();
    expect(await job(id)).toMatchObject({
      ...{ status: 'Failed', pause_reason: null, pause_problem: null, error_code: 'template_disabled' },
      error_message: expect.stringContaining('another template') as string,
    });
    await report('Approved');
    await jobs.check();
    expect((await job(id)).status).toBe('Failed');
  });

  it('with another template, in another language or of another account are unaffected', async () => {
    const others = [await tables.addJob(1, { templateName: 'other' }), await tables.addJob(1, { languageCode: 'de' })];
    const foreign = new SqlSendingTables(database);
    await foreign.addSender();
    others.push(await foreign.addJob(1));
    await report('Paused');
    await jobs.check();
    for (const id of others) expect((await job(id)).status).toBe('Queued');
  });

  it('do not resume if a client paused them, or if they stopped for another reason', async () => {
    const byClient = await tables.addJob(1);
    const change = { from: ['Queued'] as const, to: 'Paused' as const, keyId: uuidV7() };
    await new PostgresBulkJobStore(database).change(tables.accountId, byClient, change);
    const byPayment = await tables.addJob(1);
    await statuses.stop(byPayment, refusedByPlatform('payment_problem', 'No money', 131042));
    await report('Paused');
    await report('Approved');
    await jobs.check();
    for (const id of [byClient, byPayment]) expect((await job(id)).status).toBe('Paused');
  });

  it('stopped by a refused message resume too, but not before the template has changed', async () => {
    const id = await tables.addJob(1);
    await statuses.stop(id, refusedByPlatform('template_paused', 'Template is paused', 132015));
    await jobs.check();
    expect(await job(id)).toMatchObject({ status: 'Paused', pause_problem: 'template_paused' });
    // The pause has not been reported yet: only the list shows it.
    expect(synced).toEqual([tables.accountId]);
    await report('Paused');
    await report('Approved');
    await jobs.check();
    expect((await job(id)).status).toBe('Queued');
  });

  it('are retried after 15 minutes if the list has always shown the template as Approved', async () => {
    const id = await tables.addJob(1);
    const missing = await tables.addJob(1);
    await statuses.stop(id, refusedByPlatform('template_paused', 'Template is paused', 132015));
    await statuses.stop(missing, refusedByPlatform('template_missing', 'No such template', 132001));
    const past = async (minutes: number) => {
      await database.execute(`UPDATE bulk_jobs SET paused_at = now() - make_interval(mins => $1)`, [minutes]);
      await database.execute(
        `UPDATE templates SET status_changed_at = now() - interval '1 day', last_synced_at = now()`,
      );
    };
    await past(14);
    await jobs.check();
    expect((await job(id)).status).toBe('Paused');
    await past(16);
    await jobs.check();
    expect((await job(id)).status).toBe('Queued');
    expect((await job(missing)).status).toBe('Paused');
    expect(synced).toEqual([]);
  });

  it('use the current text if it takes the same values, and otherwise wait for a person', async () => {
    const id = await tables.addJob(1);
    const edit = async (bodyText: string) => {
      promo = { ...promo, components: { ...promo.components, bodyText }, revisionId: uuidV7(), updatedAt: new Date() };
      await store.save({ ...promo, status: 'Pending' });
      await jobs.check();
      await report('Approved');
      await jobs.check();
    };
    await edit('Dear {{1}}, good news');
    expect(await job(id)).toMatchObject({ status: 'Queued', revision_id: promo.revisionId });
    const sent = promo.revisionId;
    await edit('Dear {{1}} and {{2}}, good news');
    expect(await job(id)).toMatchObject({ status: 'Paused', pause_problem: 'template_changed', revision_id: sent });
    expect((await job(id)).pause_reason).toContain('its values have changed');
    await jobs.check();
    expect(notified.filter((line) => line === `${id} template_changed`)).toHaveLength(1);
    expect((await job(id)).status).toBe('Paused');
  });

  it('are notified of a change immediately, and miss none without a notification', async () => {
    const id = await tables.addJob(1);
    await database.execute(
      `UPDATE templates SET status = 'Paused', status_changed_at = clock_timestamp() WHERE id = $1`,
      [promo.id],
    );
    jobs.start();
    try {
      await until(async () => (await job(id)).status === 'Paused');
      await report('Approved');
      await until(async () => (await job(id)).status === 'Queued');
    } finally {
      await jobs.stop();
    }
  });

  it('are unaffected by a rolled-back change', async () => {
    const id = await tables.addJob(1);
    const unitOfWork = new TypeOrmUnitOfWork(database);
    const undone = unitOfWork.run(async () => {
      await report('Paused');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await jobs.check();
    expect((await job(id)).status).toBe('Queued');
  });
});
