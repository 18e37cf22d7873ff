import { Agent, request } from 'undici';
import type { SandboxConfig } from '../config';
import { signatureOf } from './wire';

/** One webhook body for one subscriber. */
interface Parcel {
  /** The subscriber's current URL; if undefined, the parcel is dropped. */
  address: () => string | undefined;
  appSecret: string;
  body: string;
  updates: number;
}

/** Returns the next parcel to send; undefined if there is none. */
export type ParcelSource = () => Parcel | undefined;

const MAX_PAUSE_MS = 5000;

/**
 * Posts signed webhooks: at most `webhookConcurrency` at once; anything but 200 is retried after `webhookRetryMs`,
 * doubled each time up to 5 s, with `webhookAttempts` attempts in total. While as many parcels wait for a retry as may be
 * in flight at once, no new one is taken from the sources, so an unavailable subscriber costs no memory.
 */
export class Deliveries {
  private readonly agent = new Agent({ keepAliveTimeout: 4000, connections: 64 });
  private readonly events: Parcel[] = [];
  private readonly pauses = new Set<NodeJS.Timeout>();
  private inFlight = 0;
  private closed = false;
  private generation = 0;
  private counts = { posted: 0, delivered: 0, updates: 0, retried: 0, dropped: 0 };

  constructor(
    private readonly config: () => SandboxConfig,
    private readonly source: ParcelSource,
  ) {}

  /** Queues a parcel before those of the source. */
  post(parcel: Parcel): void {
    this.events.push(parcel);
    this.pump();
  }

  /** Sends as many parcels as allowed now. */
  pump(): void {
    const { webhookConcurrency } = this.config();
    while (!this.closed && this.inFlight < webhookConcurrency && this.pauses.size < webhookConcurrency) {
      const parcel = this.events.shift() ?? this.source();
      if (parcel === undefined) return;
      void this.send(parcel, 1);
    }
  }

  /** Numbers of posted, delivered, retried and abandoned parcels. */
  snapshot(): object {
    return { ...this.counts, underWay: this.inFlight, waitingForRetry: this.pauses.size };
  }

  /** Drops all parcels to send or retry. */
  clear(): void {
    this.generation += 1;
    this.events.length = 0;
    for (const pause of this.pauses) clearTimeout(pause);
    this.pauses.clear();
    this.counts = { posted: 0, delivered: 0, updates: 0, retried: 0, dropped: 0 };
  }

  /** Stops sending and closes the connections. */
  async close(): Promise<void> {
    this.closed = true;
    this.clear();
    await this.agent.destroy();
  }

  private async send(parcel: Parcel, attempt: number): Promise<void> {
    const generation = this.generation;
    const url = parcel.address();
    this.inFlight += 1;
    const delivered = url !== undefined && (await this.isDelivered(url, parcel));
    this.inFlight -= 1;
    if (this.closed) return;
    if (generation === this.generation) this.settle(parcel, attempt, delivered, url === undefined);
    this.pump();
  }

  private settle(parcel: Parcel, attempt: number, delivered: boolean, unsubscribed: boolean): void {
    if (delivered) {
      this.counts.delivered += 1;
      this.counts.updates += parcel.updates;
    } else if (unsubscribed || attempt >= this.config().webhookAttempts) {
      this.counts.dropped += 1;
    } else {
      this.retry(parcel, attempt);
    }
  }

  private async isDelivered(url: string, { appSecret, body }: Parcel): Promise<boolean> {
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

  private retry(parcel: Parcel, attempt: number): void {
    this.counts.retried += 1;
    const pause = setTimeout(
      () => {
        this.pauses.delete(pause);
        void this.send(parcel, attempt + 1);
      },
      Math.min(this.config().webhookRetryMs * 2 ** (attempt - 1), MAX_PAUSE_MS),
    );
    pause.unref();
    this.pauses.add(pause);
  }
}
