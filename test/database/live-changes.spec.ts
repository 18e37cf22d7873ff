import { unreadAuditLog } from '../support/audit';
import fc from 'fast-check';
import type { Database } from '../../src/infra/database/database';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { BulkJobDto } from '../../src/modules/bulk-jobs/adapters/bulk-jobs.dto';
import { PostgresBulkJobStore } from '../../src/modules/bulk-jobs/adapters/postgres-bulk-job-store';
import { type JobAction, STATUSES_THAT_ALLOW } from '../../src/modules/bulk-jobs/domain/bulk-job';
import type { UnitOfWork } from '../../src/kernel/unit-of-work';
import { BulkJobsService } from '../../src/modules/bulk-jobs/domain/bulk-jobs.service';
import type { SendForecasts } from '../../src/modules/bulk-jobs/domain/send-forecasts';
import type { TimeZones } from '../../src/modules/bulk-jobs/domain/time-zones.port';
import type { SendersService } from '../../src/modules/accounts/domain/senders.service';
import type { SenderSignal } from '../../src/modules/sending/domain/sender-signal';
import type { TemplatesService } from '../../src/modules/templates/domain/templates.service';
import { PostgresConversationStore } from '../../src/modules/chat-history/adapters/postgres-conversation-store';
import type { ConversationsService } from '../../src/modules/chat-history/domain/conversations.service';
import { START_DUE } from '../../src/modules/delivery/adapters/job-schedule.sql';
import * as lane from '../../src/modules/delivery/adapters/lane-jobs.sql';
import { RESUME } from '../../src/modules/delivery/adapters/template-jobs.sql';
import { LiveUpdates, MAX_UNREAD_CONVERSATIONS, type OpenStream } from '../../src/modules/live/adapters/live-updates';
import { describeOnDatabase } from '../support/databases';
import { SqlSendingTables } from '../support/sending-tables';

const TOTAL = 3;
const RUNS = 60;
const GO = { pause: 'Paused', resume: 'Resumed', cancel: 'Cancelled' } as const;

/** Whether two bodies are equal: the steps of these tests change the creation time, which nothing else does. */
function isEqual(one: object | undefined, other: object): boolean {
  return JSON.stringify({ ...one, createdAt: null }) === JSON.stringify({ ...other, createdAt: null });
}

/** A client of a stream that keeps the latest event of each job and conversation. */
class Client implements OpenStream {
  isReady = true;
  readonly jobs = new Map<string, object>();
  readonly unread = new Map<string, number>();
  /** The times of the latest messages in the events that have one. */
  readonly times = new Map<string, string>();
  close = (): void => {};

  send(text: string): void {
    for (const block of text.trimEnd().split('\n\n')) {
      const data = JSON.parse(/^data: (.*)$/m.exec(block)![1]!) as {
        jobId?: string;
        conversationId: string;
        unreadCount: number;
        lastMessageAt?: string;
      };
      if (data.jobId !== undefined) this.jobs.set(data.jobId, data);
      else this.unread.set(data.conversationId, data.unreadCount);
      if (data.lastMessageAt !== undefined) this.times.set(data.conversationId, data.lastMessageAt);
    }
  }

  end(): void {}
  onClose(handler: () => void): void {
    this.close = handler;
  }
}

describeOnDatabase('The stream of an account', (open) => {
  let database: Database;
  let store: PostgresBulkJobStore;
  let jobs: BulkJobsService;
  let tables: SqlSendingTables;
  let updates: LiveUpdates;
  let client: Client;

  beforeAll(async () => {
    database = await open();
    store = new PostgresBulkJobStore(database);
    jobs = new BulkJobsService(
      ...([store, new SystemClock(), {} as SenderSignal, {} as TemplatesService] as const),
      { giveUpAfterMs: 0, graceMs: 900_000 },
      ...([{} as SendForecasts, {} as UnitOfWork, {} as TimeZones, {} as SendersService, unreadAuditLog()] as const),
    );
  });

  async function newAccount(): Promise<void> {
    tables = new SqlSendingTables(database);
    await tables.addSender();
    const conversations = new PostgresConversationStore(database) as unknown as ConversationsService;
    updates = new LiveUpdates(jobs, conversations, new SystemClock());
    client = new Client();
    updates.watchAccount(tables.accountId, 'unread', client, null);
  }

  const execute = (sql: string, parameters: unknown[]) => database.execute(sql, parameters);
  const bodyOf = async (jobId: string) => BulkJobDto.of(await jobs.progress(tables.accountId, jobId));
  const act = (jobId: string, action: Exclude<JobAction, 'retry'>) =>
    store.change(tables.accountId, jobId, { from: STATUSES_THAT_ALLOW[action], to: GO[action], keyId: uuidV7() });
  let epoch = 1;
  const adopt = () => execute(lane.ADOPT_JOBS, [tables.senderId, ++epoch]);
  const schedule = (jobId: string, hours: number) =>
    execute(`UPDATE bulk_jobs SET scheduled_at = now() + $2 * interval '1 h' WHERE id = $1`, [jobId, hours]);

  /** Every statement that changes the state of a job, as issued by lanes, clients and maintenance. */
  const steps: Record<string, (jobId: string) => Promise<unknown>> = {
    pause: (jobId) => act(jobId, 'pause'),
    resume: (jobId) => act(jobId, 'resume'),
    cancel: (jobId) => act(jobId, 'cancel'),
    'schedule later': (jobId) => schedule(jobId, 5),
    'schedule now': (jobId) => schedule(jobId, -1),
    'remove the schedule': (jobId) => store.changeTiming(jobId, { scheduledAt: null }),
    'start what is due': () => execute(START_DUE, [10, 6, 'schedule_missed', 'missed']),
    'miss the schedule': async (jobId) => {
      await schedule(jobId, -7);
      await execute(START_DUE, [10, 6, 'schedule_missed', 'missed']);
    },
    claim: async (jobId) => {
      await adopt();
      const { cursor } = await tables.job(jobId);
      if (cursor <= TOTAL)
        await execute(lane.MOVE_CURSOR, [jobId, epoch, cursor, cursor + 1, cursor + 1, 0, null, null, false]);
    },
    'send the rest': async (jobId) => {
      for (let n = 0; n < TOTAL; n++) {
        await steps.claim!(jobId);
        await steps.accept!(jobId);
      }
      await steps.complete!(jobId);
    },
    accept: (jobId) => record(jobId, [1, 0, 0, 0, 0]),
    fail: (jobId) => record(jobId, [0, 1, 0, 0, 0]),
    'lose an answer': (jobId) => record(jobId, [0, 0, 0, 1, 1]),
    'prove late': async (jobId) => {
      const { failed, successfullySent, unknown } = await tables.job(jobId);
      if (unknown > 0 && failed > 0 && successfullySent < TOTAL)
        await execute(lane.ADD_TO_COUNTERS, [jobId, 1, -1, 0, -1, 0]);
    },
    'end the grace': async (jobId) => {
      const { unknownInGrace } = await tables.job(jobId);
      if (unknownInGrace > 0) await execute(lane.ADD_TO_COUNTERS, [jobId, 0, 1, 0, 0, -1]);
    },
    'stop for its template': async (jobId) => {
      await adopt();
      await execute(lane.STOP, [jobId, epoch, false, 'template_paused', 'paused']);
    },
    'fail for good': async (jobId) => {
      await adopt();
      await execute(lane.STOP, [jobId, epoch, true, 'template_disabled', 'disabled']);
    },
    'resume for its template': (jobId) => execute(RESUME, [jobId, tables.revisionId, null]),
    'put at rest': async (jobId) => {
      await adopt();
      await execute(lane.PUT_AT_REST, [[jobId], epoch]);
    },
    complete: async (jobId) => {
      await adopt();
      await execute(lane.COMPLETE, [jobId, epoch]);
    },
    'wait two minutes': () =>
      execute(
        `UPDATE bulk_jobs SET created_at = created_at - interval '2 min', paused_at = paused_at - interval '2 min',
           changed_at = changed_at - interval '2 min', updated_at = updated_at - interval '2 min' WHERE account_id = $1`,
        [tables.accountId],
      ),
  };

  async function record(jobId: string, counters: number[]): Promise<void> {
    const { cursor, successfullySent, failed, unknownInGrace } = await tables.job(jobId);
    if (successfullySent + failed + unknownInGrace < cursor - 1)
      await execute(lane.ADD_TO_COUNTERS, [jobId, ...counters]);
  }

  it('receives every change of a job, by any statement, and for a slow reader once it is ready', async () => {
    const step = fc.record({ job: fc.constantFrom(0, 1), name: fc.constantFrom(...Object.keys(steps)) });
    const poll = fc.constantFrom('poll', 'poll', 'poll', 'stop reading', 'read again');
    const way = fc.array(fc.oneof({ weight: 2, arbitrary: step }, { weight: 1, arbitrary: poll }), { maxLength: 40 });
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(way, async (moves) => {
        await newAccount();
        const jobs = [await tables.addJob(TOTAL), await tables.addJob(TOTAL, { status: 'Scheduled', atRest: true })];
        await execute(`UPDATE bulk_jobs SET scheduled_at = now() + interval '1 h' WHERE id = $1`, [jobs[1]]);
        const before = new Map<string, object>();
        await updates.poll();
        for (const jobId of jobs) before.set(jobId, await bodyOf(jobId));
        for (const move of [...moves, 'read again' as const]) {
          if (typeof move === 'object') await steps[move.name]!(jobs[move.job]!);
          if (move === 'stop reading') client.isReady = false;
          if (move === 'read again') client.isReady = true;
          if (typeof move === 'object') continue;
          await updates.poll();
          if (!client.isReady) continue;
          for (const jobId of jobs) {
            const body = await bodyOf(jobId);
            seen.add(body.status);
            if (!isEqual(before.get(jobId), body))
              expect(client.jobs.get(jobId)).toEqual({ ...body, createdAt: expect.any(String) });
            before.set(jobId, body);
          }
        }
      }),
      { numRuns: RUNS, seed: 21 },
    );
    expect([...seen].sort()).toEqual(
      ['Cancelled', 'Completed', 'Failed', 'Paused', 'Processing', 'Queued', 'Scheduled'].sort(),
    );
  });

  it.each([
    [
      'resumed before its schedule',
      ['pause', 'schedule later', 'put at rest', 'wait two minutes', 'poll', 'resume', 'put at rest'],
    ],
    [
      'settled by a late proof',
      ['claim', 'lose an answer', 'cancel', 'end the grace', 'complete', 'wait two minutes', 'poll', 'prove late'],
    ],
    [
      'settled while it is paused',
      ['claim', 'lose an answer', 'pause', 'wait two minutes', 'poll', 'end the grace', 'put at rest'],
    ],
  ])('reports that an old job is %s', async (_, moves) => {
    await newAccount();
    const jobId = await tables.addJob(TOTAL);
    for (const move of moves) await (move === 'poll' ? updates.poll() : steps[move]!(jobId));
    const before = client.jobs.get(jobId);
    await updates.poll();
    expect(isEqual(client.jobs.get(jobId), await bodyOf(jobId))).toBe(true);
    expect(client.jobs.get(jobId)).not.toEqual(before);
  });

  it('reports the progress of every job of a sender with hundreds, as they take turns', async () => {
    await newAccount();
    const jobs: string[] = [];
    for (let n = 0; n < 150; n++)
      jobs.push(await tables.addJob(1, { status: 'Processing', cursor: 2, settledBelow: 2 }));
    await steps['wait two minutes']!(jobs[0]!);
    await updates.poll();
    for (const jobId of [jobs[0]!, jobs[149]!]) await steps.accept!(jobId);
    await updates.poll();
    for (const jobId of [jobs[0]!, jobs[149]!]) expect(client.jobs.get(jobId)).toMatchObject({ successfullySent: 1 });
  });

  it('continues when another listener of the account leaves', async () => {
    await newAccount();
    const jobId = await tables.addJob(TOTAL);
    const leaving = new Client();
    updates.watchAccount(tables.accountId, 'unread', leaving, null);
    await updates.poll();
    leaving.close();
    await steps.pause!(jobId);
    await updates.poll();
    const statuses = [client, leaving].map(({ jobs }) => jobs.get(jobId));
    expect(statuses).toMatchObject([{ status: 'Paused' }, { status: 'Queued' }]);
  });

  describe('of conversations', () => {
    beforeEach(newAccount);

    async function newConversation(secondsAgo: number): Promise<string> {
      const id = uuidV7();
      await execute(
        `INSERT INTO conversations (id, account_id, contact_phone, last_message_id, last_message_at, last_direction, unread_count)
         VALUES ($1, $2, '4915123456789', $1, now() - $3 * interval '1 s', 'Inbound', 2)`,
        [id, tables.accountId, secondsAgo],
      );
      return id;
    }
    const read = (id: string) => execute('UPDATE conversations SET unread_count = 0 WHERE id = $1', [id]);

    it('reports that one was read, also while not ready', async () => {
      const id = await newConversation(5);
      const other = await newConversation(4);
      await updates.poll();
      client.isReady = false;
      await read(id);
      await updates.poll();
      await updates.poll();
      expect(client.unread.get(id)).toBe(2);
      client.isReady = true;
      await updates.poll();
      expect([client.unread.get(id), client.unread.get(other)]).toEqual([0, 2]);
    });

    it('reports that one was deleted, with the time of its latest message on request', async () => {
      const timed = new Client();
      updates.watchAccount(tables.accountId, 'unread with times', timed, null);
      const id = await newConversation(5);
      await updates.poll();
      const at = timed.times.get(id);
      timed.times.clear();
      await execute('DELETE FROM conversations WHERE id = $1', [id]);
      await updates.poll();
      expect([client.unread.get(id), timed.unread.get(id)]).toEqual([0, 0]);
      expect(at).toEqual(expect.any(String));
      expect([timed.times.get(id), client.times.size]).toEqual([at, 0]);
    });

    it('omits them for a key that may not read messages, beside a listener that may', async () => {
      const restricted = new Client();
      updates.watchAccount(tables.accountId, 'none', restricted, null);
      const jobId = await tables.addJob(TOTAL);
      const id = await newConversation(5);
      await updates.poll();
      expect([client.unread.get(id), restricted.unread.size]).toEqual([2, 0]);
      expect([client, restricted].map(({ jobs }) => [...jobs.keys()])).toEqual([[jobId], [jobId]]);
    });

    it('reports a read one beyond those that the stream begins with', async () => {
      const ids: string[] = [];
      for (let n = 0; n < MAX_UNREAD_CONVERSATIONS; n++) ids.push(await newConversation(1000 - n));
      await updates.poll();
      const [oldest, next] = ids as [string, string];
      await read(oldest);
      const added = [await newConversation(2), await newConversation(1)];
      await updates.poll();
      expect(client.unread.get(oldest)).toBe(0);
      expect(added.map((id) => client.unread.get(id))).toEqual([2, 2]);
      await updates.poll();
      // Newer ones have displaced it from those with which a stream begins.
      await read(next);
      await updates.poll();
      expect(client.unread.get(next)).toBe(0);
    });
  });
});
