import { STATE_WORDS } from '../../app/states';
import { t } from '../../language/translate';
import { isOver } from '../../../client/job-events';
import type { BulkJobDto } from '../../../client/generated/types.gen';

/** A job, from a list or in detail; lists leave out figures that are 0. */
export type CountedJob = Pick<
  BulkJobDto,
  | 'jobId'
  | 'status'
  | 'totalRecipients'
  | 'invalidRows'
  | 'successfullySent'
  | 'failed'
  | 'skipped'
  | 'unknown'
  | 'undelivered'
  | 'delivered'
  | 'read'
> &
  Partial<Pick<BulkJobDto, 'throttled'>>;

/** The word for the status of a job: one that is complete without reaching anybody does not look like a success. */
export function jobWord(job: CountedJob): string {
  if (isAwaitingConfirmation(job)) return t('Waiting for confirmation');
  return isWithoutSuccess(job) ? t('None reached') : STATE_WORDS[job.status];
}

/** Whether everything is sent, and only outcomes that the platform may still confirm are open. */
export function isAwaitingConfirmation({ status, throttled }: CountedJob): boolean {
  return !isOver({ status }) && throttled?.reason === 'unknown_outcomes';
}

/** Whether the job is over, though not cancelled, and nobody got its message. */
export function hasReachedNobody(job: CountedJob): boolean {
  return isWithoutSuccess(job) || (job.status === 'Failed' && job.successfullySent === 0);
}

/** Recipients without the message: those that the service counts as failed, for whatever reason, and those not delivered. */
export function notReached({ failed, undelivered = 0 }: CountedJob): number {
  return failed + undelivered;
}

/** Whether the job is complete and nobody got its message, not only because of invalid rows and opt-outs. */
export function isWithoutSuccess(job: CountedJob): boolean {
  const { status, totalRecipients, skipped = 0, invalidRows = 0 } = job;
  return status === 'Completed' && notReached(job) >= totalRecipients && notReached(job) > skipped + invalidRows;
}
