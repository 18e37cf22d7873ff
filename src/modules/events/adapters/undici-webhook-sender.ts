import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Agent } from 'undici';
import { isPrivateHost, lookupPublic } from '../../../infra/public-addresses';
import { USER_AGENT } from '../../../infra/user-agent';
import { Clock } from '../../../kernel/clock';
import { RESPONSE_TIMEOUT_MS } from '../domain/post-body';
import { type PostResult, type WebhookPost, WebhookSender } from '../domain/webhook-sender.port';
import { AnswerTooLargeError, boundedConnector } from './bounded-connector';
import { parsedUrl } from '../../../kernel/parsed-url';

/** The addresses permitted for endpoints. */
export abstract class WebhookAddresses {
  /** Permits private addresses, plain HTTP and any port, for tests and closed networks. */
  abstract readonly allowPrivate: boolean;
}

interface EndpointAgent {
  agent: Agent;
  usedAt: number;
  /** Nothing is sent until then; null: no response was too large. */
  restsUntil: number | null;
}

const CONNECTIONS = 16;
const CONNECT_MS = 10_000;
/** An agent without a request for this long is closed. */
const IDLE_MS = 60_000;
/** Limits for reading a response body, so that the connection can be reused: only the status matters. */
const MAX_BODY_BYTES = 16 * 1024;
const MAX_BODY_MS = 2000;
/** Pause of an endpoint after a response that was too large; with the plan's number of endpoints this bounds the cost per account. */
const REST_MS = 10_000;
const MAX_URL = 2048;

/**
 * POSTs to endpoints with undici. Each endpoint has its own agent: in a shared one, a stuck endpoint would delay others on the same host.
 * Names are resolved once per connection, which uses the checked addresses; redirects are not followed.
 */
@Injectable()
export class UndiciWebhookSender extends WebhookSender implements OnModuleDestroy {
  private readonly agents = new Map<string, EndpointAgent>();
  private closedIdleAt = 0;

  constructor(
    private readonly addresses: WebhookAddresses,
    private readonly clock: Clock,
  ) {
    super();
  }

  refusal(text: string): string | null {
    const url = text.length <= MAX_URL ? parsedUrl(text) : null;
    // Parsing would remove or change these, so that the URL shown is not the one called.
    if (/[\p{Cc}\\]/u.test(text)) return 'must not contain control characters or backslashes';
    if (!url) return `must be an absolute URL of at most ${MAX_URL} characters`;
    if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password';
    if (this.addresses.allowPrivate) {
      return ['http:', 'https:'].includes(url.protocol) ? null : 'must begin with https:// or http://';
    }
    if (url.protocol !== 'https:') return 'must begin with https://';
    if (url.port !== '') return 'must not contain a port: only 443 is used';
    return isPrivateHost(url.hostname) ? 'must be an address on the public internet' : null;
  }

  async post({ endpointId, url: given, headers, body, signal }: WebhookPost): Promise<PostResult> {
    // Checked again, as the settings may have changed since the URL was stored.
    const refusal = this.refusal(given);
    if (refusal !== null) return { kind: 'failed', reason: `The URL ${refusal}` };
    const url = new URL(given);
    const known = this.agentOf(endpointId);
    if (known.restsUntil !== null)
      return { kind: 'failed', reason: `${new AnswerTooLargeError().message} shortly before` };
    try {
      const {
        statusCode,
        headers: answer,
        body: answered,
      } = await known.agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': USER_AGENT },
        body,
        signal,
      });
      await answered.dump({ limit: MAX_BODY_BYTES, signal: AbortSignal.timeout(MAX_BODY_MS) }).catch(() => undefined);
      if (answered.errored instanceof AnswerTooLargeError) throw answered.errored;
      return { kind: 'answered', status: statusCode, retryAfterMs: this.retryAfterMsOf(answer['retry-after']) };
    } catch (error) {
      if (error instanceof AnswerTooLargeError) this.rest(known, error);
      return {
        kind: 'failed',
        reason: signal.aborted ? `no response within ${RESPONSE_TIMEOUT_MS / 1000} s` : reasonOf(error),
      };
    }
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.agents.values()].map(({ agent }) => agent.destroy()));
  }

  private agentOf(endpointId: string): EndpointAgent {
    const now = this.clock.monotonic();
    this.closeIdle(now);
    const known = this.agents.get(endpointId);
    if (known && (known.restsUntil === null || now < known.restsUntil)) {
      known.usedAt = now;
      return known;
    }
    const agent = new Agent({
      connections: CONNECTIONS,
      pipelining: 1,
      headersTimeout: RESPONSE_TIMEOUT_MS,
      bodyTimeout: RESPONSE_TIMEOUT_MS,
      connect: boundedConnector({
        timeout: CONNECT_MS,
        ...(!this.addresses.allowPrivate && { lookup: lookupPublic }),
      }),
    });
    const created = { agent, usedAt: now, restsUntil: null };
    this.agents.set(endpointId, created);
    return created;
  }

  /** Pauses the endpoint and aborts its other requests. */
  private rest(known: EndpointAgent, error: AnswerTooLargeError): void {
    if (known.restsUntil !== null) return;
    known.restsUntil = this.clock.monotonic() + REST_MS;
    void known.agent.destroy(error);
  }

  private closeIdle(now: number): void {
    if (now - this.closedIdleAt < IDLE_MS) return;
    this.closedIdleAt = now;
    for (const [id, { agent, usedAt }] of this.agents) {
      if (now - usedAt < IDLE_MS) continue;
      this.agents.delete(id);
      void agent.destroy();
    }
  }

  /** Parses Retry-After: seconds, or a date. */
  private retryAfterMsOf(header: string | string[] | undefined): number | null {
    if (typeof header !== 'string') return null;
    const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - this.clock.now().getTime();
    return ms > 0 ? ms : null;
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as Error & { code?: unknown };
  return typeof code === 'string' ? `${code}: ${message}` : message;
}
