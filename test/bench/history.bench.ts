import { openDataSource } from '../../src/infra/database/data-source';
import { Database } from '../../src/infra/database/database';
import { messagePartition } from '../../src/modules/messages/adapters/message-partition';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresMessageStore } from '../../src/modules/messages/adapters/postgres-message-store';
import type { TemplateMessage } from '../../src/modules/messages/domain/message';
import { encodeCursor } from '../../src/kernel/time-cursor';
import { RetentionParts } from '../support/retention-parts';
import { until } from '../support/process/service';
import type { Benchmark } from './support/benchmark';
import type { Figure } from './support/figures';
import { type GrownHistory, growHistory, phoneOf, tend } from '../support/grown-history';
import type { MeasuredService } from './support/measured-service';
import { pageTimes, percentile } from './support/page-times';
import { inProduction } from './support/production';

const PEOPLE = 930_000;
const OTHERS = { accounts: 50, messages: 800 };
const CALLS = 600;
const WARM_UP_CALLS = 50;
const EXPIRED = 300_000;
const ROWS_AT_ONCE = 10_000;
const BATCH = 100;
const WRITE_EVERY_MS = 50;
const WRITES_ALONE = 200;
const MEGABYTE = 1_048_576;

/** The cost of reading and deleting with millions of messages. */
export const historyBenchmark: Benchmark = {
  name: 'history',
  question: '3,000,000 messages in 3 partitions: pages one after the other (bare: GET /me), disk, retention',
  async run(place) {
    const settings = { platform: { messagesPerSecond: 0, statuses: false }, pace: 80 };
    const figures = await inProduction(place, settings, async ({ api, store }) => {
      await until(async () => (await api.client.get('/templates')).body.totalCount > 0, 60_000, 'templates are there');
      const source = await openDataSource({ databaseUrl: store.databaseUrl, dataDir: 'not used' }, []);
      try {
        const database = new Database(source);
        const history = await growHistory(database, { people: PEOPLE, others: OTHERS });
        // As autovacuum would have done by then.
        await tend(store.databaseUrl, [...history.partitions, 'conversations', 'job_recipients']);
        return [
          ...(await pages(api, database, history)),
          ...(await sizes(database, history)),
          ...(await retentionBesideWriter(database)),
        ];
      } finally {
        await source.destroy();
      }
    });
    return figures ?? [];
  },
};

async function pages(api: MeasuredService, database: Database, history: GrownHistory): Promise<Figure[]> {
  const randomPerson = (): number => Math.floor(Math.random() * PEOPLE);
  const places = await database.rows<{ id: string; at: Date; place: string; message: string }>(
    `SELECT id, last_message_id AS message, to_char(last_message_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS place
     FROM conversations WHERE account_id = $1 ORDER BY id LIMIT $2`,
    [history.accountId, CALLS],
  );
  const one = (call: number) => places[call % places.length]!;
  const paths: Record<string, (call: number) => string> = {
    'conversations, first page': () => '/conversations?limit=50',
    'conversations, deep': (call) =>
      `/conversations?limit=50&cursor=${encodeCursor({ at: one(call).place, id: one(call).id })}`,
    'messages of a conversation': (call) => `/conversations/${one(call).id}/messages?limit=50`,
    'messages to a number': () => `/messages?limit=50&to=${phoneOf(randomPerson())}`,
    'messages of a job, first page': () => `/messages?limit=50&jobId=${history.jobId}`,
    'messages of a job, deep': (call) =>
      `/messages?limit=50&jobId=${history.jobId}&cursor=${encodeCursor({ at: one(call).place, id: one(call).message })}`,
    'recipients of a job, deep': () => `/bulk-jobs/${history.jobId}/recipients?limit=50&cursor=${randomPerson()}`,
  };
  const figures: Figure[] = [];
  for (const [what, pathOf] of Object.entries(paths)) {
    await pageTimes(api, pathOf, WARM_UP_CALLS);
    const times = await pageTimes(api, pathOf, CALLS);
    // The cost of any request, with its key and its plan limit.
    const bare = await pageTimes(api, () => '/me', CALLS);
    figures.push(
      { what: `${what}, p50`, unit: 'ms', ours: [percentile(times, 0.5)], bare: [percentile(bare, 0.5)] },
      {
        what: `${what}, p99`,
        unit: 'ms',
        ours: [percentile(times, 0.99)],
        bare: [percentile(bare, 0.99)],
        limits: [{ of: 'ours', bound: 'at most', value: 20 }],
      },
    );
  }
  return figures;
}

async function sizes(database: Database, { partitions }: GrownHistory): Promise<Figure[]> {
  const perMillion = async (tables: readonly string[]): Promise<number> => {
    const [row] = await database.rows<{ bytes: string; rows: string }>(
      `SELECT sum(pg_total_relation_size(t::regclass)) AS bytes, sum(reltuples) AS rows
       FROM unnest($1::text[]) AS t JOIN pg_class ON oid = t::regclass`,
      [tables],
    );
    return (Number(row!.bytes) / Number(row!.rows)) * (1_000_000 / MEGABYTE);
  };
  return [
    { what: 'disk of 1,000,000 messages', unit: 'MB', ours: [await perMillion(partitions)] },
    { what: 'disk of 1,000,000 conversations', unit: 'MB', ours: [await perMillion(['conversations'])] },
    { what: 'disk of 1,000,000 recipients', unit: 'MB', ours: [await perMillion(['job_recipients'])] },
  ];
}

/** Writes messages like the engine, before and during the deletion of an account's messages. */
async function retentionBesideWriter(database: Database): Promise<Figure[]> {
  const accountId = uuidV7();
  await database.execute(`UPDATE accounts SET retention_days = 730`);
  await database.execute(`INSERT INTO accounts (id, name, plan, retention_days) VALUES ($1, 'Old', 'Free', 1)`, [
    accountId,
  ]);
  await fillExpired(database, accountId);
  const writer = new Writer(new PostgresMessageStore(database));
  for (let write = 0; write < WRITES_ALONE; write++) await writer.write();
  const alone = writer.takeTimes();
  const parts = new RetentionParts(database, new SystemClock());
  let cleared = false;
  const begun = performance.now();
  const round = parts.round().finally(() => (cleared = true));
  while (!cleared) await writer.write();
  if (!(await round) || parts.telemetry.counts.messages !== EXPIRED || parts.telemetry.failures.length > 0) {
    throw new Error(
      `Retention deleted ${JSON.stringify(parts.telemetry.counts)}: ${parts.telemetry.failures.join('; ')}`,
    );
  }
  const seconds = (performance.now() - begun) / 1000;
  return [
    { what: `retention of ${EXPIRED} messages`, unit: 'messages/s', ours: [EXPIRED / seconds] },
    {
      what: `writing ${BATCH} messages beside it, p99; bare: without it`,
      unit: 'ms',
      ours: [percentile(writer.takeTimes(), 0.99)],
      bare: [percentile(alone, 0.99)],
      limits: [{ of: 'ours', bound: 'at most', value: 100 }],
    },
  ];
}

async function fillExpired(database: Database, accountId: string): Promise<void> {
  const lastMonth = messagePartition(new Date(), -1);
  for (let from = 1; from <= EXPIRED; from += ROWS_AT_ONCE) {
    const range = [from, from + ROWS_AT_ONCE - 1];
    await database.execute(
      `INSERT INTO messages (id, account_id, conversation_id, direction, type, contact_phone, template_name, language_code,
         parameters, status, platform_message_id, created_at)
       SELECT (left($2, 8) || '-' || substr($2, 10, 4) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, md5(n::text)::uuid,
         'Outbound', 'Template', n::text, 'order_update', 'en_US', '["Mira", "PK-1"]', 'Delivered', 'wamid.old.' || n,
         now() - interval '3 days'
       FROM generate_series($3::int, $4::int) AS n`,
      [accountId, lastMonth.from, ...range],
    );
    await database.execute(
      `INSERT INTO conversations (id, account_id, last_message_id, last_message_at, last_direction)
       SELECT md5(n::text)::uuid, $1, md5(n::text)::uuid, now() - interval '3 days', 'Outbound'
       FROM generate_series($2::int, $3::int) AS n`,
      [accountId, ...range],
    );
  }
}

class Writer {
  private readonly accountId = uuidV7();
  private readonly revisionId = uuidV7();
  private times: number[] = [];
  private written = 0;

  constructor(private readonly store: PostgresMessageStore) {}

  async write(): Promise<void> {
    const now = new Date();
    const messages = Array.from({ length: BATCH }, () => this.message(now));
    const begun = performance.now();
    await this.store.save(messages, now);
    this.times.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, WRITE_EVERY_MS));
  }

  takeTimes(): number[] {
    const times = this.times;
    this.times = [];
    return times;
  }

  private message(createdAt: Date): TemplateMessage {
    const id = uuidV7();
    return {
      id,
      accountId: this.accountId,
      senderId: this.accountId,
      type: 'Template',
      contactPhone: phoneOf(this.written++),
      contactUserId: null,
      templateName: 'order_update',
      languageCode: 'en_US',
      revisionId: this.revisionId,
      parameters: ['Mira', 'PK-1'],
      extras: null,
      reference: null,
      jobId: null,
      rowNumber: null,
      status: 'Sent',
      problem: null,
      platformMessageId: `wamid.${id}`,
      createdAt,
    };
  }
}
