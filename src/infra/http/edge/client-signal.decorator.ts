import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';

/** An AbortSignal that aborts if the client disconnects before the response is complete. */
export const ClientSignal = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const response = context.switchToHttp().getResponse<Response>();
  const disconnected = new AbortController();
  const abortUnlessFinished = () => {
    if (!response.writableFinished) disconnected.abort();
  };
  if (response.closed) abortUnlessFinished();
  else response.once('close', abortUnlessFinished);
  return disconnected.signal;
});
