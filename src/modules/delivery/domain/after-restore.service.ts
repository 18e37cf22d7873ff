import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { SingleSends } from '../../sending/domain/single-sends.service';
import { restoredFromBackup, type StoppedByRestore } from './job-stop';
import { LaneTelemetry } from './lane-telemetry';
import { RestoredDatabase } from './restored-database.port';

const STEP = 500;
const ASK_AGAIN_MS = 200;

/** Why everything is stopped although the database says that it is the known one: an operator says so, or a lane has seen it. */
export type Known = 'restored' | 'went_back';

/**
 * Keeps a database that was restored, or that went back because a standby without its last transactions took over, from sending
 * again what was sent after its last record: unfinished jobs wait until a person decides, and single sends that were open are
 * Unknown.
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
   * Looks whether the database is still the one that this process knows; if not, makes it safe, and false: whatever this process
   * has read of it is outdated.
   */
  async check(): Promise<boolean> {
    if (await this.database.look()) return true;
    await this.stopAgain(null);
    return false;
  }

  /** The database is behind what this process has committed: makes it safe. */
  async wentBack(): Promise<void> {
    await this.stopAgain('went_back');
  }

  /**
   * Resolves when the database is safe to send from: with what this process stopped, or null where the database is the known one.
   * `known` stops everything in any case. Of several processes one works at a time, and the others wait for it.
   */
  async run(known: Known | null): Promise<StoppedByRestore | null> {
    const stopped: StoppedByRestore = { jobs: 0, singleSends: 0, knownUntil: null };
    for (;;) {
      const step = await this.unitOfWork.run(() => this.step(known, stopped));
      if (step === 'known') return stopped.jobs + stopped.singleSends > 0 ? stopped : null;
      if (step === 'done') return stopped;
      if (step === 'taken') await this.clock.sleep(ASK_AGAIN_MS);
    }
  }

  private async stopAgain(known: Known | null): Promise<void> {
    const stopped = await this.run(known);
    if (stopped) this.telemetry.wentBack(stopped);
  }

  private async step(known: Known | null, stopped: StoppedByRestore): Promise<'taken' | 'known' | 'more' | 'done'> {
    const state = await this.database.lock();
    if (state === null) return 'taken';
    if (state === 'known' && known === null) return 'known';
    stopped.knownUntil ??= await this.database.lastRecordedAt();
    const stop = restoredFromBackup(stopped.knownUntil);
    const jobs = await this.database.pauseJobs(stop, STEP);
    this.unitOfWork.afterCommit(() => jobs.forEach((job) => this.telemetry.stopped(job, stop)));
    const singleSends = await this.singleSends.endOpenAsUnknown(STEP);
    stopped.jobs += jobs.length;
    stopped.singleSends += singleSends;
    if (jobs.length === STEP || singleSends === STEP) return 'more';
    await this.database.confirm(state === 'restored' || known === 'restored');
    return 'done';
  }
}
