import type { Clock } from '../../../kernel/clock';
import { webhookId } from './webhook-endpoint';
import type { PostResult, WebhookSender } from './webhook-sender.port';
import { signedHeaders } from './webhook-signature';

/** How long an endpoint has to answer. */
export const PATIENCE_MS = 15_000;

/** One body, and where it goes. */
export interface SignedPost {
  endpointId: string;
  url: string;
  /** The body is signed with each; none: it is not sent. */
  secrets: readonly string[];
  /** With `body` it makes the webhook-id. */
  key: string;
  body: number;
  payload: string;
}

/** What became of one POST. */
export interface PostedBody {
  at: Date;
  durationMs: number;
  /** The endpoint answered 2xx. */
  arrived: boolean;
  /** Null: no answer. */
  httpStatus: number | null;
  /** Why it failed; null if it arrived. */
  error: string | null;
  /** What the endpoint asks to wait. */
  retryAfterMs: number | null;
}

/** Signs a body and POSTs it, for PATIENCE_MS at most. Never rejects. */
export async function postBody(
  { clock, sender }: { clock: Clock; sender: WebhookSender },
  { endpointId, url, secrets, key, body, payload }: SignedPost,
  ended?: AbortSignal,
): Promise<PostedBody> {
  const at = clock.now();
  const begun = clock.monotonic();
  const headers = signedHeaders(secrets, { id: webhookId(key, body), at, body: payload });
  const patience = new AbortController();
  const answered = new AbortController();
  void clock.sleep(PATIENCE_MS, answered.signal).then(() => answered.signal.aborted || patience.abort());
  const signal = ended ? AbortSignal.any([ended, patience.signal]) : patience.signal;
  const result: PostResult =
    secrets.length === 0
      ? { kind: 'failed', reason: 'the stored secret cannot be decrypted' }
      : await sender.post({ endpointId, url, headers, body: payload, signal });
  answered.abort();
  const durationMs = Math.round(clock.monotonic() - begun);
  if (result.kind === 'failed') {
    return { at, durationMs, arrived: false, httpStatus: null, error: result.reason, retryAfterMs: null };
  }
  const { status, retryAfterMs } = result;
  const arrived = status >= 200 && status < 300;
  return { at, durationMs, arrived, httpStatus: status, error: arrived ? null : `HTTP ${status}`, retryAfterMs };
}
