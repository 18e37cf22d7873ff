import { isOver } from '../../../client/job-events';
import type { BulkJobDto } from '../../../client/generated/types.gen';

/** How long delivery statuses are polled after a job has ended. */
const STATUS_WAIT_MS = 10 * 60_000;
const STATUS_POLL_MS = 3000;
/** Once every message is delivered or not, people still read them. */
const READ_POLL_MS = 15_000;

/** Whether the job is neither paused nor over, so that its counts may change. */
export function isMoving(job: Pick<BulkJobDto, 'status'> | undefined): boolean {
  return job !== undefined && !isOver(job) && job.status !== 'Paused';
}

/** Polling interval in milliseconds while delivery statuses may arrive, which have no event after the job's end; false: none. */
export function statusPollOf(job: BulkJobDto): number | false {
  const { completedAt, successfullySent, delivered = 0, undelivered = 0, read = 0 } = job;
  if (completedAt === null ? !isMoving(job) : Date.now() - Date.parse(completedAt) >= STATUS_WAIT_MS) return false;
  if (delivered + undelivered < successfullySent) return STATUS_POLL_MS;
  return read < delivered && READ_POLL_MS;
}
