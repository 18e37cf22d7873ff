import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { ApiRequest } from './api-request';
import { answerToDomainError, errorBody, type ErrorAnswer } from './error-answer';
import { asDomainError, type BodyLimits } from './foreign-errors';

/** Turns whatever was thrown into the one shape of error bodies; what is unknown becomes a 500 that tells nothing internal. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  constructor(private readonly limits: BodyLimits) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<Response>();
    // A client that went away while it sent its body is no fault of ours, and nobody is left to be told.
    if (request.destroyed && !request.complete) return;
    const answer = this.answerTo(error, request.requestId);
    if (response.headersSent) {
      // The status is gone already: only a cut connection still tells the client that the answer is not whole.
      response.destroy();
      return;
    }
    response.status(answer.statusCode).set(answer.headers).json(answer.body);
  }

  private answerTo(error: unknown, requestId: string | undefined): ErrorAnswer {
    const known = asDomainError(error, this.limits);
    if (known) {
      if (known !== error && known.kind === 'unavailable') this.report('warn', error);
      return answerToDomainError(known, requestId);
    }
    if (error instanceof HttpException && error.getStatus() < 500) {
      const status = error.getStatus();
      return { statusCode: status, headers: {}, body: errorBody(status, 'request_refused', error.message, requestId) };
    }
    this.report('error', error);
    const message =
      'Something went wrong on our side. Repeat the request later; if it fails again, give us the requestId.';
    return { statusCode: 500, headers: {}, body: errorBody(500, 'internal_error', message, requestId) };
  }

  private report(level: 'warn' | 'error', error: unknown): void {
    if (error instanceof Error) this.logger[level](error.message, error.stack);
    else this.logger[level]('Something that is no error was thrown');
  }
}
