import type { ThrottleScope } from '../../sending/domain/answer';
import { TEMPLATE_WAIT_MS } from '../../sending/domain/send-state';
import type { LaneJob } from './lane-job-store.port';
import type { LaneParts } from './lane-parts';
import type { Lease } from './lease';

/** Delays the jobs whose template messages the platform limits. */
export class TemplateHolds {
  constructor(
    private readonly parts: Pick<LaneParts, 'jobs' | 'telemetry'>,
    private readonly lease: Lease,
  ) {}

  /**
   * Delays these running jobs of the lane; if all template messages of the account are limited, also those of its other senders. Never
   * rejects: a later refusal retries what failed.
   */
  async hold(limited: readonly { snapshot: LaneJob }[], scope: ThrottleScope): Promise<void> {
    try {
      for (const job of limited) await this.holdOwn(job);
      if (scope === 'templates' && limited.length > 0) await this.holdOfOthers();
    } catch (error) {
      this.parts.telemetry.failed(this.lease.senderId, error);
    }
  }

  private async holdOwn(job: { snapshot: LaneJob }): Promise<void> {
    const { snapshot } = job;
    job.snapshot = { ...snapshot, held: true };
    const until = await this.parts.jobs.hold(snapshot.id, this.lease.epoch, TEMPLATE_WAIT_MS);
    if (until) this.parts.telemetry.held(snapshot, until, 'template_limited');
  }

  private async holdOfOthers(): Promise<void> {
    const held = await this.parts.jobs.holdOfOtherSenders(this.lease.senderId, TEMPLATE_WAIT_MS);
    for (const { until, ...job } of held) this.parts.telemetry.held(job, until, 'template_limited');
  }
}
