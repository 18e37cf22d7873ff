import type { BulkJobDetailDto, JobFailureDto, RetryJobDto } from '../../../client/generated/types.gen';
import { UNCONFIRMED } from '../../../client/job-figures';
import { isWorthRetrying } from './failure-groups';

export type RetryScope = NonNullable<RetryJobDto['scope']>;
type Failure = Pick<JobFailureDto, 'errorCode' | 'retryable' | 'failed' | 'undelivered'>;

/** The scope that a retry starts with: the first that has recipients worth a retry or, if none has, any recipients. */
export function defaultScope(
  job: Pick<BulkJobDetailDto, 'failed' | 'unknown' | 'undelivered'>,
  failures: readonly Failure[],
): Exclude<RetryScope, 'all'> {
  if (worthRetrying('failed', failures) > 0) return 'failed';
  if (worthRetrying('undelivered', failures) > 0) return 'undelivered';
  if (job.failed - job.unknown > 0) return 'failed';
  return job.undelivered > 0 ? 'undelivered' : job.unknown > 0 ? 'unknown' : 'failed';
}

/** The number of recipients in the scope that are worth a retry, without regard to earlier retries. */
export function worthRetrying(scope: Exclude<RetryScope, 'all'>, failures: readonly Failure[]): number {
  return failures.filter(isWorthRetrying).reduce((sum, { errorCode, failed, undelivered }) => {
    if (scope === 'undelivered') return sum + undelivered;
    return (errorCode === UNCONFIRMED) === (scope === 'unknown') ? sum + failed : sum;
  }, 0);
}
