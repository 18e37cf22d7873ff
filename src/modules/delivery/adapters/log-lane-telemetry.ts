import { Injectable, Logger } from '@nestjs/common';
import type { JobStop } from '../domain/job-stop';
import { LaneTelemetry } from '../domain/lane-telemetry';
import type { LaneJob, OutcomeCounts } from '../domain/lane-job-store.port';
import type { LaneThrottle } from '../domain/lane-leases.port';

const QUIET_MS = 5000;

/** Writes what lanes tell to the log; repeated failures at most every 5 s. */
@Injectable()
export class LogLaneTelemetry extends LaneTelemetry {
  private readonly logger = new Logger('Delivery');
  private failedAt = 0;

  taken(senderId: string, epoch: string): void {
    this.logger.log(`Lane of sender ${senderId} taken, epoch ${epoch}`);
  }

  left(senderId: string, lost: boolean): void {
    if (lost) this.logger.warn(`Lane of sender ${senderId} was taken over by another process`);
    else this.logger.log(`Lane of sender ${senderId} given back`);
  }

  throttled(senderId: string, throttle: LaneThrottle | null): void {
    if (throttle) {
      this.logger.warn(`Sender ${senderId} waits until ${throttle.until.toISOString()}: ${throttle.reason}`);
    } else this.logger.log(`Sender ${senderId} sends again`);
  }

  held(jobId: string, until: Date): void {
    this.logger.warn(`Job ${jobId} waits until ${until.toISOString()}: messaging_limit_reached`);
  }

  stopped(jobId: string, { final, reason }: JobStop): void {
    this.logger.warn(`Job ${jobId} ${final ? 'failed' : 'paused'}: ${reason}`);
  }

  resumed(jobId: string): void {
    this.logger.log(`Job ${jobId} resumes: its template is approved again`);
  }

  ended(jobId: string): void {
    this.logger.log(`Job ${jobId} ended`);
  }

  repaired(job: LaneJob, counted: OutcomeCounts): void {
    this.logger.error(
      `Job ${job.id}: counters said ${job.successfullySent} sent and ${job.failed} failed, its rows ${JSON.stringify(counted)}; repaired from the rows`,
    );
  }

  recorded(answers: number, ms: number): void {
    this.logger.debug(`${answers} answers recorded in ${Math.round(ms)} ms`);
  }

  notRecorded(error: unknown): void {
    this.logFailure('The database does not take answers, which are kept until it does', error);
  }

  failed(senderId: string | null, error: unknown): void {
    const what = senderId ? `A step of the lane of sender ${senderId} failed` : 'A step of the sweep failed';
    this.logFailure(`${what} and is retried`, error);
  }

  private logFailure(what: string, error: unknown): void {
    const now = Date.now();
    if (now - this.failedAt < QUIET_MS) return;
    this.failedAt = now;
    this.logger.error(what, error);
  }
}
