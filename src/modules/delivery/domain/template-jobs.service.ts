import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { SenderSignal } from '../../sending/domain/sender-signal';
import { SyncSignal } from '../../templates/domain/sync-signal';
import type { TemplateStatusChange } from '../../templates/domain/template-changes';
import { TemplatesService } from '../../templates/domain/templates.service';
import { JobStatusStore } from './job-status-store.port';
import { CHANGED_TEMPLATE, stoppedByTemplate, WAITING_FOR_TEMPLATE } from './job-stop';
import { LaneJournal } from './lane-journal';
import { TemplateJobStore, type WaitingJob } from './template-job-store.port';

const LOOK_EVERY_MS = 15_000;
const JITTER_MS = 1_000;
const JOBS_AT_ONCE = 200;

/**
 * Stops the jobs of a template that can be sent no more, and lets those go on that wait for one that can. What happened is
 * only why it looks: it acts on what stands in the database, so whatever was missed is found at the next look.
 */
@Injectable()
export class TemplateJobs {
  private stopping = false;
  private woken = new AbortController();
  private looking: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: TemplateJobStore,
    private readonly jobs: JobStatusStore,
    private readonly templates: TemplatesService,
    private readonly journal: LaneJournal,
    private readonly signal: SenderSignal,
    private readonly syncSignal: SyncSignal,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Templates have changed in the surrounding unit of work: looks once it has committed. */
  heed(changes: readonly TemplateStatusChange[]): Promise<void> {
    // Not inside of it: templates are locked there, and whoever holds a job may wait for one of them.
    if (changes.length > 0) this.unitOfWork.afterCommit(() => this.woken.abort());
    return Promise.resolve();
  }

  /** Begins to look, at every change and every 15 seconds. */
  start(): void {
    this.looking = this.run();
  }

  /** Ends after the look under way. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.woken.abort();
    await this.looking;
  }

  /** Brings all jobs to where their templates let them be. */
  async follow(): Promise<void> {
    for (let found = JOBS_AT_ONCE; found === JOBS_AT_ONCE;) {
      const misplaced = await this.store.misplaced(JOBS_AT_ONCE);
      for (const { jobId, templateName, languageCode, status } of misplaced) {
        const stop = stoppedByTemplate(templateName, languageCode, status);
        if (await this.jobs.stop(jobId, stop)) this.journal.stopped(jobId, stop);
      }
      found = misplaced.length;
    }
    for (let found = JOBS_AT_ONCE; found === JOBS_AT_ONCE;) {
      const waiting = await this.store.waiting(WAITING_FOR_TEMPLATE, JOBS_AT_ONCE);
      for (const job of waiting) await this.goOn(job);
      found = waiting.length;
    }
    for (const accountId of await this.store.doubtedAccounts(WAITING_FOR_TEMPLATE)) this.syncSignal.wanted(accountId);
  }

  private async goOn({ jobId, senderId, revisionId, currentRevisionId }: WaitingJob): Promise<void> {
    const [own, current] = await Promise.all([
      this.templates.revision(revisionId),
      this.templates.revision(currentRevisionId),
    ]);
    if (!own.takesSameAs(current)) {
      const { problem, reason } = CHANGED_TEMPLATE;
      await this.store.explain(jobId, WAITING_FOR_TEMPLATE, problem, reason);
      return;
    }
    if (!(await this.store.resume(jobId, WAITING_FOR_TEMPLATE, currentRevisionId))) return;
    this.journal.resumed(jobId);
    this.signal.runnable(senderId);
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.woken = new AbortController();
      try {
        await this.follow();
      } catch (error) {
        this.journal.failed(null, error);
      }
      // A wake during the look ends the wait at once.
      if (!this.stopping) await this.clock.sleep(LOOK_EVERY_MS + this.clock.jitter(JITTER_MS), this.woken.signal);
    }
  }
}
