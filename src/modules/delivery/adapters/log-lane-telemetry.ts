import { Injectable, Logger } from '@nestjs/common';
import { type ThrottleReason, THROTTLES } from '../../bulk-jobs/domain/bulk-job';
import { type JobStop, MISSED_SCHEDULE, type StoppedByRestore } from '../domain/job-stop';
import { LaneTelemetry, type NamedJob } from '../domain/lane-telemetry';
import type { LaneJob, OutcomeCounts } from '../domain/lane-job-store.port';
import type { LaneThrottle } from '../domain/lane-leases.port';
import { LaneMetrics } from './lane-metrics';

const QUIET_MS = 5000;
/** Shorter waits are not logged. */
const LONG_WAIT_MS = 60_000;

/** A wait of a lane, and the jobs it was logged for. */
interface LoggedWait {
  reason: LaneThrottle['reason'];
  jobs: Set<string>;
}

/** Logs the events of lanes, failures at most every 5 s, and counts them. */
@Injectable()
export class LogLaneTelemetry extends LaneTelemetry {
  private readonly logger = new Logger('Delivery');
  private failedAt = 0;
  /** By sender. */
  private readonly waits = new Map<string, LoggedWait>();

  constructor(private readonly metrics: LaneMetrics) {
    super();
  }

  taken(senderId: string, epoch: string): void {
    this.metrics.lanes.inc({ event: 'taken' });
    this.logger.log(`Lane of sender ${senderId} taken, epoch ${epoch}`);
  }

  left(senderId: string, lost: boolean): void {
    this.metrics.lanes.inc({ event: lost ? 'lost' : 'given_back' });
    this.metrics.throttled(senderId, null);
    this.waits.delete(senderId);
    if (lost) this.logger.warn(`Lane of sender ${senderId} was taken over by another process`);
    else this.logger.log(`Lane of sender ${senderId} released`);
  }

  /** Logs one line per job when a wait begins, even if its end is postponed, and one line when it ends. */
  throttled(senderId: string, throttle: LaneThrottle | null, jobs: readonly NamedJob[]): void {
    this.metrics.throttled(senderId, throttle);
    const current = this.waits.get(senderId);
    if (!throttle) {
      this.waits.delete(senderId);
      if (current) this.logger.log({ message: `Sender ${senderId} sends again`, senderId, reason: current.reason });
      return;
    }
    const { reason, until } = throttle;
    const wait = current?.reason === reason ? current : { reason, jobs: new Set<string>() };
    this.waits.set(senderId, wait);
    const why = `${THROTTLES[reason].when} Next attempt at ${until.toISOString()}`;
    if (wait !== current && jobs.length === 0) {
      this.logger.warn({ message: `Sender ${senderId} waits: ${why}`, senderId, reason });
    }
    for (const job of jobs.filter(({ id }) => !wait.jobs.has(id))) {
      wait.jobs.add(job.id);
      this.logger.warn({ ...fieldsOf(job, reason), senderId, message: `Job ${job.id} waits: ${why}` });
    }
  }

  held(job: NamedJob, until: Date, reason: ThrottleReason): void {
    this.metrics.jobs.inc({ event: 'held' });
    const isLong = until.getTime() - Date.now() > LONG_WAIT_MS;
    if (isLong || reason === 'template_limited') this.logWait(job, reason, until);
  }

  closed(job: NamedJob): void {
    this.metrics.jobs.inc({ event: 'window_closed' });
    const message = `Job ${job.id} waits for its send window: ${THROTTLES.send_window.when}`;
    this.logger.log({ ...fieldsOf(job, 'send_window'), message });
  }

  due(job: NamedJob): void {
    this.metrics.jobs.inc({ event: 'scheduled_start' });
    this.logger.log({ ...fieldsOf(job, 'scheduled'), message: `Job ${job.id} starts as scheduled` });
  }

  waitsForUnknown(job: NamedJob, until: Date): void {
    if (until.getTime() - Date.now() > LONG_WAIT_MS) this.logWait(job, 'unknown_outcomes', until);
  }

  stopped(job: NamedJob, stop: JobStop): void {
    const { final, problem, reason } = stop;
    this.metrics.jobs.inc({ event: final ? 'failed' : 'paused' });
    if (stop === MISSED_SCHEDULE) this.metrics.jobs.inc({ event: 'schedule_missed' });
    const message = `Job ${job.id} ${final ? 'failed' : 'paused'}: ${reason}`;
    this.logger.warn({ ...fieldsOf(job, problem), message });
  }

  resumed(job: NamedJob): void {
    this.metrics.jobs.inc({ event: 'resumed' });
    const message = `Job ${job.id} resumes: its template is approved again`;
    this.logger.log({ ...fieldsOf(job, 'template_approved'), message });
  }

  ended({ id: jobId, accountId, totalRecipients, successfullySent, failed }: LaneJob): void {
    this.metrics.jobs.inc({ event: 'ended' });
    const message = `Job ${jobId} ended: ${successfullySent} of ${totalRecipients} sent, ${failed} failed`;
    this.logger.log({ message, jobId, accountId, recipients: totalRecipients, successfullySent, failed });
  }

  repaired(job: LaneJob, counted: OutcomeCounts): void {
    this.metrics.jobs.inc({ event: 'repaired' });
    this.logger.error(
      `Job ${job.id}: counters ${job.successfullySent} sent and ${job.failed} failed, rows ` +
        `${JSON.stringify(counted)}; repaired from the rows`,
    );
  }

  recorded(answers: number, ms: number): void {
    this.metrics.batches.observe(answers);
    this.metrics.durations.observe(ms / 1000);
    this.logger.debug(`${answers} responses recorded in ${Math.round(ms)} ms`);
  }

  notRecorded(error: unknown): void {
    this.metrics.failures.inc();
    this.logFailure('The database does not accept responses; they are buffered until it does', error);
  }

  lostTransactions({ jobs, singleSends, knownUntil }: StoppedByRestore): void {
    this.logger.error(
      `The database lost its last transactions: unfinished jobs paused: ${jobs}; open single sends now Unknown: ${singleSends}. ` +
        `Its last record is from ${knownUntil?.toISOString() ?? 'no time'}. See "Backup and restore" in docs/operations.md`,
    );
  }

  failed(senderId: string | null, error: unknown): void {
    this.metrics.steps.inc();
    const what = senderId ? `A step of the lane of sender ${senderId} failed` : 'A step of the sweep failed';
    this.logFailure(`${what} and is retried`, error);
  }

  private logWait(job: NamedJob, reason: ThrottleReason, until: Date): void {
    const message = `Job ${job.id} waits until ${until.toISOString()}: ${THROTTLES[reason].when}`;
    this.logger.warn({ ...fieldsOf(job, reason), until: until.toISOString(), message });
  }

  private logFailure(what: string, error: unknown): void {
    const now = Date.now();
    if (now - this.failedAt < QUIET_MS) return;
    this.failedAt = now;
    this.logger.error(what, error);
  }
}

function fieldsOf({ id, accountId }: NamedJob, reason: string): object {
  return { jobId: id, accountId, reason };
}
