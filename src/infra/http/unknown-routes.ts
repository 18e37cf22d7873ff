import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { ApiRequest } from './api-request';
import { answerToDomainError } from './error-answer';
import { RouteNotFoundError } from './http.errors';

/** Answers paths outside the API's prefix that nothing serves; Nest does so only below the prefix. */
@Injectable()
export class UnknownRoutes implements OnApplicationBootstrap {
  constructor(private readonly host: HttpAdapterHost) {}

  /** Runs once all routes stand, so that it comes last. */
  onApplicationBootstrap(): void {
    this.host.httpAdapter?.use((request: Request, response: Response) => {
      const answer = answerToDomainError(new RouteNotFoundError(), (request as ApiRequest).requestId);
      response.status(answer.statusCode).json(answer.body);
    });
  }
}
