import { DomainError } from '../../../kernel/domain-error';
import { allowedActions, type BulkJob, type JobAction } from './bulk-job';

/** No job of this account has that id, or it is not stored completely yet. */
export class JobNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'job_not_found';

  constructor() {
    super('There is no bulk job with this id. List your jobs with GET /bulk-jobs.');
  }
}

/** The job is in a state that does not allow the action. */
export class InvalidJobStateError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'invalid_job_state';
  override readonly extra: Readonly<Record<string, unknown>>;

  constructor(action: JobAction, job: BulkJob) {
    const currentStatus = job.status;
    const allowed = allowedActions(job);
    const remedy = allowed.length === 0 ? 'It is finished.' : `What can be done now: ${allowed.join(', ')}.`;
    super(`A job that is ${currentStatus} cannot take the action "${action}". ${remedy}`);
    this.extra = { currentStatus, allowedActions: allowed };
  }
}

/** The recipients of the job were deleted because their time was over. */
export class RecipientsExpiredError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'recipients_expired';

  constructor() {
    super('The recipients of this job are not kept any more: send them again from a file or a group of your own.');
  }
}

/** No recipient of the job is one that the retry asks for. */
export class NothingToRetryError extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'nothing_to_retry';

  constructor(leftOut: readonly string[]) {
    super(['No recipient of this job is one that you ask to try again. Nothing was created.', ...leftOut].join(' '));
  }
}

/** The group has nobody to send to. */
export class GroupEmptyError extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'group_empty';

  constructor() {
    super('The group has no contacts with a phone number. Add contacts to it first.');
  }
}

/** Storing took so long that the job was given up by a sweep: nothing is kept. */
export class IntakeLostError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';
  override readonly retryAfterSeconds = 5;

  constructor() {
    super('The recipients could not be stored in time. Nothing was created: send the request again.');
  }
}
