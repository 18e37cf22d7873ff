import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { ApiRequest } from '../../../infra/http/api-request';
import type { Caller } from '../../../kernel/caller';
import { RateLimitedError } from '../domain/accounts.errors';
import type { Plans } from '../domain/plans';

/** Third of the guards: the request rate of the plan, a token bucket for each account. Every answer to a known key tells the state of the bucket. */
@Injectable()
export class PlanLimitGuard extends ThrottlerGuard {
  protected override headerPrefix = 'RateLimit';

  /** Requests without a caller are those of public routes. */
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
      new RateLimitedError(`The request rate of your plan is used up. Try again in ${seconds} s.`, seconds),
    );
  }
}

/** The throttler's options: one bucket for each account, as large and as fast as the account's plan says. */
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
  if (!caller) throw new Error('The plan limit was asked for a request without a caller');
  return caller;
}
