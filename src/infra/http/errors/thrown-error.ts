import { Logger } from '@nestjs/common';
import { domainErrorResponse, type ErrorResponse } from './error-response';
import { asDomainError } from './library-errors';
import { InternalError } from './http.errors';

const logger = new Logger('Http');

/** The response to anything a route threw; an unexpected error is logged and becomes a 500 without internal details. */
export function thrownErrorResponse(error: unknown, requestId: string, maxFileBytes: number): ErrorResponse {
  const known = asDomainError(error, maxFileBytes);
  if (!known) report('error', error);
  else if (known !== error && known.kind === 'unavailable') report('warn', error);
  return domainErrorResponse(known ?? new InternalError(), requestId);
}

function report(level: 'warn' | 'error', error: unknown): void {
  if (error instanceof Error) logger[level](error.message, error.stack);
  else logger[level]('A value that is not an Error was thrown');
}
