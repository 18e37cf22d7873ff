import type { Clock } from '../../../kernel/clock';
import { webhookId } from './webhook-endpoint';
import type { PostResult, WebhookSender } from './webhook-sender.port';
import { signedHeaders } from './webhook-signature';

/** How long an endpoint has to respond. */
export const RESPONSE_TIMEOUT_MS = 15_000;

/** One body and its destination. */
export interface SignedPost {
  endpointId: string;
  url: string;
  /** The body is signed with each; empty: it is not sent. */
  secrets: readonly string[];
  /** Forms the webhook-id together with `body`. */
  key: string;
  body: number;
  payload: string;
  /** The header `traceparent`; absent: none. */
  traceparent?: string;
}

/** The result of one POST. */
export interface PostedBody {
  at: Date;
  durationMs: number;
  /** Whether the response status was 2xx. */
  arrived: boolean;
  /** Null: no response. */
  httpStatus: number | null;
  /** Why it failed; null if it arrived. */
  error: string | null;
  /** The delay requested by the endpoint. */
  retryAfterMs: number | null;
}

/** Signs a body and POSTs it, waiting at most RESPONSE_TIMEOUT_MS. Never rejects. */
export async function postBody(
  { clock, sender }: { clock: Clock; sender: WebhookSender },
  { endpointId, url, secrets, key, body, payload, traceparent }: SignedPost,
  ended?: AbortSignal,
): Promise<PostedBody> {
  const at = clock.now();
  const startedAt = clock.monotonic();
  const headers = {
    ...signedHeaders(secrets, { id: webhookId(key, body), at, body: payload }),
    ...(traceparent !== undefined && { traceparent }),
  };
  const timeout = new AbortController();
  const answered = new AbortController();
  void clock.sleep(RESPONSE_TIMEOUT_MS, answered.signal).then(() => answered.signal.aborted || timeout.abort());
  const signal = ended ? AbortSignal.any([ended, timeout.signal]) : timeout.signal;
  const result: PostResult =
    secrets.length === 0
      ? { kind: 'failed', reason: 'the stored secret cannot be decrypted' }
      : await sender.post({ endpointId, url, headers, body: payload, signal });
  answered.abort();
  const durationMs = Math.round(clock.monotonic() - startedAt);
  if (result.kind === 'failed') {
    return { at, durationMs, arrived: false, httpStatus: null, error: result.reason, retryAfterMs: null };
  }
  const { status, retryAfterMs } = result;
  const arrived = status >= 200 && status < 300;
  return { at, durationMs, arrived, httpStatus: status, error: arrived ? null : `HTTP ${status}`, retryAfterMs };
}
