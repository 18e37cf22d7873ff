import { Agent, request } from 'undici';
import type { SandboxConfig } from '../config';
import { signatureOf } from './wire';

/** One webhook body for one subscriber. */
interface OutgoingWebhook {
  /** The subscriber's current URL; if undefined, the webhook is dropped. */
  address: () => string | undefined;
  appSecret: string;
  body: string;
  updates: number;
}

/** Returns the next webhook to send; undefined if there is none. */
export type WebhookSource = () => OutgoingWebhook | undefined;

const MAX_RETRY_DELAY_MS = 5000;

/**
 * Posts signed webhooks: at most `webhookConcurrency` at once; anything but 200 is retried after `webhookRetryMs`,
 * doubled each time up to 5 s, with `webhookAttempts` attempts in total. While `webhookConcurrency` webhooks wait for a retry,
 * no new one is taken from the source, so an unavailable subscriber costs no memory.
 */
export class Deliveries {
  private readonly agent = new Agent({ keepAliveTimeout: 4000, connections: 64 });
  private readonly events: OutgoingWebhook[] = [];
  private readonly retryTimers = new Set<NodeJS.Timeout>();
  private inFlight = 0;
  private closed = false;
  private generation = 0;
  private counts = { posted: 0, delivered: 0, updates: 0, retried: 0, dropped: 0 };

  constructor(
    private readonly config: () => SandboxConfig,
    private readonly source: WebhookSource,
  ) {}

  /** Queues a webhook before those of the source. */
  post(webhook: OutgoingWebhook): void {
    this.events.push(webhook);
    this.pump();
  }

  /** Sends as many webhooks as allowed now. */
  pump(): void {
    const { webhookConcurrency } = this.config();
    while (!this.closed && this.inFlight < webhookConcurrency && this.retryTimers.size < webhookConcurrency) {
      const webhook = this.events.shift() ?? this.source();
      if (webhook === undefined) return;
      void this.send(webhook, 1);
    }
  }

  /** Numbers of posted, delivered, retried and abandoned webhooks. */
  snapshot(): object {
    return { ...this.counts, underWay: this.inFlight, waitingForRetry: this.retryTimers.size };
  }

  /** Drops all webhooks to send or retry. */
  clear(): void {
    this.generation += 1;
    this.events.length = 0;
    for (const timer of this.retryTimers) clearTimeout(timer);
    this.retryTimers.clear();
    this.counts = { posted: 0, delivered: 0, updates: 0, retried: 0, dropped: 0 };
  }

  /** Stops sending and closes the connections. */
  async close(): Promise<void> {
    this.closed = true;
    this.clear();
    await this.agent.destroy();
  }

  private async send(webhook: OutgoingWebhook, attempt: number): Promise<void> {
    const generation = this.generation;
    const url = webhook.address();
    this.inFlight += 1;
    const delivered = url !== undefined && (await this.isDelivered(url, webhook));
    this.inFlight -= 1;
    if (this.closed) return;
    if (generation === this.generation) this.settle(webhook, attempt, delivered, url === undefined);
    this.pump();
  }

  private settle(webhook: OutgoingWebhook, attempt: number, delivered: boolean, unsubscribed: boolean): void {
    if (delivered) {
      this.counts.delivered += 1;
      this.counts.updates += webhook.updates;
    } else if (unsubscribed || attempt >= this.config().webhookAttempts) {
      this.counts.dropped += 1;
    } else {
      this.retry(webhook, attempt);
    }
  }

  private async isDelivered(url: string, { appSecret, body }: OutgoingWebhook): Promise<boolean> {
    this.counts.posted += 1;
    try {
      const { webhookTimeoutMs } = this.config();
      const response = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(body, appSecret) },
        body,
        dispatcher: this.agent,
        headersTimeout: webhookTimeoutMs,
        bodyTimeout: webhookTimeoutMs,
      });
      await response.body.dump();
      return response.statusCode === 200;
    } catch {
      return false;
    }
  }

  private retry(webhook: OutgoingWebhook, attempt: number): void {
    this.counts.retried += 1;
    const timer = setTimeout(
      () => {
        this.retryTimers.delete(timer);
        void this.send(webhook, attempt + 1);
      },
      Math.min(this.config().webhookRetryMs * 2 ** (attempt - 1), MAX_RETRY_DELAY_MS),
    );
    timer.unref();
    this.retryTimers.add(timer);
  }
}
