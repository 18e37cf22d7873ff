import { windowColumns } from '../fakes/lane-rows';
import type { JobRow } from '../fakes/engine-rows';
import { type NewJob, newJobRow } from './history-rows';
import type { PlannedJob } from './plan';
import type { Scheduler } from './scheduler';

/** A planned job as its import leaves it. */
export function jobRow(planned: PlannedJob, job: NewJob, isHeld: boolean, scheduler: Scheduler): JobRow {
  const { invalid, scheduledAt, size, validForMs, window } = planned;
  const { createdAt } = job;
  return {
    ...newJobRow(job),
    status: isHeld ? 'Paused' : scheduledAt === null ? 'Queued' : 'Scheduled',
    ...{ totalRecipients: size, atRest: isHeld, failed: invalid.length, pausedAt: isHeld ? createdAt : null },
    ...(window && windowColumns(window)),
    scheduledAt: scheduledAt === null ? null : scheduler.dateAt(scheduledAt),
    validForSeconds: validForMs === null ? null : Math.ceil(validForMs / 1000),
    validUntil: validForMs === null || isHeld ? null : new Date(createdAt.getTime() + validForMs),
  };
}
