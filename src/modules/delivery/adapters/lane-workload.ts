import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { within } from '../../../kernel/within';
import { WORKLOAD } from './lane-leases.sql';
import { LaneStoreOptions } from './lane-store-options';

/** The workload of all processes. */
export interface Workload {
  /** Lanes with an owner. */
  owned: number;
  /** Lanes with work and no owner. */
  unowned: number;
  /** Recipients without an outcome in the jobs that are Queued or Processing and may send now. */
  recipients: number;
}

/** Concurrent scrapes, and those at a short interval, share one statement. */
const CACHE_MS = 2000;
const TIMEOUT_MS = 2000;

/** Reads the workload of the whole deployment, which is the same on every process. */
@Injectable()
export class LaneWorkload {
  private reading: Promise<Workload | null> | null = null;

  constructor(
    private readonly database: Database,
    private readonly options: LaneStoreOptions,
  ) {}

  /** At most 2 s old; null if the database did not respond within 2 s. */
  read(): Promise<Workload | null> {
    this.reading ??= within(TIMEOUT_MS, this.query(), () => null);
    return this.reading;
  }

  private async query(): Promise<Workload | null> {
    try {
      const [workload] = await this.database.rows<Workload>(WORKLOAD, [this.options.graceMs]);
      return workload!;
    } catch {
      return null;
    } finally {
      setTimeout(() => (this.reading = null), CACHE_MS).unref();
    }
  }
}
