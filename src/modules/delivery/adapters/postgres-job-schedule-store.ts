import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { type DueJob, JobScheduleStore } from '../domain/job-schedule-store.port';
import type { JobStop } from '../domain/job-stop';
import { START_DUE } from './job-schedule.sql';

/** The columns `status` and `scheduled_at` of `bulk_jobs`. */
@Injectable()
export class PostgresJobScheduleStore extends JobScheduleStore {
  constructor(private readonly database: Database) {
    super();
  }

  async startDue(limit: number, latestHours: number, { problem, reason }: JobStop): Promise<DueJob[]> {
    return (await this.database.execute<DueJob>(START_DUE, [limit, latestHours, problem, reason])).rows;
  }
}
