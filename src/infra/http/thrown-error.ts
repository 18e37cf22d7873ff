import { Logger } from '@nestjs/common';
import { answerToDomainError, type ErrorAnswer } from './error-answer';
import { asDomainError } from './foreign-errors';
import { InternalError } from './http.errors';

const logger = new Logger('Http');

/** The answer to whatever a route threw; an unexpected error is logged and becomes a 500 without internal details. */
export function answerToThrown(error: unknown, requestId: string, maxFileBytes: number): ErrorAnswer {
  const known = asDomainError(error, maxFileBytes);
  if (!known) report('error', error);
  else if (known !== error && known.kind === 'unavailable') report('warn', error);
  return answerToDomainError(known ?? new InternalError(), requestId);
}

function report(level: 'warn' | 'error', error: unknown): void {
  if (error instanceof Error) logger[level](error.message, error.stack);
  else logger[level]('A value that is not an Error was thrown');
}
