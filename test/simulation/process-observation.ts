import { Loop } from '../../src/kernel/loop';
import type { BulkJobStore } from '../../src/modules/bulk-jobs/domain/bulk-job-store.port';
import type { BulkJobsService } from '../../src/modules/bulk-jobs/domain/bulk-jobs.service';
import type { ConversationsService } from '../../src/modules/chat-history/domain/conversations.service';
import type { ActivityStore } from '../../src/modules/delivery/domain/activity-store.port';
import { ActivityService } from '../../src/modules/delivery/domain/activity.service';
import type { JobStatuses } from '../../src/modules/delivery/domain/job-statuses';
import type { LaneTelemetry } from '../../src/modules/delivery/domain/lane-telemetry';
import { LiveUpdates } from '../../src/modules/live/adapters/live-updates';
import type { Clock } from '../../src/kernel/clock';

/** The stores of counting and streaming. */
export interface ObservationStores {
  activity: ActivityStore;
  jobs: Pick<BulkJobStore, 'live'>;
}

interface ObservationParts {
  stores: ObservationStores;
  statuses: JobStatuses;
  clock: Clock;
  telemetry: LaneTelemetry;
}

const COUNT_EVERY_MS = 1000;
const NO_CONVERSATIONS = {} as ConversationsService;

/** The observing parts of one process: counts statuses and activity, and streams the progress of jobs. */
export class ProcessObservation {
  readonly streams: LiveUpdates;
  private readonly statuses: JobStatuses;
  private readonly counting: Loop;

  constructor({ stores, statuses, clock, telemetry }: ObservationParts) {
    const live: BulkJobsService['live'] = async (...of) =>
      (await stores.jobs.live(...of)).map((job) => ({ job, throttled: null }));
    this.streams = new LiveUpdates({ live } as Partial<BulkJobsService> as BulkJobsService, NO_CONVERSATIONS, clock);
    this.statuses = statuses;
    const activity = new ActivityService(stores.activity);
    this.counting = new Loop({
      ...{ name: 'activity', clock, everyMs: COUNT_EVERY_MS, jitterMs: 0 },
      round: (stopped) => activity.count(stopped),
      failed: (error) => telemetry.failed(null, error),
    });
  }

  start(): void {
    this.statuses.start();
    this.counting.start();
    this.streams.onApplicationBootstrap();
  }

  async stop(): Promise<void> {
    await Promise.all([this.statuses.stop(), this.counting.stop(), this.streams.onModuleDestroy()]);
  }
}
