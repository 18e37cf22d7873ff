import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { validityBeginsAnew } from '../../bulk-jobs/domain/bulk-job';
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

const LOOK_EVERY_MS = 15_000;
const JITTER_MS = 1_000;
const JOBS_AT_ONCE = 200;

/**
 * Stops the jobs of a template that cannot be sent any more, and resumes those that wait for one that can. What happened is
 * only why it looks: it acts on what stands in the database, so whatever was missed is found at the next look.
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
      everyMs: LOOK_EVERY_MS,
      jitterMs: JITTER_MS,
      round: () => this.follow(),
      failed: (error) => telemetry.failed(null, error),
    });
  }

  /** Templates have changed in the surrounding unit of work: looks once it has committed. */
  apply(changes: readonly TemplateStatusChange[]): Promise<void> {
    // Not inside of it: templates are locked there, and whoever holds a job may wait for one of them.
    if (changes.length > 0) this.unitOfWork.afterCommit(() => this.loop.wake());
    return Promise.resolve();
  }

  /** Begins to follow the templates: at every change and every 15 seconds. */
  start(): void {
    this.loop.start();
  }

  /** Resolves after the round under way. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Brings all jobs to where their templates let them be. */
  async follow(): Promise<void> {
    for (let found = JOBS_AT_ONCE; found === JOBS_AT_ONCE;) {
      const misplaced = await this.store.misplaced(JOBS_AT_ONCE);
      for (const { jobId, templateName, languageCode, status } of misplaced) {
        const stop = stoppedByTemplate(templateName, languageCode, status);
        const stopped = await this.jobs.stop(jobId, stop);
        if (stopped) this.telemetry.stopped(stopped, stop);
      }
      found = misplaced.length;
    }
    for (let found = JOBS_AT_ONCE; found === JOBS_AT_ONCE;) {
      const waiting = await this.store.waiting(WAITING_FOR_TEMPLATE, JOBS_AT_ONCE);
      for (const job of waiting) await this.resume(job);
      found = waiting.length;
    }
    for (const accountId of await this.store.doubtedAccounts(WAITING_FOR_TEMPLATE)) this.syncSignal.wanted(accountId);
  }

  private async resume({ id, accountId, senderId, revisionId, currentRevisionId }: WaitingJob): Promise<void> {
    const [own, current] = await Promise.all([
      this.templates.revision(revisionId),
      this.templates.revision(currentRevisionId),
    ]);
    if (!own.takesSameAs(current)) {
      const { problem, reason } = CHANGED_TEMPLATE;
      const explained = await this.store.explain(id, WAITING_FOR_TEMPLATE, problem, reason);
      if (explained) this.telemetry.stopped({ id, accountId }, CHANGED_TEMPLATE);
      return;
    }
    const resumed = await this.unitOfWork.run(async () => {
      const job = await this.store.lock(id, WAITING_FOR_TEMPLATE);
      if (job) await this.store.resume(id, currentRevisionId, validUntilAgain(job, this.clock.now()));
      return job !== null;
    });
    if (!resumed) return;
    this.telemetry.resumed({ id, accountId });
    this.signal.runnable(senderId);
  }
}

/** The new end of a validity that counts anew, as when a client resumes the job; undefined: it stays as it is. */
function validUntilAgain(job: JobValidity, now: Date): Date | undefined {
  if (job.validForSeconds === null || !validityBeginsAnew(job)) return undefined;
  return new Date(firstMoment(job, now).getTime() + job.validForSeconds * 1000);
}
