import type { BulkJobStatusDto } from '../../../libs/client/generated/types.gen';
import { anotherAccount, type OtherAccount } from '../../support/process/accounts';
import {
  detailOf,
  ended,
  listOf,
  newPhones,
  phone,
  progressOf,
  recipientsOf,
  sendTo,
  settled,
} from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { Platform } from '../../support/process/platform';
import { type Service, startService, until } from '../../support/process/service';

const UNKNOWN_ID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12';
/** The six fields of the specification, and the reason of a wait. */
const STATUS_FIELDS = 'jobId status totalRecipients successfullySent failed progressPercentage throttled'.split(' ');

interface JobPage {
  items: (BulkJobStatusDto & { createdAt: string })[];
}

describe('A bulk job', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;
  let other: OtherAccount;

  beforeAll(async () => {
    platform = await Platform.start({ autoCreateSenders: true });
    service = await startService({ platformUrl: platform.url, env: { MESSAGES_PER_SECOND: '200' } });
    client = new Client(service);
    other = await anotherAccount(client);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  /** Numbers used by no other test of this file. */
  const fresh = newPhones();
  const act = (jobId: string, action: string, key?: string) =>
    client.post(`/bulk-jobs/${jobId}/${action}`, undefined, { key });
  const list = async (query: string, key?: string): Promise<JobPage> =>
    (await client.get(`/bulk-jobs${query}`, { key })).body as JobPage;
  const idsOf = (body: JobPage) => body.items.map(({ jobId }) => jobId);

  describe('while it runs', () => {
    it('has the six fields of the specification and the reason of a wait as its status', async () => {
      const jobId = await sendTo(client, fresh(3));
      expect(Object.keys(await progressOf(client, jobId)).sort()).toEqual([...STATUS_FIELDS].sort());
      await ended(client, jobId);
      expect(await progressOf(client, jobId)).toEqual({
        jobId,
        status: 'Completed',
        totalRecipients: 3,
        successfullySent: 3,
        failed: 0,
        progressPercentage: 100,
        throttled: null,
      });
    });

    it('counts upwards, is below 100 percent until done, and adds up in the end', async () => {
      const numbers = fresh(600);
      const rows = numbers.map((to, index) => (index % 10 === 0 ? `bad${index}` : to));
      const jobId = await sendTo(client, rows);
      const seen: BulkJobStatusDto[] = [];
      await until(
        async () => {
          const now = await progressOf(client, jobId);
          seen.push(now);
          return now.status === 'Completed';
        },
        20_000,
        'the job is completed',
      );
      const running = seen.filter(({ status }) => status !== 'Completed');
      expect(running.length).toBeGreaterThan(5);
      expect(new Set(seen.map(({ status }) => status))).toEqual(
        new Set([...(seen[0]!.status === 'Queued' ? ['Queued'] : []), 'Processing', 'Completed']),
      );
      for (const [index, { successfullySent, failed, progressPercentage, status }] of seen.entries()) {
        const before = seen[index - 1];
        expect(successfullySent).toBeGreaterThanOrEqual(before?.successfullySent ?? 0);
        expect(failed).toBeGreaterThanOrEqual(before?.failed ?? 60);
        const share = Math.floor(((successfullySent + failed) * 1000) / 600) / 10;
        expect(progressPercentage).toBe(status === 'Completed' ? 100 : Math.min(99.9, share));
      }
      expect(seen.at(-1)).toMatchObject({ successfullySent: 540, failed: 60, progressPercentage: 100 });
    });

    it('shows in its detail what is left, its speed and its expected end', async () => {
      const jobId = await sendTo(client, fresh(500), { reference: 'detail' });
      await settled(client, jobId, 100);
      const job = await detailOf(client, jobId);
      expect(job).toEqual({
        ...{ jobId, status: 'Processing', totalRecipients: 500, successfullySent: expect.any(Number), failed: 0 },
        ...{
          progressPercentage: expect.any(Number),
          kind: 'Import',
          templateName: 'hello_world',
          languageCode: 'en_US',
        },
        ...{ reference: 'detail', createdAt: expect.any(String), startedAt: expect.any(String), completedAt: null },
        ...{
          name: null,
          fileName: 'list.csv',
          groupId: null,
          retryOf: null,
          validUntil: null,
          pending: expect.any(Number),
          delivered: expect.any(Number),
        },
        ...{ read: expect.any(Number), undelivered: 0, skipped: 0, unknown: 0, invalidRows: 0, duplicateRows: 0 },
        ...{ throttled: null, pauseReason: null, error: null, ratePerSecond: expect.any(Number) },
        ...{ pausedAt: null, createdBy: { keyId: expect.any(String), keyName: expect.any(String) } },
        ...{ requestId: expect.any(String), pausedBy: null, cancelledBy: null },
        ...{ recipientsExpiredAt: null, scheduledAt: null, sendWindow: null },
        ...{ estimatedCompletionAt: expect.any(String), allowedActions: ['pause', 'cancel'] },
      });
      expect(job.pending).toBe(500 - job.successfullySent);
      expect(job.ratePerSecond).toBeGreaterThan(1);
      expect(Date.parse(job.estimatedCompletionAt!)).toBeGreaterThan(Date.parse(job.createdAt));
      const done = await ended(client, jobId);
      expect(done).toMatchObject({ pending: 0, allowedActions: [], estimatedCompletionAt: null });
      expect(Date.parse(done.completedAt!)).toBeGreaterThanOrEqual(Date.parse(done.startedAt!));
      expect(Date.parse(done.startedAt!)).toBeGreaterThanOrEqual(Date.parse(done.createdAt));
    });
  });

  describe('in the list', () => {
    it('is found by status, kind and time, newest first, page by page', async () => {
      const start = new Date().toISOString();
      const jobIds: string[] = [];
      for (let job = 0; job < 5; job++) jobIds.push(await sendTo(client, fresh(1), { reference: `list ${job}` }));
      const newestFirst = [...jobIds].reverse();
      for (const jobId of jobIds) await ended(client, jobId);
      const since = `createdAfter=${start}`;

      const all = await list(`?${since}`);
      expect(all).toMatchObject({ page: 1, pageSize: 20, totalCount: 5, totalPages: 1 });
      expect(idsOf(all)).toEqual(newestFirst);
      const more = ['kind', 'templateName', 'languageCode', 'name', 'reference'];
      const times = ['createdAt', 'startedAt', 'completedAt'];
      expect(Object.keys(all.items[0]!).sort()).toEqual([...STATUS_FIELDS, ...more, ...times].sort());

      expect(idsOf(await list(`?${since}&pageSize=2&page=1`))).toEqual(newestFirst.slice(0, 2));
      expect(idsOf(await list(`?${since}&pageSize=2&page=3`))).toEqual(newestFirst.slice(4));
      expect(await list(`?${since}&pageSize=2&page=4`)).toEqual({
        items: [],
        page: 4,
        pageSize: 2,
        totalCount: 5,
        totalPages: 3,
      });

      expect(idsOf(await list(`?${since}&status=Completed&kind=Import`))).toEqual(newestFirst);
      expect(idsOf(await list(`?${since}&status=Paused`))).toEqual([]);
      expect(idsOf(await list(`?${since}&kind=Group`))).toEqual([]);
      expect(idsOf(await list(`?createdBefore=${start}&pageSize=100`))).not.toEqual(expect.arrayContaining(jobIds));
      expect(idsOf(await list(`?createdAfter=${all.items[1]!.createdAt}`))).toEqual(newestFirst.slice(0, 2));
      expect(idsOf(await list(`?${since}&createdBefore=${all.items[1]!.createdAt}`))).toEqual(newestFirst.slice(2));
    });

    it('rejects an invalid page, size or filter', async () => {
      for (const query of [
        'page=0',
        'page=-1',
        'page=1.5',
        'page=x',
        'pageSize=0',
        'pageSize=101',
        'pageSize=',
        'status=processing',
        'kind=import',
        'createdAfter=yesterday',
        'createdBefore=2026-02-30',
        'limit=5',
        'page=1&page=2',
      ]) {
        const answer = await client.get(`/bulk-jobs?${query}`);
        expect([query, answer.status, answer.body.code]).toEqual([query, 400, 'validation_failed']);
      }
      const both = await client.get('/bulk-jobs?page=0&pageSize=1000');
      expect(both.body.errors).toMatchObject([{ field: 'page' }, { field: 'pageSize' }]);
    });
  });

  describe('of another account', () => {
    it('does not exist', async () => {
      const theirs = await sendTo(client, fresh(2), {}, other.key);
      const ours = await sendTo(client, fresh(2));
      await ended(client, theirs, 20_000, other.key);
      await ended(client, ours);
      expect(idsOf(await list('', other.key))).toEqual([theirs]);
      expect(idsOf(await list('?pageSize=100'))).not.toContain(theirs);
      for (const id of [theirs, UNKNOWN_ID, 'no-uuid', '1']) {
        for (const path of ['', '/status', '/recipients']) {
          const answer = await client.get(`/bulk-jobs/${id}${path}`);
          expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'job_not_found']);
        }
        for (const action of ['pause', 'resume', 'cancel']) {
          const answer = await act(id, action);
          expect([answer.status, answer.body.code]).toEqual([404, 'job_not_found']);
        }
      }
    });
  });

  describe('with its recipients', () => {
    it('lists them in the order of the file, by pages, by status and by error code', async () => {
      const numbers = fresh(120);
      const undeliverable = '491520990002';
      const rows = [...numbers, 'wrong 1', undeliverable, 'wrong 2'];
      const jobId = await sendTo(client, rows);
      await ended(client, jobId);

      const first = (await client.get(`/bulk-jobs/${jobId}/recipients`)).body;
      expect(first.items).toHaveLength(50);
      expect(first.items[0]).toEqual({
        ...{ rowNumber: 2, phone: numbers[0], parameters: [], errorCode: null, errorMessage: null, platformCode: null },
        ...{ status: expect.stringMatching(/^(Sent|Delivered|Read)$/), messageId: expect.any(String) },
        ...{ platformMessageId: expect.stringMatching(/^wamid\./), attempts: 1, updatedAt: expect.any(String) },
      });
      expect((await recipientsOf(client, jobId)).map(({ rowNumber }) => rowNumber)).toEqual(
        rows.map((_, index) => index + 2),
      );

      const failed = await recipientsOf(client, jobId, { status: 'Failed' });
      expect(
        failed.map((recipient) => [
          recipient.rowNumber,
          recipient.phone,
          recipient.errorCode,
          recipient.platformCode,
          recipient.attempts,
        ]),
      ).toEqual([
        [122, 'wrong 1', 'phone_invalid', null, 0],
        [123, undeliverable, expect.any(String), 131026, 1],
        [124, 'wrong 2', 'phone_invalid', null, 0],
      ]);
      expect(failed.every(({ errorMessage }) => errorMessage)).toBe(true);
      expect(failed[0]!.messageId).toBeNull();
      expect(
        (await recipientsOf(client, jobId, { errorCode: 'phone_invalid' })).map(({ rowNumber }) => rowNumber),
      ).toEqual([122, 124]);
      expect(await recipientsOf(client, jobId, { status: 'Skipped' })).toEqual([]);
      expect(await recipientsOf(client, jobId, { errorCode: 'expired' })).toEqual([]);
    });

    it('lists untried recipients as Pending', async () => {
      const jobId = await sendTo(client, fresh(300));
      await settled(client, jobId, 20);
      await act(jobId, 'pause');
      const pending = await recipientsOf(client, jobId, { status: 'Pending' });
      expect(pending.length).toBeGreaterThan(100);
      expect(pending.at(-1)).toMatchObject({ rowNumber: 301, attempts: 0, messageId: null, platformMessageId: null });
      await act(jobId, 'cancel');
    });

    it('rejects an invalid cursor, limit or filter', async () => {
      const jobId = await sendTo(client, fresh(1));
      for (const query of ['cursor=x', 'cursor=-1', 'limit=0', 'limit=201', 'status=sent', 'errorCode=A B', 'page=1']) {
        const answer = await client.get(`/bulk-jobs/${jobId}/recipients?${query}`);
        expect([query, answer.status, answer.body.code]).toEqual([query, 400, 'validation_failed']);
      }
    });
  });

  describe('under control', () => {
    const stopsAt = async (jobId: string) => {
      let before = -1;
      await until(
        async () => {
          const { successfullySent } = await progressOf(client, jobId);
          const still = successfullySent === before;
          before = successfullySent;
          await new Promise((done) => setTimeout(done, 400));
          return still;
        },
        5000,
        'nothing more is sent',
      );
      return before;
    };

    it('stops when paused and continues when resumed, and reaches everyone once', async () => {
      const numbers = fresh(600);
      const jobId = await sendTo(client, numbers);
      await settled(client, jobId, 50);
      const paused = await act(jobId, 'pause');
      expect([paused.status, paused.body.status, paused.body.allowedActions]).toEqual([
        200,
        'Paused',
        ['resume', 'cancel'],
      ]);
      expect(paused.body.pauseReason).toMatchObject({ code: 'paused_by_client' });
      const stopped = await stopsAt(jobId);
      expect(stopped).toBeLessThan(400);
      expect(await progressOf(client, jobId)).toMatchObject({
        status: 'Paused',
        progressPercentage: Math.floor((stopped * 1000) / 600) / 10,
      });
      const resumed = await act(jobId, 'resume');
      expect([resumed.status, resumed.body.status, resumed.body.pauseReason]).toEqual([200, 'Processing', null]);
      expect(await ended(client, jobId)).toMatchObject({ status: 'Completed', successfullySent: 600, failed: 0 });
      const wanted = new Set(numbers);
      expect((await platform.accepted()).filter((to) => wanted.has(to)).sort()).toEqual([...numbers].sort());
    });

    it('counts recipients omitted by a cancellation as failed, and shows them as Cancelled', async () => {
      const numbers = fresh(600);
      const jobId = await sendTo(client, ['wrong 1', ...numbers, 'wrong 2']);
      await settled(client, jobId, 50);
      const cancelled = await act(jobId, 'cancel');
      expect([cancelled.status, cancelled.body.status, cancelled.body.allowedActions]).toEqual([
        200,
        'Cancelled',
        ['retry'],
      ]);
      const job = await ended(client, jobId);
      expect(job).toMatchObject({ status: 'Cancelled', totalRecipients: 602, progressPercentage: 100, pending: 0 });
      expect(job.successfullySent + job.failed).toBe(602);
      const wanted = new Set(numbers);
      const accepted = (await platform.accepted()).filter((to) => wanted.has(to));
      expect(accepted).toHaveLength(job.successfullySent);
      expect(accepted.length).toBeLessThan(500);
      const recipients = await recipientsOf(client, jobId);
      expect(recipients.filter(({ status }) => ['Sent', 'Delivered', 'Read'].includes(status))).toHaveLength(
        job.successfullySent,
      );
      const never = recipients.filter(({ status }) => status === 'Cancelled');
      expect(never).toHaveLength(600 - job.successfullySent);
      expect(new Set(never.map(({ errorCode }) => errorCode))).toEqual(new Set(['cancelled']));
      expect(
        recipients.filter(({ errorCode }) => errorCode === 'phone_invalid').map(({ rowNumber }) => rowNumber),
      ).toEqual([2, 603]);
      expect(await recipientsOf(client, jobId, { status: 'Cancelled' })).toHaveLength(never.length);
    });

    it('can be cancelled while paused', async () => {
      const jobId = await sendTo(client, fresh(400));
      await act(jobId, 'pause');
      expect((await act(jobId, 'cancel')).body.status).toBe('Cancelled');
      const job = await ended(client, jobId);
      expect(job.successfullySent + job.failed).toBe(400);
    });

    it('rejects actions that its state does not allow, and names those allowed', async () => {
      const jobId = await sendTo(client, fresh(400));
      const refused = async (action: string) => {
        const { status, body } = await act(jobId, action);
        return [status, body.code, body.currentStatus, body.allowedActions] as unknown[];
      };
      const now = (await progressOf(client, jobId)).status;
      expect((await refused('resume')).slice(0, 2)).toEqual([409, 'invalid_job_state']);
      expect(['Queued', 'Processing']).toContain(now);
      await act(jobId, 'pause');
      expect(await refused('pause')).toEqual([409, 'invalid_job_state', 'Paused', ['resume', 'cancel']]);
      await act(jobId, 'cancel');
      for (const action of ['pause', 'resume', 'cancel']) {
        expect(await refused(action)).toEqual([409, 'invalid_job_state', 'Cancelled', ['retry']]);
      }
      const done = await sendTo(client, [phone(9_999_999)]);
      await ended(client, done);
      const answer = await act(done, 'cancel');
      expect(answer.body).toMatchObject({ statusCode: 409, currentStatus: 'Completed', allowedActions: [] });
    });

    it('needs the scope jobs:manage, and jobs:read to be read', async () => {
      const keyOf = async (...scopes: string[]) => {
        const { body } = await client.post(`/accounts/${other.id}/api-keys`, { name: scopes.join(), scopes });
        return body.key as string;
      };
      const jobId = await sendTo(client, fresh(1), {}, other.key);
      const reader = await keyOf('jobs:read');
      const otherAccount = await keyOf('groups:read');
      expect((await client.get(`/bulk-jobs/${jobId}/status`, { key: reader })).status).toBe(200);
      expect((await act(jobId, 'pause', reader)).body).toMatchObject({ statusCode: 403, requiredScope: 'jobs:manage' });
      expect((await client.get('/bulk-jobs', { key: otherAccount })).body).toMatchObject({
        statusCode: 403,
        requiredScope: 'jobs:read',
      });
      expect((await client.upload(listOf([phone(1)]), { templateName: 'hello_world' }, { key: reader })).status).toBe(
        403,
      );
    });
  });
});
