import { parse } from 'node:querystring';
import { Injectable } from '@nestjs/common';
import { BodyBudget } from '../../../infra/http/body-budget';
import type { EdgeRequest } from '../../../infra/http/api-request';
import { clientAddress, clientKey } from '../../../infra/http/client-address';
import type { DirectRoute } from '../../../infra/http/direct-route';
import { MethodNotAllowedError } from '../../../infra/http/http.errors';
import { FailedAttempts } from '../../../infra/http/limits/failed-attempts';
import { readBytes } from '../../../infra/http/request-body';
import { WebhookSignatureError, WebhookVerificationError } from '../domain/platform-webhook.errors';
import { WebhookIntake } from '../domain/webhook-intake.service';
import { WebhookProtocol } from '../domain/webhook-protocol.port';

/** The platform's bodies have up to 3 MB. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** All bodies whose signature nobody has seen yet, of whatever sender. */
const MAX_UNSIGNED_BYTES = 16 * MAX_BODY_BYTES;

/** A larger body that nobody signed counts for several failures, as it costs as much as they do. */
const BYTES_OF_A_FAILURE = 256 * 1024;

/** Where the platform reports; its signature takes the place of an API key. It comes several times for each message. */
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

  /** Proves to the platform that this address is ours. */
  private verify({ url = '' }: EdgeRequest): string {
    const answer = this.protocol.verificationAnswer(parse(url.split('?', 2)[1] ?? ''));
    if (answer === null) throw new WebhookVerificationError();
    return answer;
  }

  /** Resolves once everything in the body is written or parked. */
  private async report(request: EdgeRequest): Promise<void> {
    const client = clientKey(clientAddress(request));
    // Before the body is read: 4 MB of anybody cost more than the answer.
    this.failures.refuseIfTooMany('signature', client);
    const body = await readBytes(request, MAX_BODY_BYTES, this.unsigned);
    try {
      await this.intake.receive({ body, headers: request.headers });
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
