import type { WebhookReading } from './webhook-report';

/** A request to the webhook as it arrived; the names of headers are in lower case. */
export interface WebhookRequest {
  body: Buffer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** How the platform verifies the webhook's address, signs its reports and writes them. */
export abstract class WebhookProtocol {
  /** What the platform must be answered when it verifies the address; null for a request without our token. */
  abstract verificationAnswer(query: Readonly<Record<string, unknown>>): string | null;
  /** Ids of the business accounts that a body claims to be about, read at little cost and not to be trusted. */
  abstract claimedBusinessAccounts(body: Buffer): ReadonlySet<string>;
  /** The one of the secrets that signed exactly these bytes; null when none did. */
  abstract signingSecret(request: WebhookRequest, secrets: Iterable<string>): string | null;
  /** Reads a body; times in the future become `now`. Throws when the body cannot be read at all. */
  abstract read(body: string, now: Date): WebhookReading;
}
