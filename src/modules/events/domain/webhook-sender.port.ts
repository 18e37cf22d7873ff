/** A POST to an endpoint. */
export interface WebhookPost {
  endpointId: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
}

/** What became of a POST: the endpoint's answer and what it asks to wait, or why there was none. */
export type PostResult =
  { kind: 'answered'; status: number; retryAfterMs: number | null } | { kind: 'failed'; reason: string };

/** Sends bodies to endpoints, and to no address that an endpoint may not have. */
export abstract class WebhookSender {
  /** Never rejects. */
  abstract post(post: WebhookPost): Promise<PostResult>;
  /** Why an endpoint may not have this URL; null: it may. */
  abstract refusal(url: string): string | null;
}
