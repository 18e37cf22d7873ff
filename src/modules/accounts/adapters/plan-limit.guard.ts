import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { ApiRequest } from '../../../infra/http/api-request';
import type { Caller } from '../../../kernel/caller';
import { RateLimitedError } from '../../../kernel/access.errors';
import type { Plans } from '../domain/plans';

/** The third guard: the request rate of the plan, one token bucket per account. Responses to valid keys carry the rate headers. */
@Injectable()
export class PlanLimitGuard extends ThrottlerGuard {
  protected override headerPrefix = 'RateLimit';

  /** Public routes have no caller and no limit. */
  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    return Promise.resolve(context.switchToHttp().getRequest<ApiRequest>().caller === undefined);
  }

  protected override throwThrottlingException(context: ExecutionContext, detail: ThrottlerLimitDetail): Promise<void> {
    const { res } = this.getRequestResponse(context);
    this.setResponseHeader(res, `${this.headerPrefix}-Limit`, detail.limit);
    this.setResponseHeader(res, `${this.headerPrefix}-Remaining`, 0);
    this.setResponseHeader(res, `${this.headerPrefix}-Reset`, detail.timeToExpire);
    const seconds = detail.timeToBlockExpire;
    return Promise.reject(
      new RateLimitedError(`The request rate of your plan is exceeded. Try again in ${seconds} s.`, seconds),
    );
  }
}

/** The throttler's options: one bucket per account, with the size and rate of its plan. */
export function planLimits(plans: Plans): ThrottlerModuleOptions {
  const planOf = (context: ExecutionContext) => plans.of(callerOf(context).plan);
  return {
    throttlers: [
      {
        name: 'default',
        limit: (context) => planOf(context).burst,
        ttl: (context) => (planOf(context).burst / planOf(context).requestsPerSecond) * 1000,
      },
    ],
    getTracker: (_, context) => callerOf(context).accountId,
    generateKey: (_, accountId) => accountId,
  };
}

function callerOf(context: ExecutionContext): Caller {
  const { caller } = context.switchToHttp().getRequest<ApiRequest>();
  if (!caller) throw new Error('The plan limit was applied to a request without a caller');
  return caller;
}
