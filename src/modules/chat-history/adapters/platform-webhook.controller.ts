import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../../infra/http/access.decorators';
import { RawBody } from '../../../infra/http/request-body';
import { Clock } from '../../../kernel/clock';
import { WebhookVerificationError } from '../domain/chat-history.errors';
import { WebhookIntake } from '../domain/webhook-intake.service';
import type { WebhookReading } from '../domain/webhook-report';
import { isSameSecret } from '../domain/webhook-signature';
import { readWebhook } from './webhook-wire';

/** The platform's bodies have up to 3 MB. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The token with which the platform proves that it was sent here by us. */
export abstract class WebhookVerifyToken {
  abstract readonly verifyToken: string;
}

/** Where the platform reports what became of messages: it proves itself by a signature instead of a key. */
@ApiExcludeController()
@Controller('webhooks/platform')
@Public()
export class PlatformWebhookController {
  constructor(
    private readonly intake: WebhookIntake,
    private readonly expected: WebhookVerifyToken,
    private readonly clock: Clock,
  ) {}

  /** Proves to the platform that this address is ours: answers its challenge, bare. */
  @Get()
  verify(@Req() request: Request, @Res({ passthrough: true }) response: Response): string {
    const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = request.query;
    const isOurs = mode === 'subscribe' && typeof token === 'string' && isSameSecret(token, this.expected.verifyToken);
    if (!isOurs || typeof challenge !== 'string') throw new WebhookVerificationError();
    response.type('text/plain');
    return challenge;
  }

  /** Answers 200 once everything in the body is written or put aside. */
  @Post()
  @HttpCode(200)
  @RawBody(MAX_BODY_BYTES)
  async report(@Req() request: Request): Promise<void> {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const secret = await this.intake.secretOf(bytes, request.get('x-hub-signature-256'));
    const body = bytes.toString('utf8');
    let reading: WebhookReading;
    try {
      reading = readWebhook(body, this.clock.now());
    } catch (error) {
      await this.intake.parkBody(body, error);
      return;
    }
    await this.intake.take(reading, secret);
  }
}
