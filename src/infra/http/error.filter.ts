import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { ApiRequest } from './api-request';
import { answerToDomainError, type ErrorAnswer } from './error-answer';
import { asDomainError } from './foreign-errors';
import { InternalError, RouteNotFoundError } from './http.errors';
import { unservedRoute } from './unserved-route';

/** Converts every thrown error to the common error body; unexpected errors become a 500 without internal details. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  constructor(private readonly maxFileBytes: number) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<Response>();
    // The client disconnected while sending its body: there is nobody to answer.
    if (request.destroyed && !request.complete) return;
    const answer = this.answerTo(error, request);
    if (response.headersSent) {
      // The status is already sent: only closing the connection signals an incomplete response.
      response.destroy();
      return;
    }
    response.status(answer.statusCode).set(answer.headers).json(answer.body);
  }

  private answerTo(error: unknown, request: ApiRequest): ErrorAnswer {
    const { requestId } = request;
    const known = asDomainError(error, this.maxFileBytes);
    if (known instanceof RouteNotFoundError) return answerToDomainError(unservedRoute(request), requestId);
    if (known) {
      if (known !== error && known.kind === 'unavailable') this.report('warn', error);
      return answerToDomainError(known, requestId);
    }
    this.report('error', error);
    return answerToDomainError(new InternalError(), requestId);
  }

  private report(level: 'warn' | 'error', error: unknown): void {
    if (error instanceof Error) this.logger[level](error.message, error.stack);
    else this.logger[level]('Something that is no error was thrown');
  }
}
