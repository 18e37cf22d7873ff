/** A POST to an endpoint. */
export interface WebhookPost {
  endpointId: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
}

/** The result of a POST: the response status and requested delay, or why there was no response. */
export type PostResult =
  { kind: 'answered'; status: number; retryAfterMs: number | null } | { kind: 'failed'; reason: string };

/** Sends bodies to endpoints with permitted addresses. */
export abstract class WebhookSender {
  /** Never rejects. */
  abstract post(post: WebhookPost): Promise<PostResult>;
  /** Why an endpoint must not have this URL; null: it is permitted. */
  abstract refusal(url: string): string | null;
}
