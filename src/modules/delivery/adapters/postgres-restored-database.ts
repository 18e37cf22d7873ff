import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { DatabaseIdentity, type IdentityState } from '../../../infra/database/database-identity';
import type { JobStop } from '../domain/job-stop';
import type { NamedJob } from '../domain/lane-telemetry';
import { RestoredDatabase } from '../domain/restored-database.port';

/** Every change of a job sets updated_at; ids of messages ascend with time. */
const LAST_RECORDED = `
SELECT GREATEST((SELECT max(updated_at) FROM bulk_jobs),
  (SELECT GREATEST(created_at, sent_at, failed_at) FROM messages ORDER BY id DESC LIMIT 1)) AS at`;

/** Does not set updated_at: LAST_RECORDED must return the same time if another process continues. */
const PAUSE = `
UPDATE bulk_jobs SET status = 'Paused', pause_problem = $1, pause_reason = $2, paused_at = clock_timestamp()
WHERE id = ANY(ARRAY(
  SELECT id FROM bulk_jobs
  WHERE completed_at IS NULL AND status IN ('Scheduled', 'Queued', 'Processing', 'Paused') AND pause_problem IS DISTINCT FROM $1
  ORDER BY id LIMIT $3 FOR UPDATE))
RETURNING id, account_id AS "accountId"`;

/** The tables `database_identity` and `bulk_jobs`. */
@Injectable()
export class PostgresRestoredDatabase extends RestoredDatabase {
  private readonly logger = new Logger('Restore');

  constructor(
    private readonly database: Database,
    private readonly identity: DatabaseIdentity,
  ) {
    super();
  }

  lock(): Promise<IdentityState | null> {
    return this.identity.lock();
  }

  async isUnchanged(): Promise<boolean> {
    const { same, timeline } = await this.identity.compare();
    if (timeline) {
      this.logger.warn(
        `PostgreSQL changed from timeline ${timeline.before} to ${timeline.now}: a standby was promoted, or the server ` +
          `was restored to a point in time. ${same ? 'Commits were synchronous: nothing is lost' : 'The last transactions may be lost: jobs are paused'}`,
      );
    }
    return same;
  }

  confirm(isCopy: boolean): Promise<void> {
    return this.identity.confirm(isCopy);
  }

  async lastRecordedAt(): Promise<Date | null> {
    const [row] = await this.database.rows<{ at: Date | null }>(LAST_RECORDED);
    return row?.at ?? null;
  }

  async pauseJobs({ problem, reason }: JobStop, limit: number): Promise<NamedJob[]> {
    return (await this.database.execute<NamedJob>(PAUSE, [problem, reason, limit])).rows;
  }
}
