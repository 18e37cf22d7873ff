import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '../../kernel/caller';
import type { ApiRequest } from './api-request';

/** The caller whose key was accepted; only on routes that need a key. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<ApiRequest>();
  if (!caller) throw new Error('CurrentCaller is used on a route that needs no key');
  return caller;
});
