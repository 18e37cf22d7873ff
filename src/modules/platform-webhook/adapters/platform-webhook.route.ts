import { parse } from 'node:querystring';
import { Injectable } from '@nestjs/common';
import { BodyBudget } from '../../../infra/http/bodies/body-budget';
import type { EdgeRequest } from '../../../infra/http/api-request';
import { clientAddress, clientKey } from '../../../infra/http/access/client-address';
import type { DirectRoute } from '../../../infra/http/edge/direct-route';
import { MethodNotAllowedError } from '../../../infra/http/errors/http.errors';
import { FailedAttempts } from '../../../infra/http/limits/failed-attempts';
import { readBytes } from '../../../infra/http/bodies/read-bytes';
import { WebhookSignatureError, WebhookVerificationError } from '../domain/platform-webhook.errors';
import { WebhookIntake } from '../domain/webhook-intake';
import { WebhookProtocol } from '../domain/webhook-protocol.port';

/** The platform sends bodies of up to 3 MB. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Limit of all unverified bodies together. */
const MAX_UNSIGNED_BYTES = 16 * MAX_BODY_BYTES;

/** A larger unsigned body counts as several failures, in proportion to its cost. */
const BYTES_PER_FAILURE = 256 * 1024;

/**
 * Receives the platform's reports, authenticated by signature instead of an API key. Called several times per message.
 */
@Injectable()
export class PlatformWebhookRoute implements DirectRoute {
  readonly path = '/webhooks/platform';
  private readonly unsigned = new BodyBudget(MAX_UNSIGNED_BYTES);

  constructor(
    private readonly protocol: WebhookProtocol,
    private readonly intake: WebhookIntake,
    private readonly failures: FailedAttempts,
  ) {}

  async serve(request: EdgeRequest): Promise<string> {
    switch (request.method) {
      case 'GET':
      case 'HEAD':
        return this.verify(request);
      case 'POST':
        await this.report(request);
        return '';
      default:
        throw new MethodNotAllowedError(['GET', 'POST']);
    }
  }

  /** Answers the platform's verification of the address. */
  private verify({ url = '' }: EdgeRequest): string {
    const answer = this.protocol.verificationAnswer(parse(url.split('?', 2)[1] ?? ''));
    if (answer === null) throw new WebhookVerificationError();
    return answer;
  }

  /** Resolves once the whole body is written or parked. */
  private async report(request: EdgeRequest): Promise<void> {
    const client = clientKey(clientAddress(request));
    // Before reading the body: 4 MB from an unknown client cost more than the response.
    this.failures.refuseIfTooMany('signature', client);
    const body = await readBytes(request, MAX_BODY_BYTES, this.unsigned);
    try {
      await this.intake.receive({ body, headers: request.headers });
      // The platform sends from the same addresses for accounts with a wrong secret.
      this.failures.forgive('signature', client);
    } catch (error) {
      if (error instanceof WebhookSignatureError) {
        this.failures.count('signature', client, 1 + Math.floor(body.length / BYTES_PER_FAILURE));
      }
      throw error;
    }
  }
}
