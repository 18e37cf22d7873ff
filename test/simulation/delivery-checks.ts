import { webhookId } from '../../src/modules/events/domain/webhook-endpoint';
import type { WebhookPost } from '../../src/modules/events/domain/webhook-sender.port';
import type { Life } from './life';
import type { ObservedWebhooks, WrittenBody } from './observed-webhooks';
import { PromiseBroken } from './promise-broken';
import type { ReceiverWitness } from './simulated-receiver';

/** A lease that is not renewed lets requests leave for so long. */
const VALID_MS = 4001;

/** What the receivers of events see is what was written, once each at least, in order and under the lease. */
export class DeliveryChecks implements ReceiverWitness {
  private readonly seen = new Set<string>();
  private readonly taken = new Set<string>();
  /** The latest row of each job that an endpoint saw. */
  private readonly latest = new Map<string, number>();

  constructor(
    private readonly webhooks: ObservedWebhooks,
    /** After a disabling or deletion that long nothing leaves. */
    private readonly closesWithinMs: number = VALID_MS,
  ) {}

  departed(life: Life, post: WebhookPost): void {
    const { endpointId } = post;
    const name = nameOf(post);
    const now = this.webhooks.now();
    const written = this.webhooks.written.get(name);
    if (written?.payload !== post.body) throw new PromiseBroken('only what was written is delivered', name);
    const closedAt = this.webhooks.closedAt.get(endpointId);
    if (closedAt !== undefined) {
      if (life.scheduler.now - closedAt > this.closesWithinMs)
        throw new PromiseBroken('nothing leaves for an endpoint that is disabled or deleted', name);
      return;
    }
    const { leaseOwner, leaseUntil } = this.webhooks.endpoints.get(endpointId)!;
    if (leaseOwner !== life.name || leaseUntil <= now)
      throw new PromiseBroken('events leave under the lease of their endpoint', `${life.name} ${name}`);
    this.isFirst(name, written);
  }

  arrived(post: WebhookPost, took: boolean): void {
    const name = nameOf(post);
    const written = this.webhooks.written.get(name)!;
    if (!this.seen.has(name)) this.inOrder(written);
    this.seen.add(name);
    if (took) this.taken.add(name);
  }

  /** When everything has healed and nothing is left to be delivered. */
  end(): void {
    const { endpoints, written, log } = this.webhooks;
    if (!this.webhooks.isDone()) throw new PromiseBroken('every event is delivered', 'some wait for ever');
    const logged = new Set<string>();
    for (const { endpointId, key, body, status } of log.values()) {
      const name = `${endpointId} msg_${key}_${body}`;
      if (status !== 'Delivered') continue;
      logged.add(name);
      if (!this.taken.has(name)) throw new PromiseBroken('the log says what the endpoint got', name);
    }
    for (const [name, { endpointId }] of written) {
      if (!endpoints.has(endpointId)) continue;
      if (!this.taken.has(name)) throw new PromiseBroken('every event is delivered', name);
      if (!logged.has(name)) throw new PromiseBroken('the log says what the endpoint got', name);
    }
  }

  /** What comes earlier in the order of its job, a replay included, is done with. */
  private isFirst(name: string, { endpointId, orderKey, rowId }: WrittenBody): void {
    if (orderKey === null) return;
    for (const { key, firstBody, replayOf, id } of this.webhooks.waiting(endpointId)) {
      const other = this.webhooks.written.get(`${endpointId} ${webhookId(key, firstBody)}`)!;
      if (other.orderKey === orderKey && (replayOf ?? id) < rowId)
        throw new PromiseBroken('events of a job leave one after the other', `${name} before row ${id}`);
    }
  }

  private inOrder({ endpointId, orderKey, rowId }: WrittenBody): void {
    if (orderKey === null) return;
    const key = `${endpointId} ${orderKey}`;
    const latest = this.latest.get(key) ?? 0;
    if (rowId < latest)
      throw new PromiseBroken('events of a job arrive in order', `${key}: row ${rowId} after ${latest}`);
    this.latest.set(key, rowId);
  }
}

function nameOf({ endpointId, headers }: WebhookPost): string {
  return `${endpointId} ${headers['webhook-id']}`;
}
