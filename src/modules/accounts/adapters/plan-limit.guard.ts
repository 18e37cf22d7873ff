import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { Caller } from '../../../kernel/caller';
import { RateLimitedError } from '../../../kernel/access.errors';
import type { Plans } from '../domain/plans';
import type { AuthenticatedRequest } from './authenticated-request';

/**
 * Console sessions have a separate bucket, so that an open console uses nothing of the plan. It is per account, not per session:
 * otherwise each further session of a key would add a bucket.
 */
const CONSOLE_RATE = { requestsPerSecond: 30, burst: 120 };

/** The second guard: limits the request rate with one token bucket per account and one for its console. Sets the rate headers. */
@Injectable()
export class PlanLimitGuard extends ThrottlerGuard {
  protected override headerPrefix = 'RateLimit';

  /** Public routes have no caller and no limit. */
  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    return Promise.resolve(requestOf(context).caller === undefined);
  }

  protected override throwThrottlingException(context: ExecutionContext, detail: ThrottlerLimitDetail): Promise<void> {
    const { res } = this.getRequestResponse(context);
    this.setResponseHeader(res, `${this.headerPrefix}-Limit`, detail.limit);
    this.setResponseHeader(res, `${this.headerPrefix}-Remaining`, 0);
    this.setResponseHeader(res, `${this.headerPrefix}-Reset`, detail.timeToExpire);
    const seconds = detail.timeToBlockExpire;
    const owner = requestOf(context).consoleSessionId === undefined ? 'your plan' : 'the console of your account';
    return Promise.reject(
      new RateLimitedError(`The request rate of ${owner} is exceeded. Try again in ${seconds} s.`, seconds),
    );
  }
}

/** The throttler's options: a bucket per account with the size and rate of its plan, and one for its console. */
export function planLimits(plans: Plans): ThrottlerModuleOptions {
  const rateOf = (context: ExecutionContext) =>
    requestOf(context).consoleSessionId === undefined ? plans.of(callerOf(context).plan) : CONSOLE_RATE;
  return {
    throttlers: [
      {
        name: 'default',
        limit: (context) => rateOf(context).burst,
        ttl: (context) => (rateOf(context).burst / rateOf(context).requestsPerSecond) * 1000,
      },
    ],
    getTracker: (_, context) => {
      const { accountId } = callerOf(context);
      return requestOf(context).consoleSessionId === undefined ? accountId : `console ${accountId}`;
    },
    generateKey: (_, tracker) => tracker,
  };
}

function callerOf(context: ExecutionContext): Caller {
  const { caller } = requestOf(context);
  if (!caller) throw new Error('The plan limit was applied to a request without a caller');
  return caller;
}

function requestOf(context: ExecutionContext): AuthenticatedRequest {
  return context.switchToHttp().getRequest<AuthenticatedRequest>();
}
