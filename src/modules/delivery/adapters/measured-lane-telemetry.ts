import { Counter, Histogram, type Registry } from 'prom-client';
import { labelledCounter } from '../../../infra/metrics/labelled-counter';
import type { Clock } from '../../../kernel/clock';
import type { JobStop, StoppedByRestore } from '../domain/job-stop';
import { type ThrottleReason, THROTTLES } from '../../bulk-jobs/domain/bulk-job';
import { LaneTelemetry, type NamedJob } from '../domain/lane-telemetry';
import type { LaneJob, OutcomeCounts } from '../domain/lane-job-store.port';
import type { LaneThrottle } from '../domain/lane-leases.port';

const BATCH_BUCKETS = [1, 2, 5, 10, 25, 50, 100, 250, 500];
const JOB_EVENTS = ['ended', 'failed', 'held', 'paused', 'repaired', 'resumed', 'scheduled_start', 'window_closed'];
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts the events of lanes and forwards them. */
export class MeasuredLaneTelemetry extends LaneTelemetry {
  private readonly lanes: Counter<'event'>;
  private readonly jobs: Counter<'event'>;
  private readonly steps: Counter;
  private readonly batches: Histogram;
  private readonly durations: Histogram;
  private readonly failures: Counter;
  private readonly throttledSeconds: Counter<'reason'>;
  /** The waits of lanes, by sender: reason and start. */
  private readonly waiting = new Map<string, { reason: string; since: number }>();

  constructor(
    private readonly telemetry: LaneTelemetry,
    private readonly clock: Pick<Clock, 'monotonic'>,
    registry: Registry,
  ) {
    super();
    const registers = [registry];
    this.lanes = labelledCounter(registry, {
      name: 'messaging_lane_changes_total',
      help: 'Lanes taken, released, and lost to another process.',
      label: 'event',
      values: ['taken', 'given_back', 'lost'],
    });
    this.jobs = labelledCounter(registry, {
      name: 'messaging_jobs_total',
      help:
        'Jobs by event: ended, started as scheduled, waited for messaging tier, template or send window, paused, ' +
        'resumed or failed by the service, counters repaired.',
      label: 'event',
      values: JOB_EVENTS,
    });
    const counter = (name: string, help: string): Counter => new Counter({ name, help, registers });
    this.steps = counter('messaging_engine_failures_total', 'Steps of lanes and sweeps that failed and are retried.');
    this.failures = counter(
      'messaging_recorder_failures_total',
      'Batches of responses that the database did not accept.',
    );
    this.batches = new Histogram({
      name: 'messaging_recorder_batch_answers',
      help: 'Responses recorded per transaction.',
      buckets: BATCH_BUCKETS,
      registers,
    });
    this.durations = new Histogram({
      name: 'messaging_recorder_batch_seconds',
      help: 'Time to record one batch of responses.',
      buckets: DURATION_BUCKETS,
      registers,
    });
    this.throttledSeconds = labelledCounter(registry, {
      name: 'messaging_lane_throttled_seconds_total',
      help: 'Seconds that lanes of this process waited for the platform, by reason, summed over lanes.',
      label: 'reason',
      values: Object.keys(THROTTLES),
      collect: () => this.accrue(),
    });
  }

  taken(senderId: string, epoch: string): void {
    this.lanes.inc({ event: 'taken' });
    this.telemetry.taken(senderId, epoch);
  }

  left(senderId: string, lost: boolean): void {
    this.lanes.inc({ event: lost ? 'lost' : 'given_back' });
    this.note(senderId, null);
    this.telemetry.left(senderId, lost);
  }

  throttled(senderId: string, throttle: LaneThrottle | null, jobs: readonly NamedJob[]): void {
    this.note(senderId, throttle);
    this.telemetry.throttled(senderId, throttle, jobs);
  }

  held(job: NamedJob, until: Date, reason: ThrottleReason): void {
    this.jobs.inc({ event: 'held' });
    this.telemetry.held(job, until, reason);
  }

  closed(job: NamedJob): void {
    this.jobs.inc({ event: 'window_closed' });
    this.telemetry.closed(job);
  }

  due(job: NamedJob): void {
    this.jobs.inc({ event: 'scheduled_start' });
    this.telemetry.due(job);
  }

  waitsForUnknown(job: NamedJob, until: Date): void {
    this.telemetry.waitsForUnknown(job, until);
  }

  stopped(job: NamedJob, stop: JobStop): void {
    this.jobs.inc({ event: stop.final ? 'failed' : 'paused' });
    this.telemetry.stopped(job, stop);
  }

  resumed(job: NamedJob): void {
    this.jobs.inc({ event: 'resumed' });
    this.telemetry.resumed(job);
  }

  ended(job: LaneJob): void {
    this.jobs.inc({ event: 'ended' });
    this.telemetry.ended(job);
  }

  repaired(job: LaneJob, counted: OutcomeCounts): void {
    this.jobs.inc({ event: 'repaired' });
    this.telemetry.repaired(job, counted);
  }

  recorded(answers: number, ms: number): void {
    this.batches.observe(answers);
    this.durations.observe(ms / 1000);
    this.telemetry.recorded(answers, ms);
  }

  notRecorded(error: unknown): void {
    this.failures.inc();
    this.telemetry.notRecorded(error);
  }

  lostTransactions(stopped: StoppedByRestore): void {
    this.telemetry.lostTransactions(stopped);
  }

  failed(senderId: string | null, error: unknown): void {
    this.steps.inc();
    this.telemetry.failed(senderId, error);
  }

  private note(senderId: string, throttle: LaneThrottle | null): void {
    this.accrue();
    if (throttle) this.waiting.set(senderId, { reason: throttle.reason, since: this.clock.monotonic() });
    else this.waiting.delete(senderId);
  }

  /** Counts current waits up to now, so that a long wait is visible while it lasts. */
  private accrue(): void {
    const now = this.clock.monotonic();
    for (const lane of this.waiting.values()) {
      this.throttledSeconds.inc({ reason: lane.reason }, (now - lane.since) / 1000);
      lane.since = now;
    }
  }
}
