import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { Caller } from '../../../kernel/caller';
import { RateLimitedError } from '../../../kernel/access.errors';
import type { Plans } from '../domain/plans';
import type { AuthenticatedRequest } from './authenticated-request';

/**
 * The sessions of the console have a bucket of their own, so that an open console takes nothing of the plan: one for the account, as
 * whoever has a key could open more and more sessions and with each get a further bucket.
 */
const CONSOLE = { requestsPerSecond: 30, burst: 120 };

/** The third guard: the request rate of the plan, one token bucket per account, or that of the account's console. Responses to valid keys carry the rate headers. */
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
    const whose = requestOf(context).consoleSessionId === undefined ? 'your plan' : 'the console of your account';
    return Promise.reject(
      new RateLimitedError(`The request rate of ${whose} is exceeded. Try again in ${seconds} s.`, seconds),
    );
  }
}

/** The throttler's options: one bucket per account, with the size and rate of its plan, and one for its console. */
export function planLimits(plans: Plans): ThrottlerModuleOptions {
  const rateOf = (context: ExecutionContext) =>
    requestOf(context).consoleSessionId === undefined ? plans.of(callerOf(context).plan) : CONSOLE;
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
