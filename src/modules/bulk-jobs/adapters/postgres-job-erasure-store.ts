import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { RECIPIENT_ERASED } from '../../sending/domain/send-state';
import { type ExaminedJob, JobErasureStore, type JobPosition, type LeftInJob } from '../domain/job-erasure-store.port';
import * as sql from './job-erasure.sql';

/** Recipients per transaction. */
const ROWS_AT_ONCE = 5000;

/** Erases a person from the table `job_recipients`; an empty phone marks an erased recipient. */
@Injectable()
export class PostgresJobErasureStore extends JobErasureStore {
  constructor(private readonly database: Database) {
    super();
  }

  jobs(
    accountId: string,
    until: Date,
    people: readonly string[],
    from: JobPosition | null,
    limit: number,
  ): Promise<ExaminedJob[]> {
    return this.database.rows<ExaminedJob>(sql.JOBS_TO_EXAMINE, [
      ...[accountId, until, from?.createdAt ?? null, from?.jobId ?? null, limit, people],
    ]);
  }

  async erase(jobId: string, people: readonly string[]): Promise<LeftInJob> {
    const found = await this.database.rows<{ position: number }>(sql.RECIPIENTS_OF_PERSON, [
      ...[jobId, people, ROWS_AT_ONCE],
    ]);
    if (found.length === 0) return 'Nothing';
    const positions = found.map(({ position }) => position);
    return this.database.transaction(async () => {
      const [job] = await this.database.rows<{ cursor: number; hasEnded: boolean }>(sql.LOCK_JOB, [jobId]);
      if (!job) return 'Nothing';
      if (!job.hasEnded) {
        const { affected } = await this.database.execute(sql.SKIP_ERASED, [
          ...[jobId, positions, job.cursor, RECIPIENT_ERASED.code, RECIPIENT_ERASED.message],
        ]);
        if (affected > 0) await this.database.execute(sql.COUNT_ERASED, [jobId, affected]);
      }
      await this.database.execute(sql.BLANK, [jobId, positions, job.cursor, job.hasEnded]);
      const inFlight = await this.database.rows(sql.IN_FLIGHT, [jobId, positions]);
      if (inFlight.length > 0) return 'InFlight';
      return found.length < ROWS_AT_ONCE ? 'Nothing' : 'Rows';
    });
  }
}
