import { webhookId } from '../../src/modules/events/domain/webhook-endpoint';
import { type WaitingRow, WebhooksInMemory } from '../fakes/webhooks-in-memory';
import type { Timeline } from './scheduler';

/** A body that waited for an endpoint. */
export interface WrittenBody {
  endpointId: string;
  /** The first row that it was in, and its place in the order of that row's job. */
  rowId: number;
  orderKey: string | null;
  payload: string;
}

/** Endpoints and what waits for them, and what checks look at. */
export class ObservedWebhooks extends WebhooksInMemory {
  /** Every body that was written for an endpoint, by endpoint and webhook-id. */
  readonly written = new Map<string, WrittenBody>();
  /** When an endpoint was disabled or deleted. */
  readonly closedAt = new Map<string, number>();

  constructor(private readonly scheduler: Timeline) {
    super(() => scheduler.dateAt(0).getTime() + scheduler.now);
  }

  override put(...of: Parameters<WebhooksInMemory['put']>): WaitingRow | null {
    const row = super.put(...of);
    if (row === null) return null;
    const { id, endpointId, key, firstBody, orderKey, payload, replayOf } = row;
    if (replayOf !== null) return row;
    for (const [line, body] of payload.split('\n').entries()) {
      const name = `${endpointId} ${webhookId(key, firstBody + line)}`;
      this.written.set(name, { endpointId, rowId: id, orderKey, payload: body });
    }
    return row;
  }

  /** An endpoint was disabled or deleted. */
  closed(endpointId: string): void {
    this.closedAt.set(endpointId, this.scheduler.now);
  }

  /** Whether nothing waits for an endpoint that exists. */
  isDone(): boolean {
    for (const [endpointId, rows] of this.outbox) if (rows.size > 0 && this.endpoints.has(endpointId)) return false;
    return this.replays.size === 0;
  }
}
