import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { SingleSends } from '../../sending/domain/single-sends.service';
import { restoredFromBackup } from './job-stop';
import { LaneTelemetry } from './lane-telemetry';
import { RestoredDatabase } from './restored-database.port';

/** What was stopped because the database was restored. */
export interface StoppedByRestore {
  /** Unfinished jobs that are paused now. */
  jobs: number;
  /** Single sends that were open and are Unknown now. */
  singleSends: number;
  /** What was sent after this moment is not known to the database; null: it knows of no message at all. */
  knownUntil: Date | null;
}

const STEP = 500;
const ASK_AGAIN_MS = 200;

/**
 * Keeps a restored database from sending again what was sent after its backup: unfinished jobs wait until a person decides,
 * and single sends that were open are Unknown.
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
   * Resolves when the database is safe to send from: with what this process stopped, or null where the database was not restored.
   * `told` stops everything in any case. Of several processes one works at a time, and the others wait for it.
   */
  async run(told: boolean): Promise<StoppedByRestore | null> {
    const stopped: StoppedByRestore = { jobs: 0, singleSends: 0, knownUntil: null };
    for (;;) {
      const step = await this.unitOfWork.run(() => this.step(told, stopped));
      if (step === 'known') return stopped.jobs + stopped.singleSends > 0 ? stopped : null;
      if (step === 'done') return stopped;
      if (step === 'taken') await this.clock.sleep(ASK_AGAIN_MS);
    }
  }

  private async step(told: boolean, stopped: StoppedByRestore): Promise<'taken' | 'known' | 'more' | 'done'> {
    const state = await this.database.lock();
    if (state === null) return 'taken';
    if (state === 'known' && !told) return 'known';
    stopped.knownUntil ??= await this.database.lastRecordedAt();
    const stop = restoredFromBackup(stopped.knownUntil);
    const jobs = await this.database.pauseJobs(stop, STEP);
    this.unitOfWork.afterCommit(() => jobs.forEach((job) => this.telemetry.stopped(job, stop)));
    const singleSends = await this.singleSends.endOpenAsUnknown(STEP);
    stopped.jobs += jobs.length;
    stopped.singleSends += singleSends;
    if (jobs.length === STEP || singleSends === STEP) return 'more';
    await this.database.confirm();
    return 'done';
  }
}
