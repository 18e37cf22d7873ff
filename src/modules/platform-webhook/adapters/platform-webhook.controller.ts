import { Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../../infra/http/access.decorators';
import { clientAddress, clientKey } from '../../../infra/http/client-address';
import { FailedAttempts } from '../../../infra/http/limits/failed-attempts';
import { RawBody } from '../../../infra/http/request-body';
import { WebhookSignatureError, WebhookVerificationError } from '../domain/platform-webhook.errors';
import { WebhookIntake } from '../domain/webhook-intake.service';
import { WebhookProtocol } from '../domain/webhook-protocol.port';
import { SignatureLimitGuard } from './signature-limit.guard';

/** The platform's bodies have up to 3 MB. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** A larger body that nobody signed counts for several failures, as it costs as much as they do. */
const BYTES_OF_A_FAILURE = 256 * 1024;

/** Where the platform reports; its signature takes the place of an API key. */
@ApiExcludeController()
@Controller('webhooks/platform')
@Public()
export class PlatformWebhookController {
  constructor(
    private readonly protocol: WebhookProtocol,
    private readonly intake: WebhookIntake,
    private readonly failures: FailedAttempts,
  ) {}

  /** Proves to the platform that this address is ours. */
  @Get()
  verify(@Req() { query }: Request, @Res({ passthrough: true }) response: Response): string {
    const answer = this.protocol.verificationAnswer(query);
    if (answer === null) throw new WebhookVerificationError();
    response.type('text/plain');
    return answer;
  }

  /** Answers 200 once everything in the body is written or parked. */
  @Post()
  @HttpCode(200)
  @UseGuards(SignatureLimitGuard)
  @RawBody(MAX_BODY_BYTES)
  async report(@Req() request: Request): Promise<void> {
    const { headers } = request;
    const given: unknown = request.body;
    const body = Buffer.isBuffer(given) ? given : Buffer.alloc(0);
    const client = clientKey(clientAddress(request));
    try {
      await this.intake.receive({ body, headers });
      // The platform's own addresses also report on accounts whose secret is wrong.
      this.failures.forgive('signature', client);
    } catch (error) {
      if (error instanceof WebhookSignatureError) {
        this.failures.count('signature', client, 1 + Math.floor(body.length / BYTES_OF_A_FAILURE));
      }
      throw error;
    }
  }
}
