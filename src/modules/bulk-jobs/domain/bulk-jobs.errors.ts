import { domainError } from '../../../kernel/domain-error';
import { ServiceUnavailableError } from '../../../kernel/request.errors';
import { allowedActions, type BulkJob, type JobAction } from './bulk-job';

/** The account has no job with this id, or the job is still being stored. */
export class JobNotFoundError extends domainError({
  code: 'job_not_found',
  kind: 'not_found',
  when: 'No job of the account has this id.',
  remedy: 'List your jobs with `GET /bulk-jobs`.',
}) {
  constructor() {
    super('No bulk job has this id. List your jobs with GET /bulk-jobs.');
  }
}

/** The status of the job does not allow the action. */
export class InvalidJobStateError extends domainError({
  code: 'invalid_job_state',
  kind: 'conflict',
  when: 'The state of the job does not allow this action.',
  remedy: 'Use one of `allowedActions`, or wait until the state changes.',
  extra: {
    currentStatus: { type: 'string', description: 'the state of the job', example: 'Completed' },
    allowedActions: { type: 'array', description: 'actions that are possible now', example: ['retry'] },
  },
}) {
  override readonly extra: Readonly<Record<string, unknown>>;

  constructor(action: JobAction | 'change', job: BulkJob) {
    const currentStatus = job.status;
    const allowed = allowedActions(job);
    const remedy = allowed.length === 0 ? 'It is finished.' : `Allowed now: ${allowed.join(', ')}.`;
    super(`The action "${action}" is not allowed for a job that is ${currentStatus}. ${remedy}`);
    this.extra = { currentStatus, allowedActions: allowed };
  }
}

/** The recipients of the job were deleted because their retention expired. */
export class RecipientsExpiredError extends domainError({
  code: 'recipients_expired',
  kind: 'conflict',
  when: 'The recipients of the job have expired and were deleted.',
  remedy: 'Send to the recipients again from a file or a group of your own.',
}) {
  constructor() {
    super('The recipients of this job have expired and were deleted. Send to them again from a file or a group.');
  }
}

/** No recipient of the job matches the retry. */
export class NothingToRetryError extends domainError({
  code: 'nothing_to_retry',
  kind: 'unprocessable',
  when: 'The retry selects no recipient of the job.',
  remedy: 'Choose another `scope` or other `errorCodes`.',
}) {
  constructor(leftOut: readonly string[]) {
    super(['No recipient of this job matches the retry. Nothing was created.', ...leftOut].join(' '));
  }
}

/** With `skipRetried`: a retry whose people should be left out was created meanwhile. */
export class AlreadyRetriedError extends domainError({
  code: 'already_retried',
  kind: 'conflict',
  when: 'With `skipRetried`, another retry of the same job was created at the same time; nothing was created.',
  remedy: 'Send the request again: it then leaves out the people of the other retry.',
  extra: {
    jobId: { type: 'string', description: 'the other retry', example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a13' },
  },
}) {
  override readonly extra: { jobId: string };

  constructor(jobId: string) {
    super(
      `Job ${jobId} was created at the same time and may retry some of these recipients. Nothing was created. Send the request ` +
        'again: it then leaves them out.',
    );
    this.extra = { jobId };
  }
}

/** The groups have no contact to send to. */
export class GroupEmptyError extends domainError({
  code: 'group_empty',
  kind: 'unprocessable',
  when: 'The groups have no contact, or all are excluded.',
  remedy: 'Add contacts to the group, or exclude fewer.',
}) {
  constructor(leftOut: number) {
    super(
      leftOut === 0
        ? 'The group has no contacts. Add contacts to it first.'
        : `No contact is left to send to. Left out by excludeGroupIds or notReachedBy: ${leftOut}.`,
    );
  }
}

/** Storing took too long, and a sweep removed the job. */
export class IntakeLostError extends ServiceUnavailableError {
  constructor() {
    super('The recipients could not be stored in time. Nothing was created: repeat the request.');
  }
}
