import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Agent } from 'undici';
import { isPrivateHost, lookupPublic } from '../../../infra/public-addresses';
import { USER_AGENT } from '../../../infra/user-agent';
import { Clock } from '../../../kernel/clock';
import { PATIENCE_MS } from '../domain/post-body';
import { type PostResult, type WebhookPost, WebhookSender } from '../domain/webhook-sender.port';

/** Which addresses endpoints may have. */
export abstract class WebhookAddresses {
  /** Private addresses, plain HTTP and any port: for tests and closed networks. */
  abstract readonly allowPrivate: boolean;
}

interface KnownAgent {
  agent: Agent;
  usedAt: number;
}

const CONNECTIONS = 16;
const CONNECT_MS = 10_000;
/** An agent that nobody has used for so long is closed. */
const IDLE_MS = 60_000;
/** What is read of an answer: only its status counts. */
const MOST_ANSWER_BYTES = 64 * 1024;
const MAX_URL = 2048;

/**
 * POSTs to endpoints over undici. Each endpoint has an agent of its own: in a shared one, a stuck endpoint delays others behind the same
 * host. Names are resolved once for each connection, which uses the addresses that were checked; redirects are not followed.
 */
@Injectable()
export class UndiciWebhookSender extends WebhookSender implements OnModuleDestroy {
  private readonly agents = new Map<string, KnownAgent>();
  private closedIdleAt = 0;

  constructor(
    private readonly addresses: WebhookAddresses,
    private readonly clock: Clock,
  ) {
    super();
  }

  refusal(given: string): string | null {
    const url = given.length <= MAX_URL && URL.canParse(given) ? new URL(given) : null;
    if (!url) return `must be an absolute URL of at most ${MAX_URL} characters`;
    if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password';
    if (this.addresses.allowPrivate) {
      return ['http:', 'https:'].includes(url.protocol) ? null : 'must begin with https:// or http://';
    }
    if (url.protocol !== 'https:') return 'must begin with https://';
    if (url.port !== '') return 'must not name a port: only 443 is used';
    return isPrivateHost(url.hostname) ? 'must be an address on the public internet' : null;
  }

  async post({ endpointId, url: given, headers, body, signal }: WebhookPost): Promise<PostResult> {
    // Checked again: the settings may have changed since it was stored.
    const refusal = this.refusal(given);
    if (refusal !== null) return { kind: 'failed', reason: `The URL ${refusal}` };
    const url = new URL(given);
    try {
      const {
        statusCode,
        headers: answer,
        body: answered,
      } = await this.agentOf(endpointId).request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': USER_AGENT },
        body,
        signal,
      });
      // Read to its end, so that the connection can be used again.
      await answered.dump({ limit: MOST_ANSWER_BYTES }).catch(() => undefined);
      return { kind: 'answered', status: statusCode, retryAfterMs: this.waitIn(answer['retry-after']) };
    } catch (error) {
      return { kind: 'failed', reason: signal.aborted ? `no answer within ${PATIENCE_MS / 1000} s` : reasonOf(error) };
    }
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.agents.values()].map(({ agent }) => agent.destroy()));
  }

  private agentOf(endpointId: string): Agent {
    const now = this.clock.monotonic();
    this.closeIdle(now);
    const known = this.agents.get(endpointId);
    if (known) {
      known.usedAt = now;
      return known.agent;
    }
    const agent = new Agent({
      connections: CONNECTIONS,
      pipelining: 1,
      headersTimeout: PATIENCE_MS,
      bodyTimeout: PATIENCE_MS,
      connect: { timeout: CONNECT_MS, ...(!this.addresses.allowPrivate && { lookup: lookupPublic }) },
    });
    this.agents.set(endpointId, { agent, usedAt: now });
    return agent;
  }

  private closeIdle(now: number): void {
    if (now - this.closedIdleAt < IDLE_MS) return;
    this.closedIdleAt = now;
    for (const [id, { agent, usedAt }] of this.agents) {
      if (now - usedAt < IDLE_MS) continue;
      this.agents.delete(id);
      void agent.close();
    }
  }

  /** Seconds, or a date. */
  private waitIn(header: string | string[] | undefined): number | null {
    if (typeof header !== 'string') return null;
    const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - this.clock.now().getTime();
    return ms > 0 ? ms : null;
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as Error & { code?: unknown };
  return typeof code === 'string' ? `${code}: ${message}` : message;
}
