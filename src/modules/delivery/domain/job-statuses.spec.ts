import { FakeClock } from '../../../../test/fakes/fake-clock';
import type { UnitOfWork } from '../../../kernel/unit-of-work';
import type { MessageStatus } from '../../messages/domain/message';
import type { FailureScope, StatusChange } from '../../messages/domain/status-update';
import { SenderSignal } from '../../sending/domain/sender-signal';
import type { JobStatusStore } from './job-status-store.port';
import type { JobStop } from './job-stop';
import type { LaneTelemetry, NamedJob } from './lane-telemetry';
import type { Recorder } from './recorder';
import { deltasOf, JobStatuses } from './job-statuses';

const PAYMENT = { code: 'payment_problem', message: 'The payment failed', platformCode: 131042 };
const REASON =
  'The platform refuses to send: The payment failed (platform code 131042). Fix the cause, then resume the job.';

describe('Failure reports of a job', () => {
  let stopped: [string, JobStop][];
  let told: string[];
  let commit: () => void;
  let runs: boolean;
  let away: boolean;
  let stops: JobStatuses;
  const change = (
    jobId: string | null,
    problem: StatusChange['problem'],
    scope: FailureScope | null = problem && 'job',
  ): StatusChange => ({
    messageId: 'message',
    accountId: 'account',
    jobId,
    before: 'Sent',
    after: problem === null ? 'Delivered' : 'Undelivered',
    problem,
    scope,
    at: new Date(),
  });
  const settled = () => new Promise((done) => setImmediate(done));

  beforeEach(() => {
    stopped = [];
    told = [];
    runs = true;
    away = false;
    const actions: (() => void)[] = [];
    commit = () => actions.splice(0).forEach((action) => action());
    const store = {
      addDeltas: () => Promise.resolve(),
      stop: (...job: [string, JobStop]) => {
        if (away) return Promise.reject(new Error('away'));
        stopped.push(job);
        return Promise.resolve(runs ? { id: job[0], accountId: 'account' } : null);
      },
    } as unknown as JobStatusStore;
    const telemetry = {
      stopped: ({ id }: NamedJob) => told.push(`stopped ${id}`),
      failed: () => told.push('failed'),
    } as unknown as LaneTelemetry;
    const unitOfWork = { afterCommit: (action: () => void) => actions.push(action) } as unknown as UnitOfWork;
    stops = new JobStatuses(store, {} as Recorder, new SenderSignal(), unitOfWork, new FakeClock(), telemetry);
  });

  it('pause the job once, with the reason, after they are committed', async () => {
    await stops.apply([change('job', PAYMENT), change('job', PAYMENT), change('other', null), change(null, PAYMENT)]);
    expect(stopped).toEqual([]);
    commit();
    await settled();
    expect(stopped).toEqual([['job', { final: false, problem: 'payment_problem', reason: REASON }]]);
    expect(told).toEqual(['stopped job']);
  });

  describe('in a row', () => {
    const MEDIA = { code: 'media_unusable', message: 'No image', platformCode: 131053 };
    const failures = (count: number, scope: FailureScope = 'message', jobId = 'job') =>
      Array.from({ length: count }, () => change(jobId, MEDIA, scope));
    const committed = async (...changes: StatusChange[]) => {
      await stops.apply(changes);
      commit();
      await settled();
    };

    it('pause the job at the 20th failure without a delivery in between, across webhooks', async () => {
      await committed(...failures(10));
      await committed(...failures(9), ...failures(19, 'message', 'other'));
      expect(stopped).toEqual([]);
      await committed(...failures(1));
      const reason =
        'The platform refused 20 consecutive messages, the last one with: No image (platform code 131053). Fix the ' +
        'cause, then resume the job.';
      expect(stopped).toEqual([['job', { final: false, problem: 'refusals_in_row', reason }]]);
      await committed(...failures(19));
      expect(stopped).toHaveLength(1);
    });

    it('are counted from 0 after a delivery, without failures of one recipient', async () => {
      await committed(...failures(19), change('job', null), ...failures(19), ...failures(100, 'recipient'));
      expect(stopped).toEqual([]);
      await committed(...failures(1));
      expect(stopped).toHaveLength(1);
    });

    it('count only once they are committed', async () => {
      await stops.apply(failures(20));
      expect(stopped).toEqual([]);
    });
  });

  it('do not change a job that is no longer running', async () => {
    runs = false;
    await stops.apply([change('job', PAYMENT)]);
    commit();
    await settled();
    expect(told).toEqual([]);
  });

  it('throw nothing if the database is unavailable when they are applied', async () => {
    away = true;
    await stops.apply([change('job', PAYMENT)]);
    commit();
    await settled();
    expect(told).toEqual(['failed']);
  });
});

const counted = (before: MessageStatus, after: MessageStatus, jobId: string | null = 'job'): StatusChange => ({
  messageId: 'message',
  accountId: 'account',
  jobId,
  before,
  after,
  problem: null,
  scope: null,
  at: new Date(),
});

describe('The counter changes of statuses', () => {
  it.each<[MessageStatus, MessageStatus, number, number, number]>([
    ['Sent', 'Delivered', 1, 0, 0],
    ['Delivered', 'Read', 0, 1, 0],
    ['Sent', 'Read', 1, 1, 0],
    ['Sent', 'Undelivered', 0, 0, 1],
    ['Undelivered', 'Delivered', 1, 0, -1],
    ['Undelivered', 'Read', 1, 1, -1],
  ])('are correct for %s to %s', (before, after, delivered, read, undelivered) => {
    expect(deltasOf([counted(before, after)])).toEqual([{ jobId: 'job', delivered, read, undelivered }]);
  });

  it('are summed by job, without single sends', () => {
    const changes = [
      counted('Sent', 'Delivered'),
      counted('Sent', 'Read'),
      counted('Sent', 'Undelivered', 'other'),
      counted('Sent', 'Read', null),
    ];

    expect(deltasOf(changes)).toEqual([
      { jobId: 'job', delivered: 2, read: 1, undelivered: 0 },
      { jobId: 'other', delivered: 0, read: 0, undelivered: 1 },
    ]);
  });

  it('are omitted if they cancel each other out', () => {
    expect(deltasOf([counted('Sent', 'Undelivered'), counted('Undelivered', 'Sent')])).toEqual([]);
  });
});
