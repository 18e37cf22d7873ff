import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../../infra/http/access.decorators';
import { RawBody } from '../../../infra/http/request-body';
import { WebhookVerificationError } from '../domain/platform-webhook.errors';
import { WebhookIntake } from '../domain/webhook-intake.service';
import { WebhookProtocol } from '../domain/webhook-protocol.port';

/** The platform's bodies have up to 3 MB. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Where the platform reports; its signature takes the place of an API key. */
@ApiExcludeController()
@Controller('webhooks/platform')
@Public()
export class PlatformWebhookController {
  constructor(
    private readonly protocol: WebhookProtocol,
    private readonly intake: WebhookIntake,
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
  @RawBody(MAX_BODY_BYTES)
  async report(@Req() { body, headers }: Request): Promise<void> {
    await this.intake.receive({ body: Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers });
  }
}
