import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { validityRestarts } from '../../bulk-jobs/domain/bulk-job';
import { firstMoment } from '../../bulk-jobs/domain/job-timing';
import { Loop } from '../../../kernel/loop';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { SenderSignal } from '../../sending/domain/sender-signal';
import { SyncSignal } from '../../templates/domain/sync-signal';
import type { TemplateStatusChange } from '../../templates/domain/template-changes';
import { TemplatesService } from '../../templates/domain/templates.service';
import { JobStatusStore } from './job-status-store.port';
import { CHANGED_TEMPLATE, stoppedByTemplate, WAITING_FOR_TEMPLATE } from './job-stop';
import { LaneTelemetry } from './lane-telemetry';
import { type JobValidity, TemplateJobStore, type WaitingJob } from './template-job-store.port';

const CHECK_EVERY_MS = 15_000;
const JITTER_MS = 1_000;
const JOBS_AT_ONCE = 200;

/**
 * Stops jobs whose template can no longer be sent, and resumes jobs that wait for a template once it is approved. Changes only trigger
 * a check, which acts on the state of the database, so a missed change is found by the next check.
 */
@Injectable()
export class TemplateJobs {
  private readonly loop: Loop;

  constructor(
    private readonly store: TemplateJobStore,
    private readonly jobs: JobStatusStore,
    private readonly templates: TemplatesService,
    private readonly telemetry: LaneTelemetry,
    private readonly signal: SenderSignal,
    private readonly syncSignal: SyncSignal,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    this.loop = new Loop({
      name: 'template_jobs',
      clock,
      everyMs: CHECK_EVERY_MS,
      jitterMs: JITTER_MS,
      round: () => this.check(),
      failed: (error) => telemetry.failed(null, error),
    });
  }

  /** Checks jobs after the surrounding unit of work, which has changed templates, has committed. */
  apply(changes: readonly TemplateStatusChange[]): Promise<void> {
    // After the commit: templates are locked in this unit of work, and a transaction that has locked a job may wait for one.
    if (changes.length > 0) this.unitOfWork.afterCommit(() => this.loop.wake());
    return Promise.resolve();
  }

  /** Starts checking: at every change and every 15 seconds. */
  start(): void {
    this.loop.start();
  }

  /** Resolves after the current round. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Stops and resumes all jobs according to their templates. */
  async check(): Promise<void> {
    for (let found = JOBS_AT_ONCE; found === JOBS_AT_ONCE;) {
      const unsendable = await this.store.unsendable(JOBS_AT_ONCE);
      for (const { jobId, templateName, languageCode, status } of unsendable) {
        const stop = stoppedByTemplate(templateName, languageCode, status);
        const stopped = await this.jobs.stop(jobId, stop);
        if (stopped) this.telemetry.stopped(stopped, stop);
      }
      found = unsendable.length;
    }
    for (let found = JOBS_AT_ONCE; found === JOBS_AT_ONCE;) {
      const waiting = await this.store.waiting(WAITING_FOR_TEMPLATE, JOBS_AT_ONCE);
      for (const job of waiting) await this.resume(job);
      found = waiting.length;
    }
    for (const accountId of await this.store.accountsToSync(WAITING_FOR_TEMPLATE)) this.syncSignal.request(accountId);
  }

  private async resume({ id, accountId, senderId, revisionId, currentRevisionId }: WaitingJob): Promise<void> {
    const [before, current] = await Promise.all([
      this.templates.revision(revisionId),
      this.templates.revision(currentRevisionId),
    ]);
    if (!before.acceptsSameValuesAs(current)) {
      const { problem, reason } = CHANGED_TEMPLATE;
      const isChanged = await this.store.changeReason(id, WAITING_FOR_TEMPLATE, problem, reason);
      if (isChanged) this.telemetry.stopped({ id, accountId }, CHANGED_TEMPLATE);
      return;
    }
    const resumed = await this.unitOfWork.run(async () => {
      const job = await this.store.lock(id, WAITING_FOR_TEMPLATE);
      if (job) await this.store.resume(id, currentRevisionId, restartedValidity(job, this.clock.now()));
      return job !== null;
    });
    if (!resumed) return;
    this.telemetry.resumed({ id, accountId });
    this.signal.runnable(senderId);
  }
}

/** The end of a validity that restarts, as when a client resumes the job; undefined: it does not restart. */
function restartedValidity(job: JobValidity, now: Date): Date | undefined {
  if (job.validForSeconds === null || !validityRestarts(job)) return undefined;
  return new Date(firstMoment(job, now).getTime() + job.validForSeconds * 1000);
}
