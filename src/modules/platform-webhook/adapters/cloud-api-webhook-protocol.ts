import { type WebhookRequest, WebhookProtocol } from '../domain/webhook-protocol.port';
import type { WebhookReading } from '../domain/webhook-report';
import { isSameSecret, signingSecret } from './cloud-api-signature';
import { claimedBusinessAccounts, readWebhook } from './cloud-api-webhook-body';

/** The webhook of the Cloud API: `hub.challenge`, `X-Hub-Signature-256`, and bodies of entries and changes. */
export class CloudApiWebhookProtocol extends WebhookProtocol {
  constructor(private readonly verifyToken: string) {
    super();
  }

  verificationAnswer(query: Readonly<Record<string, unknown>>): string | null {
    const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = query;
    const isOurs = mode === 'subscribe' && typeof token === 'string' && isSameSecret(token, this.verifyToken);
    return isOurs && typeof challenge === 'string' ? challenge : null;
  }

  claimedBusinessAccounts(body: Buffer): ReadonlySet<string> {
    return claimedBusinessAccounts(body);
  }

  signingSecret({ body, headers }: WebhookRequest, secrets: Iterable<string>): string | null {
    const signature = headers['x-hub-signature-256'];
    return signingSecret(body, typeof signature === 'string' ? signature : undefined, secrets);
  }

  read(body: string, now: Date): WebhookReading {
    return readWebhook(body, now);
  }
}
