import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { ApiRequest } from './api-request';
import { answerToDomainError, type ErrorAnswer, sendErrorAnswer } from './error-answer';
import { asDomainError } from './foreign-errors';
import { RouteNotFoundError } from './http.errors';
import { answerToThrown } from './thrown-error';
import { unservedRoute } from './unserved-route';

/** Converts every thrown error to the common error body. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
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
    sendErrorAnswer(request, response, answer);
  }

  private answerTo(error: unknown, request: ApiRequest): ErrorAnswer {
    const isUnserved = asDomainError(error, this.maxFileBytes) instanceof RouteNotFoundError;
    if (isUnserved) return answerToDomainError(unservedRoute(request), request.requestId);
    return answerToThrown(error, request.requestId, this.maxFileBytes);
  }
}
