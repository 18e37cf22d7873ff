import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';

/** An AbortSignal that aborts if the client disconnects before the response. */
export const ClientSignal = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const response = context.switchToHttp().getResponse<Response>();
  const gone = new AbortController();
  const abortUnlessAnswered = () => {
    if (!response.writableFinished) gone.abort();
  };
  if (response.closed) abortUnlessAnswered();
  else response.once('close', abortUnlessAnswered);
  return gone.signal;
});
