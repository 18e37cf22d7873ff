import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { SingleSends } from '../../sending/domain/single-sends';
import { restoredFromBackup, type StoppedByRestore } from './job-stop';
import { LaneTelemetry } from './lane-telemetry';
import { RestoredDatabase } from './restored-database.port';

const STEP = 500;
const LOCK_RETRY_MS = 200;

/** Why everything is stopped although the database seems to be the known one: the operator has set it, or a lane has detected it. */
export type StopCause = 'restored' | 'lost_transactions';

/**
 * Prevents a database that was restored, or lost its last transactions to a standby that took over, from sending again what was sent
 * after its last record: unfinished jobs wait until a person decides, and open single sends become Unknown.
 */
@Injectable()
export class AfterRestore {
  constructor(
    private readonly database: RestoredDatabase,
    private readonly singleSends: SingleSends,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly telemetry: LaneTelemetry,
  ) {}

  /**
   * Returns whether the database is still the one this process has used. If not, makes it safe first; everything that this process has
   * read is outdated then.
   */
  async check(): Promise<boolean> {
    if (await this.database.isUnchanged()) return true;
    await this.stopAndReport(null);
    return false;
  }

  /** Makes the database safe: it has lost transactions that this process had committed. */
  async lostTransactions(): Promise<void> {
    await this.stopAndReport('lost_transactions');
  }

  /**
   * Resolves when the database is safe to send from: with what this process stopped, or null if the database is the known one. With
   * a `cause` everything is stopped in any case. One process works at a time; others wait for it.
   */
  async run(cause: StopCause | null): Promise<StoppedByRestore | null> {
    const stopped: StoppedByRestore = { jobs: 0, singleSends: 0, knownUntil: null };
    for (;;) {
      const step = await this.unitOfWork.run(() => this.step(cause, stopped));
      if (step === 'known') return stopped.jobs + stopped.singleSends > 0 ? stopped : null;
      if (step === 'done') return stopped;
      if (step === 'taken') await this.clock.sleep(LOCK_RETRY_MS);
    }
  }

  private async stopAndReport(cause: StopCause | null): Promise<void> {
    const stopped = await this.run(cause);
    if (stopped) this.telemetry.lostTransactions(stopped);
  }

  private async step(cause: StopCause | null, stopped: StoppedByRestore): Promise<'taken' | 'known' | 'more' | 'done'> {
    const state = await this.database.lock();
    if (state === null) return 'taken';
    if (state === 'known' && cause === null) return 'known';
    stopped.knownUntil ??= await this.database.lastRecordedAt();
    const stop = restoredFromBackup(stopped.knownUntil);
    const jobs = await this.database.pauseJobs(stop, STEP);
    this.unitOfWork.afterCommit(() => jobs.forEach((job) => this.telemetry.stopped(job, stop)));
    const singleSends = await this.singleSends.endOpenAsUnknown(STEP);
    stopped.jobs += jobs.length;
    stopped.singleSends += singleSends;
    if (jobs.length === STEP || singleSends === STEP) return 'more';
    await this.database.confirm(state === 'restored' || cause === 'restored');
    return 'done';
  }
}
