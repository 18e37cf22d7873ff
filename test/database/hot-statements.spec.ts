import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../src/infra/database/database';
import { preparedName } from '../../src/infra/database/prepared-statement';
import { uuidV7 } from '../../src/kernel/uuid';
import { describeOnDatabase } from '../support/databases';
import { ExplainedPlans, type Reading } from '../support/explained-plans';
import { EPOCH, LargeTables } from '../support/large-tables';

/** Statements whose plans may be as they are, and why. */
const RARE: Record<string, string> = {
  'lane-jobs.COUNT_OUTCOMES': 'reads a range of positions on purpose, once at the end of a job',
  'lane-jobs.LOCK_OWNED_JOB': 'where the rows of a job contradict its counters',
  'single-sends.LOCK_OPEN': 'once after a restore',
  'lane-leases.WORKLOAD': 'when metrics are read, at most every 2 s; it adds up all running jobs on purpose',
  ...Object.fromEntries(
    [
      'ENDPOINT',
      'LOCK_ACCOUNT',
      'INSERT_ENDPOINT',
      'CHANGE_ENDPOINT',
      'REPLACE_SECRET',
      'SECRETS',
      'DELIVERIES',
      'DELIVERY_OF',
    ].map((name) => [`webhooks.${name}`, 'when a client or an operator asks']),
  ),
  'webhooks.BACKLOGS': 'once a minute in one process, a row for each endpoint',
  'webhooks.FULL_BACKLOG': 'for an endpoint that may be full, up to its limit',
  'webhook-replays.REPLAY': 'when a client asks',
  'webhook-replays.START_REPLAY': 'when a client asks',
  'tier-budget.RENAME': 'when the number of a person becomes known',
  'tier-budget.USED': 'counts a portfolio on purpose, only where it may be full',
};

/** Tables with one row, a row for each process, or for each replay of events in progress. */
const SMALL = ['lane_workers', 'webhook_replays', 'webhook_upkeep'];

const GRACE_MS = 900_000;
/** Of a claim or a batch of answers. */
const BATCH = 20;

/** The hot statements: with which parameters, and how many rows of tables they may look at. */
function hotStatements(tables: LargeTables): Record<string, { parameters: unknown[]; rows: number }> {
  const { senderId, running, cursor, portfolio } = tables;
  const batch = <T>(of: (n: number) => T): T[] => Array.from({ length: BATCH }, (_, n) => of(n));
  const next = batch((n) => cursor + n);
  const answered = batch((n) => cursor - 1 - n);
  const jobs = batch(() => running);
  const singles = batch((n) => tables.messageAt(2 * n + 1));
  const people = batch((n) => `491510000${String(n).padStart(4, '0')}`);
  const platformIds = batch((n) => `wamid.${n}`);
  const nulls = batch(() => null);
  const uuids = batch(() => uuidV7());
  const rowIds = batch((n) => n + 1);
  const one = (...parameters: unknown[]) => ({ parameters, rows: 5 });
  const some = (...parameters: unknown[]) => ({ parameters, rows: 10 * BATCH });
  return {
    // A page of running jobs, of which there are fewer.
    'activity.END_OF_PAGE': { parameters: ['00000000-0000-0000-0000-000000000000'], rows: 1000 },
    'activity.LOCK_CHANGED_JOBS': {
      parameters: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
      rows: 1000,
    },
    'activity.SAMPLE_JOBS': some([running]),
    'activity.COARSEN_SAMPLES': some(running),
    'activity.FOLD_ACTIVITY': some(2000),
    'activity.PACE': some(running),
    'activity.SERIES': some(tables.accountId, new Date(0), new Date(), 'hour'),
    'activity.TOP_FAILURES': some(tables.accountId, new Date(0), new Date(), 10),
    'activity.EXPIRE_ACTIVITY': some(tables.accountId, new Date(0), BATCH),
    'activity.EXPIRE_FAILURES': some(tables.accountId, new Date(0), BATCH),
    'job-failures.COUNT_FAILED': some(running, '', 0, 5000, cursor),
    'job-failures.COUNT_UNDELIVERED': some(running, '00000000-0000-0000-0000-000000000000', 5000),
    'job-failures.FIRST_NEVER_TRIED': { parameters: [running, cursor, cursor + 5000], rows: 5000 },
    'unsent-recipients.SELECT_UNSENT': some(running, cursor - BATCH, cursor - 1, cursor, false, true),
    'unsent-recipients.SELECT_REACHED': some(running, cursor - BATCH, cursor - 1, cursor, false, true),
    'job-reads.FIND_JOB': one(tables.accountId, running),
    'job-reads.ALL_RETRIES': some(running),
    'job-reads.RECENT_ANSWERS': { parameters: [running, cursor - 1000, cursor], rows: 1000 },
    // By the index on jobs that run, of any sender.
    'job-reads.OPEN_OF_OTHERS': { parameters: [senderId, running], rows: 1000 },
    // Up to the limit.
    'job-intake.COUNT_OPEN': { parameters: [tables.accountId, 100], rows: 200 },
    'job-intake.EARLIER_UPLOAD': one(tables.accountId, `\\x${'00'.repeat(32)}`),
    'job-intake.RETRIES_OF': some(running),
    'job-intake.LOCK_RETRIED': one(running),
    'job-intake.OTHER_RETRIES': some(running),
    // All jobs of the account were created just now.
    // Each job, and the keys of each chunk of its recipients.
    'job-erasure.JOBS_TO_EXAMINE': {
      parameters: [tables.accountId, new Date(Date.now() + 60_000), null, null, 50, [1, 2]],
      rows: 50 * (1 + tables.extent.recipients / 500),
    },
    'job-erasure.RANGES': { parameters: [running, [1, 2], 5000], rows: 2 * (tables.extent.recipients / 500) },
    'job-erasure.RECIPIENTS_OF_PERSON': { parameters: [running, 501, 1000, ['4915100000050', 'DE.1']], rows: 500 },
    'job-erasure.IDENTITIES': { parameters: [running, 501, 1000], rows: 500 },
    'job-erasure.KEYED_RANGES': one(running, 501, 1000),
    'job-erasure.REPLACE_KEYS': one(running, 501, [1, 2]),
    'job-erasure.LOCK_JOB': one(running),
    'job-erasure.SKIP_ERASED': some(running, next, cursor, 'recipient_erased', 'text'),
    'job-erasure.COUNT_ERASED': one(running, 1),
    'job-erasure.BLANK': some(running, answered, cursor, false),
    'job-erasure.IN_FLIGHT': some(running, answered),
    // A page of jobs, and whether each has keys.
    'recipient-keys.NEXT_UNKEYED_JOB': {
      parameters: ['ffffffff-ffff-ffff-ffff-ffffffffffff', 2000],
      rows: 2 * 2 * 2000,
    },
    'recipient-keys.LOCK_TO_KEY': one(running),
    'recipient-keys.FIRST_KEYED': one(running),
    'recipient-keys.STORE_KEYS': one(running, 2, 3, [1]),
    'event-erasure.NEXT_ENDPOINT': one(tables.accountId, null),
    // A page of rows, twice.
    'event-erasure.WAITING_ROWS': { parameters: [tables.endpointId, ['phone'], '-infinity', 0, 500], rows: 1000 },
    'event-erasure.REPLACE_WAITING': some(rowIds, uuids),
    'event-erasure.LOGGED_BODIES': some(
      ...[tables.accountId, ['4915100000050', 'DE.1'], '00000000-0000-0000-0000-000000000000', 500],
    ),
    'event-erasure.REPLACE_LOGGED': some(singles, uuids),
    'live-jobs.LIVE_JOBS': { parameters: [[running], [tables.accountId]], rows: 2000 },
    // A count of all unfinished jobs of the account.
    'live-jobs.OPEN_JOBS': { parameters: [tables.accountId], rows: 1.1 * tables.extent.pausedJobs },
    'lane-jobs.UNFINISHED_JOBS': some([senderId], GRACE_MS),
    'lane-jobs.ADOPT_JOBS': some(senderId, EPOCH + 1),
    'lane-jobs.LOCK_WAITING_JOBS': some(jobs, EPOCH),
    'lane-jobs.PUT_AT_REST': some(jobs, EPOCH),
    'lane-jobs.JOBS_WITH_FIRST_ATTEMPTS': some(senderId, EPOCH),
    'lane-jobs.SETTLE_BELOW_CURSOR': some(senderId, EPOCH),
    'lane-jobs.MOVE_CURSOR': one(running, EPOCH, cursor, cursor + BATCH, cursor - 1, 0, null, null, false),
    'lane-jobs.LOCK_RUNNING_JOB': one(running, EPOCH),
    'lane-jobs.RAISE_SETTLED_BELOW': one(running, EPOCH, cursor),
    'lane-jobs.COMPLETE': one(running, EPOCH),
    'lane-jobs.REPAIR': one(running, EPOCH, 0, 0, 0, 0, 0, 1),
    'lane-jobs.BEGIN_UNKNOWN_WAIT': one(running, EPOCH, GRACE_MS),
    'lane-jobs.HOLD': one(running, EPOCH, 60_000),
    // All senders have one business account here: each of them, and its jobs, which are all held.
    'lane-jobs.HOLD_OF_OTHER_SENDERS': { parameters: [senderId, 60_000], rows: 5 * 210 },
    'lane-jobs.STOP': one(running, EPOCH, false, 'problem', 'reason'),
    'lane-jobs.LOCK_JOBS': some([running]),
    'lane-jobs.ADD_TO_COUNTERS': one(running, 1, 0, 0, 0, 0),
    // The senders with jobs and their lanes, and the jobs of those whose lane is free.
    'lane-leases.SENDERS_TO_RUN': { parameters: [GRACE_MS, false], rows: 3 * 210 },
    'lane-leases.REPORT_WORKER': some('a process', 1, false),
    'lane-leases.REMOVE_WORKER': one('a process'),
    'lane-leases.TAKE_LANE': one(senderId, 'a process', false),
    'lane-leases.RENEW_LANES': some([senderId], [EPOCH]),
    'lane-leases.RENEW_LANE': one(senderId, EPOCH),
    'lane-leases.RELEASE_LANE': one(senderId, EPOCH),
    'lane-leases.HOLD_LANE': one(senderId, EPOCH),
    'lane-leases.SHOW_THROTTLE': one(senderId, EPOCH, null, null),
    'lane-jobs.OPEN_RECIPIENTS': some(running, cursor, cursor + 5000, BATCH, senderId),
    'lane-jobs.ANY_SETTLED': some(running, next, next[0], next.at(-1)),
    'lane-jobs.SKIP': some(running, next, 'opted_out', 'text'),
    'lane-jobs.FAIL_OPEN': some(running, cursor, cursor + BATCH, 'expired', 'text'),
    'lane-jobs.CLAIM_DUE': some(running, EPOCH, BATCH),
    'lane-jobs.LATER_ATTEMPTS': some(running, EPOCH - 1),
    'lane-jobs.STRAND_FIRST_ATTEMPTS': { parameters: [running, cursor - 100, cursor], rows: 1000 },
    'lane-jobs.STRAND_LATER_ATTEMPTS': some(senderId, EPOCH),
    'lane-jobs.RECIPIENTS_AT': some(jobs, answered),
    'lane-jobs.RECIPIENTS_WITH_GRACE_OVER': some(running, 1000, BATCH),
    'lane-jobs.RECIPIENTS_WAITING': some(running, BATCH),
    'lane-jobs.SAVE_RECIPIENTS': some(
      ...[running, answered, batch(() => 1), batch(() => 0), batch(() => 0), nulls, nulls],
      ...[batch(() => 'Sent'), nulls, nulls, nulls],
    ),
    'job-schedule.START_DUE': some(BATCH, 6, 'problem', 'reason'),
    'job-windows.MARK_CLOSED': some(jobs),
    'job-windows.LOCK_CLOSED': some(BATCH),
    'job-windows.WAKE_OPEN': some(BATCH),
    // All jobs that run, and the template of each.
    'template-jobs.UNSENDABLE': { parameters: [BATCH], rows: 500 },
    'template-jobs.WAITING': some(['template_paused'], BATCH),
    'template-jobs.ACCOUNTS_TO_SYNC': some(['template_paused']),
    'template-jobs.LOCK_WAITING': one(running, ['template_paused']),
    'template-jobs.RESUME': one(running, uuidV7(), null),
    'template-jobs.CHANGE_REASON': one(running, ['template_paused'], 'problem', 'reason'),
    'job-status.UNSETTLED': some(
      jobs,
      answered,
      answered.map((position) => tables.messageAt(position)),
      batch(() => senderId),
    ),
    'job-status.STOP': one(running, false, 'problem', 'reason'),
    'job-status.EXPIRE_PAUSES': some(30, BATCH, 'problem', 'reason'),
    'job-status.ADD_DELTAS': some(jobs, answered, answered, answered),
    'job-status.JOBS_WITH_DELTAS': { parameters: [2000], rows: 2000 },
    'job-status.LOCK_FREE_JOBS': some([running]),
    'job-status.TAKE_DELTAS': { parameters: [[running], [running], 2000], rows: 10_000 },
    'job-status.FOLD': some([running], [1], [1], [1]),
    'answered-conversations.LOCK_REPLIED': some(singles),
    'answered-conversations.SET_ANSWERED': some(next.map((n) => tables.messageAt(n))),
    'message-writes.SAVE': some(
      ...[
        next.map((n) => tables.messageAt(n)),
        batch(() => tables.accountId),
        batch((n) => tables.messageAt(n)),
        people,
      ],
      ...[batch(() => 'promo'), batch(() => 'en_US'), nulls, nulls, nulls, nulls, jobs, next, batch(() => 'Sent')],
      ...[nulls, nulls, nulls, platformIds, batch(() => new Date()), new Date(), batch(() => 'Template'), nulls, nulls],
      batch(() => senderId),
    ),
    'message-writes.SET_OUTCOMES': some(
      ...[singles, batch(() => 'Sent'), nulls, nulls, nulls, platformIds, new Date(), nulls],
    ),
    'message-statuses.BY_IDS': some(singles),
    'message-statuses.BY_PLATFORM_IDS': some(platformIds, tables.messageAt(0)),
    'message-statuses.LOCK': some(singles),
    'message-statuses.SAVE': some(
      ...[singles, batch(() => 'Read'), nulls, nulls, nulls, nulls, batch(() => new Date()), nulls],
      ...[batch(() => 'message.read'), nulls, nulls, nulls],
    ),
    'single-sends.INSERT': some(
      batch((n) => tables.messageAt(900_000_000 + n)),
      batch(() => senderId),
      batch(() => 0),
      batch(() => new Date()),
      1000,
      batch(() => new Date()),
      batch(() => false),
      ...[nulls, nulls, nulls],
    ),
    'single-sends.UNSETTLED': some(singles),
    'single-sends.ANY_DUE': some([senderId]),
    'single-sends.LOCK_HELD': some(senderId, BATCH),
    'single-sends.REQUIRE_ROOM': some(senderId),
    'single-sends.LOCK': some(singles),
    'single-sends.SAVE': some(
      ...[singles, batch(() => 0), batch(() => 0), nulls, nulls],
      ...[batch(() => 'Sent'), nulls, batch(() => false)],
    ),
    'single-sends.CLAIM_DUE': some(senderId, EPOCH, BATCH, 1000),
    'single-sends.LOCK_STRANDED': some(senderId, EPOCH),
    'single-sends.LOCK_OVERDUE': some(GRACE_MS, BATCH),
    'webhooks.WRITE': one(tables.accountId, ['message.sent'], ['event'], null),
    'webhooks.TRACES': some(singles, jobs),
    // The endpoints that are due.
    'webhooks.LEASE': some(uuidV7(), 6000, 64, [tables.accountId], [1], 8),
    // Every 10 min, probes of all endpoints with rows.
    'webhooks.FIND_OVERLOOKED': { parameters: [], rows: 1000 },
    'webhooks.FIND_OVERLOOKED_SINCE': some(tables.newestEvent - BATCH),
    'webhooks.RENEW': some(uuidV7(), [tables.endpointId], 6000),
    'webhooks.RELEASE': one(uuidV7(), tables.endpointId, 0),
    'webhooks.DUE': some(tables.endpointId, [1, 2], BATCH, 1_000_000, '00000000-0000-0000-0000-000000000000', BATCH),
    'webhook-replays.STEP_REPLAY': { parameters: [tables.endpointId, 5 * BATCH], rows: 20 * BATCH },
    'webhooks.FINISH': some(
      ...[
        rowIds,
        rowIds.map((id) => id + BATCH),
        batch(() => 1),
        batch(() => 5000),
        nulls,
        uuids,
        batch(() => tables.endpointId),
      ],
      ...[uuids, batch(() => 0), batch(() => 'message.sent'), batch(() => 1), batch(() => 'Delivered'), nulls, nulls],
      ...[batch(() => 1), batch(() => new Date()), nulls, batch(() => 'body')],
      ...[nulls, rowIds, batch(() => false)],
    ),
    'webhooks.SUCCEEDED': one(tables.endpointId),
    'webhooks.FAILED': one(tables.endpointId, 1, 5000),
    'webhooks.DISABLE': one(tables.endpointId, 'endpoint_gone'),
    // Probes of all endpoints with rows, one of which is disabled.
    'webhooks.DELETE_LEFTOVERS': { parameters: [5000, 3], rows: 1000 },
    'webhooks.TAKE_UPKEEP': one(60_000),
    'webhooks.COUNT_WRITTEN': some(BATCH),
    'tier-budget.TIER_OF': one(senderId),
    'tier-budget.ADD_PORTFOLIO': one(portfolio),
    'tier-budget.LOCK_PORTFOLIO': one(portfolio),
    'tier-budget.SET_AT_MOST': one(portfolio, 1),
    'tier-budget.LOCK_PORTFOLIOS_OF': some(singles),
    'tier-budget.GIVE_BACK': some(singles),
    'tier-budget.FORGET': { parameters: [portfolio], rows: 2000 },
    'tier-budget.KNOWN': some(portfolio, people),
    'tier-budget.TAKE': some(portfolio, people, singles),
    'tier-budget.SHARE': some(portfolio, people, singles),
    'tier-budget.NEXT_LEAVES': one(portfolio),
  };
}

/** Every statement that the modules of the engine, of its jobs, messages and events export, by file and name; what is only a part of one is not among them. */
function statementsInSources(): Record<string, string> {
  const statements: Record<string, string> = {};
  for (const module of ['bulk-jobs', 'delivery', 'events', 'messages', 'sending']) {
    const folder = join(__dirname, '../../src/modules', module, 'adapters');
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.sql.ts'))) {
      const exported = jest.requireActual<Record<string, unknown>>(join(folder, file));
      for (const [name, text] of Object.entries(exported)) {
        const isStatement = typeof text === 'string' && /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text);
        if (isStatement) statements[`${file.replace('.sql.ts', '')}.${name}`] = text;
      }
    }
  }
  return statements;
}

class Undo extends Error {}

const OCCASIONS = ['made before the tables grew', 'made for any parameters', 'made for these parameters'] as const;

describeOnDatabase('Plans of the hot statements', (open, isShared) => {
  const texts = statementsInSources();
  const extent = { recipients: 100_000, pausedJobs: 100_000, singleSends: 10_000, events: 100_000 };
  const readings: Partial<Record<(typeof OCCASIONS)[number], Record<string, Reading>>> = {};
  let hot: ReturnType<typeof hotStatements>;
  const nameOf = (name: string): string => name.replace(/\W/g, '_').toLowerCase();

  beforeAll(async () => {
    const database: Database = await open();
    const tables = new LargeTables(database, extent);
    hot = hotStatements(tables);
    if (!isShared) return;
    const statements = Object.fromEntries(
      Object.entries(hot).map(([name, { parameters }]) => [nameOf(name), { text: texts[name]!, parameters }]),
    );
    const plans = new ExplainedPlans(database, statements);
    const work = async (): Promise<void> => {
      await database.execute('SET LOCAL statement_timeout = 0');
      await database.execute('SET LOCAL idle_in_transaction_session_timeout = 0');
      await plans.prepare();
      await tables.fill();
      readings['made before the tables grew'] = await plans.read(({ text }) =>
        preparedName(text) === undefined ? 'custom' : 'generic',
      );
      await database.execute('ANALYZE');
      readings['made for any parameters'] = await plans.read(() => 'generic');
      readings['made for these parameters'] = await plans.read(() => 'custom');
      throw new Undo();
    };
    await database.transaction(work).catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  }, 300_000);

  it('are held to their limits for every statement that is not rare for a reason', () => {
    expect([...Object.keys(hot), ...Object.keys(RARE)].sort()).toEqual(Object.keys(texts).sort());
  });

  // The embedded database holds less, and plans every statement again.
  if (!isShared) return;
  it.each(OCCASIONS)('read no table whole, and no more rows and pages than they need: %s', (occasion) => {
    const tooMuch = Object.entries(hot).flatMap(([name, { rows }]) => {
      const reading = readings[occasion]![nameOf(name)]!;
      // An index is a few pages deep, a row is on a page of its own, and a write touches every index of its table.
      const isBound =
        reading.whole.every((table) => SMALL.includes(table)) &&
        reading.rows <= rows &&
        reading.pages <= 200 + 20 * rows;
      return isBound ? [] : [{ name, ...reading }];
    });
    expect(tooMuch).toEqual([]);
  });
});
