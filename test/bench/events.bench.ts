import { Client as PostgresClient } from 'pg';
import { until } from '../support/process/service';
import { type ServerProcess, startServer } from './support/bare-process';
import type { Benchmark, BenchmarkPlace } from './support/benchmark';
import { type Figure, interleaved } from './support/figures';
import { inProduction, jobRate, type Production } from './support/production';
import { writeRecipientList } from './support/recipient-lists';
import { Recording } from './support/recording';
import { upload } from './support/uploads';

const PAIRS = 4;
const PACE = 500;
const JOB = 6000;
/** Written like commits of the recorder. */
const BACKLOG = { rows: 100, eventsInRow: 500 };
const STEADY = { everyMs: 100, events: 10, seconds: 8 };
const PATIENCE_MS = 120_000;

interface Arrived {
  count: number;
  p95: number;
  seconds: number;
}

/** What events for webhook endpoints cost their writers, and how soon and how fast they arrive. */
export const eventsBenchmark: Benchmark = {
  name: 'events',
  question:
    'events for webhook endpoints; the bare recorder and the bare job have no endpoint, the bare neighbour no stuck one beside it',
  async run(place) {
    const cost = await costOfRecorder(place);
    const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };
    const settings = { platform: { messagesPerSecond: 0, statuses: false }, pace: PACE, env };
    const delivered = await inProduction(place, settings, async (production) => {
      const worker = await production.worker();
      const receiver = await startServer('event-receiver.ts', {});
      try {
        const delivery = new Delivery(production, receiver);
        return [
          ...(await delivery.besideJob(place.folder)),
          await delivery.manyInOneBody(),
          await delivery.besideStuckOne(),
        ];
      } finally {
        await worker.stop();
        await receiver.stop();
      }
    });
    return [...cost, ...(delivered ?? [])];
  },
};

async function costOfRecorder({ postgresUrl }: BenchmarkPlace): Promise<Figure[]> {
  if (!postgresUrl) return [];
  const recording = await Recording.open(postgresUrl);
  try {
    const cost = async (isSubscribed: boolean): Promise<number> => {
      await recording.subscribe(isSubscribed);
      return recording.cpuOfThousand();
    };
    await cost(true);
    const values = await interleaved(
      PAIRS,
      () => cost(true),
      () => cost(false),
    );
    return [
      {
        what: 'recorder with one endpoint, processor of 1,000 answers, PostgreSQL included',
        unit: 'ms',
        ...values,
        limits: [{ of: 'ratio', bound: 'at most', value: 1.1 }],
      },
    ];
  } finally {
    await recording.close();
  }
}

/** A worker that delivers to a receiver. */
class Delivery {
  constructor(
    private readonly production: Production,
    private readonly receiver: ServerProcess,
  ) {}

  async besideJob(folder: string): Promise<Figure[]> {
    const { api } = this.production;
    const list = writeRecipientList(folder, 'csv', JOB);
    const rateOfJob = async (): Promise<number> => jobRate(api, (await upload(api, list, JOB)).jobId, JOB);
    const bare = await rateOfJob();
    const endpoint = await this.subscribe('/hook', 'message.sent', 1);
    const rate = await rateOfJob();
    const { count, p95, seconds } = await this.arrived(endpoint);
    if (count !== JOB) throw new Error(`${count} of ${JOB} events arrived`);
    await this.unsubscribe(endpoint);
    return [
      {
        what: `job at ${PACE}/s with an event each, one in a body`,
        unit: 'messages/s',
        ours: [rate],
        bare: [bare],
        limits: [{ of: 'ours', bound: 'at least', value: 0.95 * PACE }],
      },
      { what: 'its events', unit: 'events/s', ours: [count / seconds] },
      { what: 'its lag p95', unit: 'ms', ours: [p95], limits: [{ of: 'ours', bound: 'at most', value: 2000 }] },
    ];
  }

  async manyInOneBody(): Promise<Figure> {
    const endpoint = await this.subscribe('/hook', 'message.received', 100);
    await this.sql(async (client) => {
      await client.query('BEGIN');
      for (let row = 0; row < BACKLOG.rows; row++)
        await this.write(client, endpoint, 'message.received', BACKLOG.eventsInRow);
      await client.query('COMMIT');
    });
    const { count, seconds } = await this.arrived(endpoint);
    await this.unsubscribe(endpoint);
    return {
      what: '100 events in a body',
      unit: 'events/s',
      ours: [count / seconds],
      limits: [{ of: 'ours', bound: 'at least', value: 5000 }],
    };
  }

  async besideStuckOne(): Promise<Figure> {
    const neighbour = await this.subscribe('/hook', 'message.received', 1);
    const lag = async (): Promise<number> => {
      await this.sql(async (client) => {
        const end = performance.now() + STEADY.seconds * 1000;
        while (performance.now() < end) {
          await this.write(client, neighbour, 'message.received', STEADY.events);
          await new Promise((done) => setTimeout(done, STEADY.everyMs));
        }
      });
      return (await this.arrived(neighbour)).p95;
    };
    await lag();
    const bare = await lag();
    const stuck = await this.subscribe('/stuck', 'contact.opted_out', 1);
    await this.sql((client) => this.write(client, stuck, 'contact.opted_out', 500));
    const ours = await lag();
    await this.unsubscribe(stuck);
    await this.unsubscribe(neighbour);
    return {
      what: 'lag p95 beside a stuck endpoint',
      unit: 'ms',
      ours: [ours],
      bare: [bare],
      limits: [{ of: 'ratio', bound: 'at most', value: 2 }],
    };
  }

  private async subscribe(path: string, event: string, maxEvents: number): Promise<string> {
    const fields = { url: this.receiver.url + path, events: [event], maxEvents };
    const { status, body } = await this.production.api.client.post('/webhook-endpoints', fields);
    if (status !== 201) throw new Error(`The endpoint was answered ${status}: ${JSON.stringify(body)}`);
    return body.id as string;
  }

  private async unsubscribe(id: string): Promise<void> {
    await this.production.api.client.call('DELETE', `/webhook-endpoints/${id}`);
  }

  /** What arrived, once nothing waits for the endpoint. */
  private async arrived(endpointId: string): Promise<Arrived> {
    await this.sql((client) => {
      const isEmpty = async (): Promise<boolean> =>
        (await client.query('SELECT 1 FROM webhook_outbox WHERE endpoint_id = $1 LIMIT 1', [endpointId])).rowCount ===
        0;
      return until(isEmpty, PATIENCE_MS, 'every event has arrived');
    });
    return (await (await fetch(`${this.receiver.url}/figures`)).json()) as Arrived;
  }

  /** Events of an endpoint's account, written like a commit of the service. */
  private async write(client: PostgresClient, endpointId: string, type: string, count: number): Promise<void> {
    const data = {
      messageId: endpointId,
      conversationId: endpointId,
      phone: '4915112345678',
      userId: null,
      type: 'Text',
      text: 'Hello',
    };
    const event = JSON.stringify({ type, timestamp: new Date().toISOString(), data });
    await client.query(
      'SELECT webhook_outbox_write(account_id, $2::text[], $3::text[]) FROM webhook_endpoints WHERE id = $1',
      [endpointId, Array(count).fill(type), Array(count).fill(event)],
    );
  }

  private async sql(work: (client: PostgresClient) => Promise<void>): Promise<void> {
    const client = new PostgresClient({ connectionString: this.production.store.databaseUrl });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  }
}
