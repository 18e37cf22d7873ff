import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '../../../kernel/caller';
import type { ApiRequest } from '../api-request';

/** The authenticated caller; only on routes that require a key. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<ApiRequest>();
  if (!caller) throw new Error('CurrentCaller is used on a route that requires no key');
  return caller;
});
