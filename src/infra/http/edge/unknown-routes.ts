import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Response } from 'express';
import type { ApiRequest } from '../api-request';
import { domainErrorResponse, sendErrorResponse } from '../errors/error-response';
import { unmatchedRouteError } from './unmatched-route-error';

/** Handles unknown paths outside the API prefix; Nest does so only below it. */
@Injectable()
export class UnknownRoutes implements OnApplicationBootstrap {
  constructor(private readonly host: HttpAdapterHost) {}

  /** Registered after all routes, so that it matches last. */
  onApplicationBootstrap(): void {
    this.host.httpAdapter?.use((request: ApiRequest, response: Response) => {
      sendErrorResponse(request, response, domainErrorResponse(unmatchedRouteError(request), request.requestId));
    });
  }
}
