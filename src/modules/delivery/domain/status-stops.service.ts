import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { MessageProblem } from '../../messages/domain/message';
import type { StatusChange } from '../../messages/domain/status-update';
import { JobStatusStore } from './job-status-store.port';
import { LaneTelemetry } from './lane-telemetry';
import { refusedByPlatform } from './job-stop';

/**
 * Stops jobs of whose messages the platform says afterwards what it could have said at once: that none of them can go
 * out. A payment that fails or a template that is paused is often reported in this way alone.
 */
@Injectable()
export class StatusStops {
  constructor(
    private readonly store: JobStatusStore,
    private readonly telemetry: LaneTelemetry,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Stops what these changes speak against, once the surrounding unit of work has committed. */
  apply(changes: readonly StatusChange[]): Promise<void> {
    const stops = new Map<string, MessageProblem>();
    for (const { jobId, stop } of changes) if (jobId !== null && stop) stops.set(jobId, stop);
    for (const [jobId, problem] of stops) {
      // Not among the changes: messages are locked there, and jobs come before messages.
      this.unitOfWork.afterCommit(() => void this.stop(jobId, problem));
    }
    return Promise.resolve();
  }

  private async stop(jobId: string, { code, message, platformCode }: MessageProblem): Promise<void> {
    const stop = refusedByPlatform(code, message, platformCode);
    try {
      if (await this.store.stop(jobId, stop)) this.telemetry.stopped(jobId, stop);
    } catch (error) {
      // The next message of the job that fails like this one stops it.
      this.telemetry.failed(null, error);
    }
  }
}
