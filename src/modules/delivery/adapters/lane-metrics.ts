import { Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';
import { labelledCounter } from '../../../infra/metrics/labelled-counter';
import { Clock } from '../../../kernel/clock';
import { THROTTLES } from '../../bulk-jobs/domain/bulk-job';
import type { LaneThrottle } from '../domain/lane-leases.port';

const BATCH_BUCKETS = [1, 2, 5, 10, 25, 50, 100, 250, 500];
const JOB_EVENTS = [
  'ended',
  'failed',
  'held',
  'paused',
  'repaired',
  'resumed',
  'schedule_missed',
  'scheduled_start',
  'window_closed',
];
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of lanes, jobs and the recorder of this process. */
@Injectable()
export class LaneMetrics {
  readonly lanes: Counter<'event'>;
  readonly jobs: Counter<'event'>;
  readonly steps: Counter;
  readonly batches: Histogram;
  readonly durations: Histogram;
  readonly failures: Counter;
  private readonly throttledSeconds: Counter<'reason'>;
  /** The waits of lanes, by sender: reason and start. */
  private readonly waiting = new Map<string, { reason: string; since: number }>();

  constructor(
    registry: Registry,
    private readonly clock: Clock,
  ) {
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
        'resumed or failed by the service, failed for a missed schedule (counted as failed too), counters repaired.',
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

  /** Counts the seconds for which a lane waits until the next call for it; null: it does not wait. */
  throttled(senderId: string, throttle: LaneThrottle | null): void {
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
