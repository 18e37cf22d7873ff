import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { within } from '../../../kernel/within';
import { WORKLOAD } from './lane-leases.sql';
import { LaneStoreOptions } from './lane-store-options';

/** What all processes together have to send. */
export interface Workload {
  /** Lanes that a process holds. */
  owned: number;
  /** Lanes with work that no process holds. */
  unowned: number;
  /** Recipients without an outcome in the jobs that are Queued or Processing. */
  recipients: number;
}

/** Several scrapes at a time, and those of a short interval, share one statement. */
const KEPT_MS = 2000;
const PATIENCE_MS = 2000;

/** Reads the workload of the whole deployment, the same on every process, also where none sends. */
@Injectable()
export class LaneWorkload {
  private reading: Promise<Workload | null> | null = null;

  constructor(
    private readonly database: Database,
    private readonly options: LaneStoreOptions,
  ) {}

  /** At most 2 s old; null if the database did not answer within 2 s. */
  read(): Promise<Workload | null> {
    this.reading ??= within(PATIENCE_MS, this.ask(), () => null);
    return this.reading;
  }

  private async ask(): Promise<Workload | null> {
    try {
      const [workload] = await this.database.rows<Workload>(WORKLOAD, [this.options.graceMs]);
      return workload!;
    } catch {
      return null;
    } finally {
      setTimeout(() => (this.reading = null), KEPT_MS).unref();
    }
  }
}
