import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { StatusChange } from '../../messages/domain/status-update';
import { JobStatusStore } from './job-status-store.port';
import { type JobStop, MAX_REFUSALS_IN_ROW, refusedByPlatform, refusedInRow } from './job-stop';
import { LaneTelemetry } from './lane-telemetry';

/** Jobs whose runs of failures are remembered at the same time. */
const MAX_JOBS = 1000;

/**
 * Stops jobs for failures that the platform reports after it accepted the messages, by the rules for refusals at once: for a
 * failure of the whole job, and after MAX_REFUSALS_IN_ROW failures of messages without a delivery between them. Many problems,
 * such as unusable media or a failed payment, are usually reported in this way alone. Each process counts the statuses that it
 * receives.
 */
@Injectable()
export class StatusStops {
  private readonly failuresInRow = new Map<string, number>();

  constructor(
    private readonly store: JobStatusStore,
    private readonly telemetry: LaneTelemetry,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Counts these changes and stops their jobs where necessary, once the surrounding unit of work has committed. */
  apply(changes: readonly StatusChange[]): Promise<void> {
    // Not among the changes: messages are locked there, and jobs come before messages.
    if (changes.length > 0) this.unitOfWork.afterCommit(() => this.stopJobs(changes));
    return Promise.resolve();
  }

  private stopJobs(changes: readonly StatusChange[]): void {
    const stops = new Map<string, JobStop>();
    for (const change of changes) {
      const stop = this.reasonToStop(change);
      if (change.jobId !== null && stop) stops.set(change.jobId, stop);
    }
    for (const [jobId, stop] of stops) void this.stop(jobId, stop);
  }

  private reasonToStop({ jobId, problem, scope }: StatusChange): JobStop | null {
    if (jobId === null) return null;
    // A failure of one recipient says nothing about the others, just as when it is refused at once.
    if (problem === null) this.failuresInRow.delete(jobId);
    if (problem === null || scope === 'recipient') return null;
    const { code, message, platformCode } = problem;
    if (scope === 'job') return refusedByPlatform(code, message, platformCode);
    const inRow = (this.failuresInRow.get(jobId) ?? 0) + 1;
    this.failuresInRow.delete(jobId);
    if (inRow >= MAX_REFUSALS_IN_ROW) return refusedInRow(message, platformCode);
    this.failuresInRow.set(jobId, inRow);
    if (this.failuresInRow.size > MAX_JOBS) this.failuresInRow.delete(this.failuresInRow.keys().next().value!);
    return null;
  }

  private async stop(jobId: string, stop: JobStop): Promise<void> {
    try {
      if (await this.store.stop(jobId, stop)) this.telemetry.stopped(jobId, stop);
    } catch (error) {
      // Further failures of the job stop it.
      this.telemetry.failed(null, error);
    }
  }
}
