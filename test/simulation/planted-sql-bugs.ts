import { LIVE_JOBS } from '../../src/modules/bulk-jobs/adapters/live-jobs.sql';
import { FOLD_ACTIVITY } from '../../src/modules/delivery/adapters/activity.sql';
import { START_DUE } from '../../src/modules/delivery/adapters/job-schedule.sql';
import * as jobSql from '../../src/modules/delivery/adapters/lane-jobs.sql';
import { WRITE_EVENTS } from '../../src/modules/messages/adapters/message-events.sql';

/** The replacements of a planted bug, by statement. */
function replacing(replaced: Record<string, string>): (statement: string) => string {
  return (statement) => replaced[statement] ?? statement;
}

const EPOCH_OF_THE_LANE =
  'EXISTS (SELECT 1 FROM sender_lanes l WHERE l.sender_id = bulk_jobs.sender_id AND l.epoch = $2)';

function withEpochOfTheLane(statement: string): string {
  return statement.replace('lane_epoch = $2', EPOCH_OF_THE_LANE);
}

/** Takes over in one statement, which sees the cursors as of before it waited for open claims. */
const TAKEOVER = `
WITH before AS (
  SELECT id, settled_below, cursor FROM bulk_jobs
  WHERE sender_id = $1 AND completed_at IS NULL AND lane_epoch < $2 AND status NOT IN ('Importing', 'Abandoned')),
stranded AS (
  UPDATE job_recipients r SET outcome = 'Unknown', unknown_since = clock_timestamp(), attempt = GREATEST(r.attempt, 1),
    sending_epoch = NULL
  FROM before b
  WHERE r.job_id = b.id AND r.position >= b.settled_below AND r.position < b.cursor AND r.outcome IS NULL
    AND r.retry_at IS NULL
  RETURNING r.job_id)
UPDATE bulk_jobs j SET lane_epoch = $2, settled_below = j.cursor,
  unknown = j.unknown + (SELECT count(*)::int FROM stranded s WHERE s.job_id = j.id),
  unknown_in_grace = j.unknown_in_grace + (SELECT count(*)::int FROM stranded s WHERE s.job_id = j.id)
WHERE j.sender_id = $1 AND j.completed_at IS NULL AND j.lane_epoch < $2 AND j.status NOT IN ('Importing', 'Abandoned')`;

/** Counts the positions in the range instead of the changed rows. */
const STRAND_WITHOUT_RETURNING = `
WITH stranded AS (
  UPDATE job_recipients r SET outcome = 'Unknown', unknown_since = clock_timestamp(), attempt = GREATEST(r.attempt, 1),
    sending_epoch = NULL
  WHERE r.job_id = $1 AND r.position >= $2 AND r.position < $3 AND r.outcome IS NULL AND r.retry_at IS NULL)
UPDATE bulk_jobs SET unknown = unknown + $3 - $2, unknown_in_grace = unknown_in_grace + $3 - $2 WHERE id = $1`;

const EVENTS_OF_JOBS = WRITE_EVENTS.replace(
  'JOIN saved s USING (account_id)',
  'JOIN saved s ON s.account_id = subscribed.account_id AND s.job_id IS NOT NULL',
);

/** Planted bugs in the SQL, with the promises that they break. */
export const SQL_BUGS: readonly {
  bug: string;
  rewrite: (statement: string) => string;
  breaks: readonly string[];
  /** Tried first, on PostgreSQL and on the embedded database; absent there: it shows only if several processes share the database. */
  seeds: { shared: number; embedded?: number };
}[] = [
  {
    bug: 'the claim reads the epoch from another table',
    rewrite: replacing({
      [jobSql.MOVE_CURSOR]: withEpochOfTheLane(jobSql.MOVE_CURSOR),
      [jobSql.LOCK_RUNNING_JOB]: withEpochOfTheLane(jobSql.LOCK_RUNNING_JOB),
    }),
    breaks: ['stale epochs claim nothing'],
    seeds: { shared: 16 },
  },
  {
    bug: 'the takeover is one statement',
    rewrite: replacing({ [jobSql.ADOPT_JOBS]: TAKEOVER }),
    breaks: ['rows below settled_below are answered'],
    seeds: { shared: 3 },
  },
  {
    bug: 'the takeover counts rows that it did not change',
    rewrite: replacing({ [jobSql.STRAND_FIRST_ATTEMPTS]: STRAND_WITHOUT_RETURNING }),
    breaks: ['counters equal rows'],
    seeds: { shared: 6, embedded: 19 },
  },
  {
    bug: 'a scheduled job is started without looking at its status',
    rewrite: replacing({ [START_DUE]: START_DUE.replaceAll("status = 'Scheduled' AND", 'completed_at IS NULL AND') }),
    breaks: ['a schedule starts its job once', 'an end is final', 'pause and cancel are honoured'],
    seeds: { shared: 15, embedded: 15 },
  },
  {
    bug: 'events of single sends are not written',
    rewrite: (statement) => statement.replace(WRITE_EVENTS, EVENTS_OF_JOBS),
    breaks: ['no event is lost'],
    seeds: { shared: 2, embedded: 2 },
  },
  {
    bug: 'changes are counted again in each round',
    rewrite: replacing({
      [FOLD_ACTIVITY]: FOLD_ACTIVITY.replace('DELETE FROM activity_deltas', 'UPDATE activity_deltas SET code = code'),
    }),
    breaks: ['activity equals rows'],
    seeds: { shared: 2, embedded: 2 },
  },
  {
    bug: 'streams do not read ended jobs',
    rewrite: replacing({ [LIVE_JOBS]: LIVE_JOBS.replace('ORDER BY j.id', 'AND j.completed_at IS NULL ORDER BY j.id') }),
    breaks: ['a stream ends with its job'],
    seeds: { shared: 1, embedded: 1 },
  },
];
