import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { Database } from '../../src/infra/database/database';
import type { DatabaseIdentity } from '../../src/infra/database/database-identity';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresBulkJobStore } from '../../src/modules/bulk-jobs/adapters/postgres-bulk-job-store';
import { PostgresJobIntakeStore } from '../../src/modules/bulk-jobs/adapters/postgres-job-intake-store';
import type { JobTransition } from '../../src/modules/bulk-jobs/domain/bulk-job-store.port';
import type { JobDraft } from '../../src/modules/bulk-jobs/domain/job-intake-store.port';
import { START_DUE } from '../../src/modules/delivery/adapters/job-schedule.sql';
import * as status from '../../src/modules/delivery/adapters/job-status.sql';
import { MARK_CLOSED, WAKE_OPEN } from '../../src/modules/delivery/adapters/job-windows.sql';
import * as lane from '../../src/modules/delivery/adapters/lane-jobs.sql';
import { RELEASE_LANE, SHOW_THROTTLE, TAKE_LANE } from '../../src/modules/delivery/adapters/lane-leases.sql';
import { PostgresRestoredDatabase } from '../../src/modules/delivery/adapters/postgres-restored-database';
import { RESUME } from '../../src/modules/delivery/adapters/template-jobs.sql';
import { PostgresWebhookEndpointStore } from '../../src/modules/events/adapters/postgres-webhook-endpoint-store';
import { WebhookSecrets } from '../../src/modules/events/adapters/webhook-secrets';
import { EVENT_TYPES } from '../../src/modules/events/domain/event';
import { describeOnDatabase } from '../support/databases';
import { jobStatements, jobStatementsIn } from '../support/job-statements';
import { SqlSendingTables } from '../support/sending-tables';
import { waitingBodies } from '../support/waiting-events';

/** One use of a statement on a job of one recipient, and the events that it causes. */
interface Case {
  /** SQL that is set on the job before. */
  job: string;
  /** SQL that is set on the lane before; none: there is no lane. */
  lane?: string;
  run(jobId: string): Promise<unknown>;
  /** The type of each event and the code of its reason. */
  events: [type: string, reason: string | null][];
}

interface JobEvent {
  type: string;
  data: { jobId: string; reason: { code: string } | null };
}

const EPOCH = 1;
const OWNER = uuidV7();
const STARTED = `started_at = now(), lane_epoch = ${EPOCH}, cursor = 2, settled_below = 2`;
const RUNNING = `status = 'Processing', ${STARTED}`;
const OPENED = `${RUNNING}, at_rest = true, window_opens_at = now() - interval '1 s'`;
/** Open for some hours, three days from now. */
const CLOSED = `send_from = '09:00', send_until = '18:00', send_zone = 'UTC',
  send_days = ARRAY[(extract(isodow FROM now() AT TIME ZONE 'UTC')::int + 2) % 7 + 1]::smallint[]`;
const WAITING = `epoch = ${EPOCH}, lease_until = now() + interval '1 h', throttled_reason = 'platform_outage', throttled_until = now()`;
const OUTAGE: Case['events'] = [['job.throttled', 'platform_outage']];
const TRIGGERS = [
  ['bulk_jobs', 'bulk_jobs_add_events'],
  ['bulk_jobs', 'bulk_jobs_add_wait_event'],
  ['bulk_jobs', 'bulk_jobs_add_wait_event_awake'],
  ['sender_lanes', 'sender_lanes_add_wait_events'],
] as const;

class Undo extends Error {}

describeOnDatabase('Statements that change jobs', (open) => {
  let database: Database;
  let tables: SqlSendingTables;
  const checks = new Map<string, ValidateFunction>();

  beforeAll(async () => {
    database = await open();
    const document = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as object;
    const ajv = addFormats(new Ajv2020({ strict: false })).addSchema(document, 'api');
    for (const type of EVENT_TYPES) {
      const path = `webhooks/${type}/post/requestBody/content/application~1json/schema`;
      checks.set(type, ajv.compile({ $ref: `api#/${path}` }));
    }
  });

  const execute = (sql: string, ...parameters: unknown[]) => database.execute(sql, parameters);
  const stop = (text: string, final: boolean, code: string): Case => ({
    job: RUNNING,
    run: (id) => execute(text, id, ...(text === lane.STOP ? [EPOCH] : []), final, code, 'Reason.'),
    events: [[final ? 'job.failed' : 'job.paused', code]],
  });
  const change = (to: JobTransition['to'], from: JobTransition['from'][number], more: Omit<Case, 'run'>): Case => ({
    ...more,
    run: (id) => new PostgresBulkJobStore(database).change(tables.accountId, id, { from: [from], to, keyId: uuidV7() }),
  });
  const publish = (hold: boolean, more: Omit<Case, 'run' | 'job'>): Case => ({
    ...more,
    job: `status = 'Importing', import_owner = '${OWNER}'`,
    run: (id) => {
      const totals = { totalRecipients: 1, invalidRows: 0, duplicateRows: 0 };
      return new PostgresJobIntakeStore(database).publish({ id, hold } as JobDraft, OWNER, totals, new Date());
    },
  });

  /** By statement, as `jobStatements` names them. */
  const CASES: Record<string, Case[]> = {
    'job-schedule.START_DUE': [
      {
        job: `status = 'Scheduled', scheduled_at = now() - interval '1 min'`,
        lane: WAITING,
        run: () => execute(START_DUE, 1000, 6, 'schedule_missed', 'Reason.'),
        events: OUTAGE,
      },
      {
        job: `status = 'Scheduled', scheduled_at = now() - interval '7 h'`,
        run: () => execute(START_DUE, 1000, 6, 'schedule_missed', 'Reason.'),
        events: [['job.failed', 'schedule_missed']],
      },
    ],
    'job-status.EXPIRE_PAUSES': [
      {
        job: `status = 'Paused', paused_at = now() - interval '31 days'`,
        run: () => execute(status.EXPIRE_PAUSES, 30, 1000, 'pause_expired', 'Reason.'),
        events: [['job.cancelled', 'pause_expired']],
      },
    ],
    'job-status.STOP': [stop(status.STOP, false, 'template_paused'), stop(status.STOP, true, 'template_disabled')],
    'job-windows.MARK_CLOSED': [
      {
        job: `${RUNNING}, total_recipients = 2, ${CLOSED}`,
        run: (id) => execute(MARK_CLOSED, [id]),
        events: [['job.throttled', 'send_window']],
      },
    ],
    'job-windows.WAKE_OPEN': [{ job: OPENED, lane: WAITING, run: () => execute(WAKE_OPEN, 1000), events: OUTAGE }],
    'lane-jobs.ADD_TO_COUNTERS': [
      { job: OPENED, lane: WAITING, run: (id) => execute(lane.ADD_TO_COUNTERS, id, 1, 0, 0, 0, 0), events: OUTAGE },
      {
        job: `${RUNNING}, throttled_reason = 'template_limited'`,
        run: (id) => execute(lane.ADD_TO_COUNTERS, id, 1, 0, 0, 0, 0),
        events: [],
      },
    ],
    'lane-jobs.BEGIN_UNKNOWN_WAIT': [
      {
        job: `${RUNNING}, unknown_in_grace = 1`,
        run: (id) => execute(lane.BEGIN_UNKNOWN_WAIT, id, EPOCH, 1000),
        events: [['job.throttled', 'unknown_outcomes']],
      },
    ],
    'lane-jobs.COMPLETE': [
      {
        job: `${RUNNING}, successfully_sent = 1`,
        run: (id) => execute(lane.COMPLETE, id, EPOCH),
        events: [['job.completed', null]],
      },
      // Reported when it was cancelled.
      { job: `${STARTED}, status = 'Cancelled'`, run: (id) => execute(lane.COMPLETE, id, EPOCH), events: [] },
    ],
    'lane-jobs.HOLD': [
      {
        job: RUNNING,
        run: (id) => execute(lane.HOLD, id, EPOCH, 60_000),
        events: [['job.throttled', 'template_limited']],
      },
    ],
    'lane-jobs.HOLD_OF_OTHER_SENDERS': [
      {
        job: `${RUNNING}, total_recipients = 2`,
        run: async () => execute(lane.HOLD_OF_OTHER_SENDERS, await tables.addSenderOf('2'), 60_000),
        events: [['job.throttled', 'template_limited']],
      },
    ],
    'lane-jobs.MOVE_CURSOR': [
      {
        job: `lane_epoch = ${EPOCH}`,
        run: (id) => execute(lane.MOVE_CURSOR, id, EPOCH, 1, 2, 1, 0, null, null, false),
        events: [['job.started', null]],
      },
      {
        job: `lane_epoch = ${EPOCH}`,
        run: (id) => execute(lane.MOVE_CURSOR, id, EPOCH, 1, 2, 1, 0, new Date(), 'TIER_1K', false),
        events: [
          ['job.started', null],
          ['job.throttled', 'messaging_limit_reached'],
        ],
      },
    ],
    'lane-jobs.PUT_AT_REST': [
      {
        job: `${STARTED}, status = 'Paused', total_recipients = 2`,
        run: (id) => execute(lane.PUT_AT_REST, [id], EPOCH),
        events: [],
      },
    ],
    'lane-jobs.STOP': [stop(lane.STOP, false, 'sender_problem'), stop(lane.STOP, true, 'template_rejected')],
    'lane-leases.RELEASE_LANE': [
      { job: RUNNING, lane: WAITING, run: () => execute(RELEASE_LANE, tables.senderId, EPOCH), events: [] },
    ],
    'lane-leases.SHOW_THROTTLE': [
      {
        job: RUNNING,
        lane: `epoch = ${EPOCH}, lease_until = now() + interval '1 h'`,
        run: () => execute(SHOW_THROTTLE, tables.senderId, EPOCH, 'platform_outage', null),
        events: OUTAGE,
      },
    ],
    'lane-leases.TAKE_LANE': [
      {
        job: RUNNING,
        lane: `${WAITING}, owner = 'another'`,
        run: () => execute(TAKE_LANE, tables.senderId, 'this', true),
        events: [],
      },
    ],
    'postgres-bulk-job-store.change': [
      change('Paused', 'Processing', { job: RUNNING, events: [['job.paused', 'paused_by_client']] }),
      change('Cancelled', 'Paused', { job: `status = 'Paused'`, events: [['job.cancelled', null]] }),
      change('Resumed', 'Paused', { job: `status = 'Paused'`, lane: WAITING, events: OUTAGE }),
    ],
    'postgres-bulk-job-store.changeTiming': [
      {
        job: `status = 'Scheduled', scheduled_at = now() + interval '1 h'`,
        lane: WAITING,
        run: (id) => new PostgresBulkJobStore(database).changeTiming(id, { scheduledAt: null }),
        events: OUTAGE,
      },
    ],
    'postgres-job-intake-store.abandon': [
      {
        job: `status = 'Importing', import_owner = '${OWNER}'`,
        run: (id) => new PostgresJobIntakeStore(database).abandon(id, OWNER),
        events: [],
      },
    ],
    'postgres-job-intake-store.publish': [
      publish(true, { events: [['job.paused', 'held']] }),
      publish(false, { lane: WAITING, events: OUTAGE }),
    ],
    'postgres-job-intake-store.takeOrphans': [
      {
        job: `status = 'Importing', import_lease_until = now() - interval '1 s'`,
        run: () => new PostgresJobIntakeStore(database).takeOrphans(),
        events: [],
      },
    ],
    'postgres-restored-database.PAUSE': [
      {
        job: RUNNING,
        run: () => {
          const restored = new PostgresRestoredDatabase(database, {} as DatabaseIdentity);
          return restored.pauseJobs({ final: false, problem: 'database_restored', reason: 'Reason.' }, 1000);
        },
        events: [['job.paused', 'database_restored']],
      },
    ],
    'template-jobs.RESUME': [
      {
        job: `status = 'Paused'`,
        lane: WAITING,
        run: (id) => execute(RESUME, id, tables.revisionId, null),
        events: OUTAGE,
      },
    ],
  };
  const ALL = Object.entries(CASES).flatMap(([name, cases]) =>
    cases.map((one, n) => [`${name} ${n + 1}`, one] as const),
  );

  /** The events of a case, in order; rejects if its statement changed nothing. */
  async function eventsOf({ job, lane: laneSet, run }: Case): Promise<JobEvent[]> {
    tables = new SqlSendingTables(database);
    await tables.addSender();
    const secrets = new WebhookSecrets(database, new SecretBox(randomBytes(32)));
    const events = EVENT_TYPES.filter((type) => type.startsWith('job.'));
    const endpoint = { id: uuidV7(), accountId: tables.accountId, url: 'https://example.com', maxEvents: 1 };
    if (laneSet) {
      await execute('INSERT INTO sender_lanes (sender_id) VALUES ($1)', tables.senderId);
      await execute(`UPDATE sender_lanes SET ${laneSet} WHERE sender_id = $1`, tables.senderId);
    }
    const jobId = await tables.addJob(1);
    await execute(`UPDATE bulk_jobs SET ${job} WHERE id = $1`, jobId);
    await new PostgresWebhookEndpointStore(database, secrets).add({ ...endpoint, events }, 'whsec_MQ==', 10);

    const state = async () => [await tables.job(jobId), await tables.lane()];
    const before = await state();
    await run(jobId);
    expect(await state()).not.toEqual(before);
    const bodies = await waitingBodies(database, tables.accountId);
    const written = bodies.map(({ body }) => JSON.parse(body) as JobEvent);
    expect(written.map(({ data }) => data.jobId)).toEqual(bodies.map(({ orderKey }) => orderKey));
    return written;
  }
  const gist = (events: readonly JobEvent[]): Case['events'] =>
    events.map(({ type, data: { reason } }) => [type, reason?.code ?? null]);

  it('are all tested here', () => {
    expect(Object.keys(CASES).sort()).toEqual(jobStatements());
  });

  it.each(ALL)('record the events of the API document: %s', async (_name, one) => {
    const events = await eventsOf(one);
    expect(gist(events)).toEqual(one.events);
    for (const event of events) {
      const check = checks.get(event.type)!;
      check(event);
      expect([event, check.errors]).toEqual([event, null]);
    }
  });

  /** The cases that record fewer events without these triggers. */
  async function failingWithout(triggers: readonly (readonly [table: string, trigger: string])[]): Promise<string[]> {
    const failing: string[] = [];
    const work = async (): Promise<void> => {
      for (const [table, trigger] of triggers) await execute(`ALTER TABLE ${table} DISABLE TRIGGER ${trigger}`);
      for (const [name, one] of ALL) if ((await eventsOf(one)).length < one.events.length) failing.push(name);
      throw new Undo();
    };
    await database.transaction(work).catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
    return failing;
  }

  it('are detected if they record none', async () => {
    const recording = ALL.filter(([, { events }]) => events.length > 0).map(([name]) => name);
    expect(await failingWithout(TRIGGERS)).toEqual(recording);
  });

  it.each(TRIGGERS)('need the trigger of %s: %s', async (...trigger) => {
    expect(await failingWithout([trigger])).not.toEqual([]);
  });
});

describe('The search for statements that change jobs', () => {
  it.each([
    ['a status', "const ONE = 'UPDATE bulk_jobs SET failed = 1, status = $2 WHERE id = $1'"],
    [
      'a column after a subselect',
      'const ONE = `UPDATE bulk_jobs j SET a = (SELECT 1 FROM b WHERE c), at_rest = false`',
    ],
    ['columns that are put in', "const ONE = `UPDATE bulk_jobs SET ${sets.join(', ')} WHERE id = $1`"],
    ['a list of columns', 'const ONE = `UPDATE bulk_jobs SET (cursor, started_at) = ROW($1, now())`'],
    ['a lane', "class A { ONE() { q('UPDATE sender_lanes SET throttled_reason = NULL') } }"],
    [
      'an upsert',
      "function ONE() { q('INSERT INTO sender_lanes (a) SELECT 1 ON CONFLICT (a) DO UPDATE SET throttled_reason = NULL') }",
    ],
    ['a CTE', 'const ONE = `WITH a AS (UPDATE bulk_jobs SET window_opens_at = now() RETURNING id) SELECT 1`'],
  ])('finds %s', (_what, source) => {
    expect(jobStatementsIn(source)).toEqual(['ONE']);
  });

  it.each([
    ['other columns', "const ONE = `UPDATE bulk_jobs SET cursor = ${LEASE} WHERE status = 'Paused'`"],
    ['values', "const ONE = `UPDATE bulk_jobs SET failed = CASE WHEN status = 'Failed' THEN 1 ELSE failed END`"],
    ['other tables', "const ONE = `UPDATE messages SET status = 'Sent'`"],
  ])('ignores %s', (_what, source) => {
    expect(jobStatementsIn(source)).toEqual([]);
  });
});
