import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { RECIPIENT_ERASED } from '../../sending/domain/send-state';
import { type ExaminedJob, JobErasureStore, type JobPosition } from '../domain/job-erasure-store.port';
import { type Identified, keysOf, personKey } from '../domain/person-keys';
import * as sql from './job-erasure.sql';

/** Positions per transaction where there are no keys. */
const POSITIONS_AT_ONCE = 5000;

interface Range {
  first: number;
  last: number;
}

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
      ...[accountId, until, from?.createdAt ?? null, from?.jobId ?? null, limit, people.map(personKey)],
    ]);
  }

  async erase(jobId: string, people: readonly string[]): Promise<boolean> {
    const ranges = await this.database.rows<Range>(sql.RANGES, [jobId, people.map(personKey), POSITIONS_AT_ONCE]);
    let isComplete = true;
    for (const range of ranges) isComplete = (await this.eraseRange(jobId, range, people)) && isComplete;
    return isComplete;
  }

  private async eraseRange(jobId: string, range: Range, people: readonly string[]): Promise<boolean> {
    const found = await this.database.rows<{ position: number }>(sql.RECIPIENTS_OF_PERSON, [
      ...[jobId, range.first, range.last, people],
    ]);
    if (found.length === 0) return true;
    const positions = found.map(({ position }) => position);
    return this.database.transaction(async () => {
      const [job] = await this.database.rows<{ cursor: number; hasEnded: boolean }>(sql.LOCK_JOB, [jobId]);
      if (!job) return true;
      if (!job.hasEnded) {
        const { affected } = await this.database.execute(sql.SKIP_ERASED, [
          ...[jobId, positions, job.cursor, RECIPIENT_ERASED.code, RECIPIENT_ERASED.message],
        ]);
        if (affected > 0) await this.database.execute(sql.COUNT_ERASED, [jobId, affected]);
      }
      await this.database.execute(sql.BLANK, [jobId, positions, job.cursor, job.hasEnded]);
      // Read while the job is locked: keys may have been stored meanwhile.
      const keyed = await this.database.rows<Range>(sql.KEYED_RANGES, [jobId, range.first, range.last]);
      for (const one of keyed) await this.replaceKeys(jobId, one);
      return (await this.database.rows(sql.IN_FLIGHT, [jobId, positions])).length === 0;
    });
  }

  /** Two people may share a key: the keys of the others remain. */
  private async replaceKeys(jobId: string, { first, last }: Range): Promise<void> {
    const identities = await this.database.rows<Identified>(sql.IDENTITIES, [jobId, first, last]);
    await this.database.execute(sql.REPLACE_KEYS, [jobId, first, identities.flatMap(keysOf)]);
  }
}
