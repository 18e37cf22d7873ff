import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { ApiRequest } from '../api-request';
import { BodyStalledError } from '../bodies/stalled-body';
import { domainErrorResponse, type ErrorResponse, sendErrorResponse } from './error-response';
import { asDomainError } from './library-errors';
import { RouteNotFoundError } from './http.errors';
import { thrownErrorResponse } from './thrown-error';
import { unmatchedRouteError } from '../edge/unmatched-route-error';

/** Converts every thrown error to the common error body. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly maxFileBytes: number) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<Response>();
    // The client disconnected while sending its body.
    if (request.destroyed && !request.complete) return;
    const errorResponse = this.responseTo(error, request);
    if (response.headersSent) {
      // The status is already sent: only closing the connection signals an incomplete response.
      response.destroy();
      return;
    }
    // Another request on this connection would have to wait for the rest of the body.
    if (error instanceof BodyStalledError) response.setHeader('Connection', 'close');
    sendErrorResponse(request, response, errorResponse);
  }

  private responseTo(error: unknown, request: ApiRequest): ErrorResponse {
    const isUnmatched = asDomainError(error, this.maxFileBytes) instanceof RouteNotFoundError;
    if (isUnmatched) return domainErrorResponse(unmatchedRouteError(request), request.requestId);
    return thrownErrorResponse(error, request.requestId, this.maxFileBytes);
  }
}
