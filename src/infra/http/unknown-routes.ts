import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Response } from 'express';
import type { ApiRequest } from './api-request';
import { answerToDomainError, sendErrorAnswer } from './error-answer';
import { unservedRoute } from './unserved-route';

/** Answers unknown paths outside the API prefix; Nest does so only below the prefix. */
@Injectable()
export class UnknownRoutes implements OnApplicationBootstrap {
  constructor(private readonly host: HttpAdapterHost) {}

  /** Registered after all routes, so that it matches last. */
  onApplicationBootstrap(): void {
    this.host.httpAdapter?.use((request: ApiRequest, response: Response) => {
      const answer = answerToDomainError(unservedRoute(request), request.requestId);
      sendErrorAnswer(request, response, answer);
    });
  }
}
