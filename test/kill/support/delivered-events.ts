import { createWebhookEndpoint } from '../../../libs/client/generated/sdk.gen';
import type { SeededRandom } from '../../../libs/platform-sandbox/traffic/seeded-random';
import { jobEventBody, type RecordedJobEvent } from '../../../src/modules/events/adapters/recorded-job-event';
import { doubled } from '../../support/process/bulk';
import { until } from '../../support/process/service';
import { WebhookReceiver } from '../../support/webhook-receiver';
import type { Deployment } from './deployment';

interface WrittenRow {
  order_key: string | null;
  webhook_id: string;
  body: string;
}

/** A copied row; `recorded`: the job event whose body is built on delivery. */
interface CopiedRow extends Omit<WrittenRow, 'body'> {
  body: string | null;
  recorded: RecordedJobEvent;
  at: Date;
}

interface WebhookEvent {
  type: string;
  data: { messageId?: string };
}

const EVENTS = ['message.sent', 'message.failed', 'job.started', 'job.throttled', 'job.completed'] as const;
const REFUSED = 0.02;
const PATIENCE_MS = 180_000;

/** Copies every body or job event that is written to the outbox, in the same transaction. */
const COPY_WRITTEN_EVENTS = `
CREATE TABLE written_bodies (id bigint, order_key uuid, webhook_id text, body text, recorded jsonb, at timestamptz);
CREATE FUNCTION keep_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO written_bodies (id, order_key, webhook_id, body, recorded, at)
  SELECT NEW.id, NEW.order_key, 'msg_' || NEW.key || '_' || (NEW.first_body + l.n - 1), l.body, NEW.job_event, NEW.created_at
  FROM unnest(COALESCE(string_to_array(NEW.payload, E'\\n'), '{NULL}')) WITH ORDINALITY AS l (body, n);
  RETURN NULL;
END $$;
CREATE TRIGGER keep_written AFTER INSERT ON webhook_outbox FOR EACH ROW EXECUTE FUNCTION keep_written()`;

/** A webhook endpoint of several accounts, compared with everything that was written to the outbox. */
export class DeliveredEvents {
  private readonly receiver = new WebhookReceiver();
  private readonly refused = new Set<string>();

  constructor(
    private readonly deployment: Deployment,
    random: SeededRandom,
  ) {
    // Occasionally rejects a body, which is then redelivered.
    this.receiver.answer = () => {
      const id = this.receiver.received.at(-1)!.headers['webhook-id'];
      if (this.refused.has(id) || random.next() > REFUSED) return 204;
      this.refused.add(id);
      return 503;
    };
  }

  /** Creates an endpoint for each of these accounts. */
  async begin(keys: readonly string[]): Promise<void> {
    await this.receiver.start();
    await this.deployment.postgres.rows(COPY_WRITTEN_EVENTS);
    for (const key of keys) {
      const body = { url: this.receiver.url, events: [...EVENTS] };
      await this.deployment.client().messaging(key).call(createWebhookEndpoint, { body });
    }
  }

  /**
   * Expects that everything written was delivered unchanged, in order within each job, and nothing else; that each event was written once,
   * including `message.sent` for each of these accepted messages. Returns the figures.
   */
  async expectAll(accepted: readonly string[]): Promise<string> {
    const { postgres } = this.deployment;
    const waiting = () =>
      postgres.rows('SELECT endpoint_id, attempt, next_at, payload, job_event FROM webhook_outbox LIMIT 5');
    await until(async () => (await waiting()).length === 0, PATIENCE_MS, 'the outbox is empty').catch(async () =>
      expect(await waiting()).toEqual([]),
    );
    const copied = await postgres.rows<CopiedRow>(
      'SELECT order_key, webhook_id, body, recorded, at FROM written_bodies ORDER BY id, webhook_id',
    );
    const written = copied.map(({ body, recorded, at, ...row }): WrittenRow => {
      return { ...row, body: body ?? jobEventBody(recorded, at) };
    });
    const bodies = new Map(written.map((row) => [row.webhook_id, row.body]));
    const { received } = this.receiver;
    expect(received.filter(({ headers, body }) => bodies.get(headers['webhook-id']) !== body)).toEqual([]);
    const arrived = [...new Set(received.map(({ headers }) => headers['webhook-id']))];
    const arrivedIds = new Set(arrived);
    expect(written.filter(({ webhook_id }) => !arrivedIds.has(webhook_id))).toEqual([]);

    const orderOf = new Map(written.map((row) => [row.webhook_id, row.order_key]));
    const inOrder = (ids: readonly string[]) => {
      const jobs: Record<string, string[]> = {};
      for (const id of ids) {
        const job = orderOf.get(id);
        if (job) (jobs[job] ??= []).push(bodies.get(id)!);
      }
      return jobs;
    };
    expect(inOrder(arrived)).toEqual(inOrder(written.map((row) => row.webhook_id)));

    const messages = written.map(({ body }) => JSON.parse(body) as WebhookEvent).filter(({ data }) => data.messageId);
    const names = messages.map(({ type, data }) => `${type} ${data.messageId}`);
    expect(doubled(names)).toEqual([]);
    const found = new Set(names);
    expect(accepted.filter((messageId) => !found.has(`message.sent ${messageId}`))).toEqual([]);
    return `${written.length} events written, 0 missing, ${received.length - arrived.length} deliveries repeated`;
  }

  close(): Promise<void> {
    return this.receiver.close();
  }
}
