import type { JobFailureDto, RetryJobDto } from '../../../client/generated/types.gen';
import { UNCONFIRMED } from '../../../client/job-figures';
import { isWorthRetrying } from './failure-groups';

export type RetryScope = NonNullable<RetryJobDto['scope']>;
type Failure = Pick<JobFailureDto, 'errorCode' | 'retryable' | 'failed' | 'undelivered'>;

const SCOPES = ['failed', 'undelivered', 'unknown'] as const;

/** The scope that a retry starts with: the first that has recipients worth a retry or, if none has, recipients that can be retried. */
export function defaultScope(failures: readonly Failure[]): Exclude<RetryScope, 'all'> {
  const retryable = failures.filter((failure) => failure.retryable);
  return (
    SCOPES.find((scope) => worthRetrying(scope, failures) > 0) ??
    SCOPES.find((scope) => numberIn(scope, retryable) > 0) ??
    'failed'
  );
}

/** The number of recipients in the scope that are worth a retry, without regard to earlier retries. */
export function worthRetrying(scope: Exclude<RetryScope, 'all'>, failures: readonly Failure[]): number {
  return numberIn(scope, failures.filter(isWorthRetrying));
}

function numberIn(scope: Exclude<RetryScope, 'all'>, failures: readonly Failure[]): number {
  return failures.reduce((sum, { errorCode, failed, undelivered }) => {
    if (scope === 'undelivered') return sum + undelivered;
    return (errorCode === UNCONFIRMED) === (scope === 'unknown') ? sum + failed : sum;
  }, 0);
}
