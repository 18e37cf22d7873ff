import { createHmac } from 'node:crypto';
import type { Client } from 'pg';
import { SANDBOX_CREDENTIALS } from '../../libs/platform-sandbox/credentials';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { KEY, until } from '../support/process/service';
import type { Benchmark, BenchmarkPlace } from './support/benchmark';
import type { Figure } from './support/figures';
import type { MeasuredService } from './support/measured-service';
import { secondsUsed, withClient } from './support/postgres-time';
import { inProduction } from './support/production';
import { writeRecipientList } from './support/recipient-lists';
import { upload } from './support/uploads';

/** Accounts with one sender each; senders with a running job; webhook endpoints, each with an event, one in ten unreachable. */
interface Scale {
  accounts: number;
  sending: number;
  endpoints: number;
}

const SMALL: Scale = { accounts: 10, sending: 10, endpoints: 3 };
/** Fewer to try it out: BENCH_ACCOUNTS=1000. */
const ACCOUNTS = Number(process.env.BENCH_ACCOUNTS ?? 10_000);
const LARGE: Scale = { accounts: ACCOUNTS, sending: 0.03 * ACCOUNTS, endpoints: 0.3 * ACCOUNTS };
const PAIRS = Number(process.env.BENCH_PAIRS ?? 2);
const GOAL = 1.2;

const BODIES = 2000;
const REQUESTS = 1000;
/** All senders are read once a minute. */
const IDLE_SECONDS = 60;
const LANE_SECONDS = 20;
/** Enough for a message a second of each lane. */
const RECIPIENTS = 100;
const SETTLES_IN_MS = 600_000;

const QUANTITIES = {
  body: ['a webhook body: API', 'ms of processor time'],
  request: ['a request of the API: API', 'ms of processor time'],
  idle: ['an idle second of a worker: worker', 'ms of processor time'],
  idleStore: ['an idle second of a worker: PostgreSQL', 'ms of processor time'],
  lane: ["a lane's second, beyond the idle one: worker", 'ms of processor time'],
} as const;
type Measured = Record<keyof typeof QUANTITIES, number>;

/** What one of many accounts costs more than one of few. */
export const tenantsBenchmark: Benchmark = {
  name: 'tenants',
  question: `${LARGE.accounts} accounts, ${LARGE.sending} sending, ${LARGE.endpoints} endpoints; the bare loop is the same with ${SMALL.accounts} accounts`,
  async run(place) {
    const large: Measured[] = [];
    const small: Measured[] = [];
    for (let pair = 0; pair < PAIRS; pair++) {
      const [few, many] = [await measure(place, SMALL), await measure(place, LARGE)];
      if (!few || !many) return [];
      small.push(few);
      large.push(many);
    }
    return (Object.keys(QUANTITIES) as (keyof Measured)[]).map((quantity): Figure => {
      const [what, unit] = QUANTITIES[quantity];
      const of = (measured: Measured[]): number[] => measured.map((one) => one[quantity]);
      return {
        ...{ what, unit, ours: of(large), bare: of(small) },
        limits: [{ of: 'ratio', bound: 'at most', value: GOAL }],
      };
    });
  },
};

function measure(place: BenchmarkPlace, scale: Scale): Promise<Measured | null> {
  const platform = { messagesPerSecond: 0, statuses: false, autoCreateSenders: true };
  return inProduction(place, { platform, pace: 1 }, async ({ api, worker: startWorker, store }) => {
    const { jobId } = await upload(api, writeRecipientList(place.folder, 'csv', RECIPIENTS), RECIPIENTS);
    return withClient(store.databaseUrl, async (client) => {
      await fill(client, jobId, scale);
      const { rows } = await client.query<{ now: Date }>('SELECT now()');
      const worker = await startWorker();
      try {
        await settled(client, rows[0]!.now);
        const body = await costOf(api, BODIES, (n) => report(api, n % scale.accounts));
        const request = await costOf(api, REQUESTS, () => read(api));
        const idle = await usedBy(worker, client, IDLE_SECONDS);
        await client.query(`UPDATE bulk_jobs SET status = 'Processing', at_rest = false, started_at = now()`);
        await new Promise((resolve) => setTimeout(resolve, 10_000));
        const busy = await usedBy(worker, client, LANE_SECONDS);
        const lane = (busy.worker - idle.worker) / scale.sending;
        return { body, request, idle: idle.worker, idleStore: idle.store, lane };
      } finally {
        await worker.stop();
      }
    });
  });
}

/** Copies the paused job to other accounts; endpoints cannot be reached, and all but one in ten have nothing to deliver. */
async function fill(client: Client, jobId: string, { accounts, sending, endpoints }: Scale): Promise<void> {
  const id = (n: string): string => `('00000000-0000-7000-8000-' || lpad(${n}::text, 12, '0'))::uuid`;
  await client.query(`UPDATE bulk_jobs SET status = 'Paused', at_rest = true WHERE id = $1`, [jobId]);
  const others = `generate_series(1, ${accounts} - 1) n`;
  await client.query(`INSERT INTO accounts (id, name, plan) SELECT ${id('n')}, 'Tenant', 'Free' FROM ${others}`);
  await client.query(
    `INSERT INTO senders (id, account_id, phone_number_id, business_account_id, configured_messages_per_second, templates_synced_at)
     SELECT ${id('n')}, ${id('n')}, 500000000 + n, 700000000 + n, 1, now() FROM ${others}`,
  );
  const columns = 'kind, status, at_rest, template_name, language_code, revision_id, total_recipients';
  await client.query(
    `INSERT INTO bulk_jobs (id, account_id, sender_id, ${columns})
     SELECT ${id('n')}, ${id('n')}, ${id('n')}, ${columns} FROM bulk_jobs, generate_series(1, ${sending} - 1) n WHERE id = $1`,
    [jobId],
  );
  await client.query(
    `INSERT INTO job_recipients (job_id, position, row_number, message_id, phone, parameters)
     SELECT ${id('n')}, position, row_number, gen_random_uuid(), phone, parameters
     FROM job_recipients, generate_series(1, ${sending} - 1) n WHERE job_id = $1`,
    [jobId],
  );
  const box = new SecretBox(Buffer.alloc(32, 7));
  const ids = Array.from({ length: endpoints }, (_, n) => `00000000-0000-7000-8000-${String(n + 1).padStart(12, '0')}`);
  await client.query(
    `INSERT INTO webhook_endpoints (id, account_id, url, events, max_events, status, secret_encrypted, blocked_until)
     SELECT id, id, 'https://127.0.0.1:1', '{contact.opted_in}', 1, 'Enabled', secret, now() + interval '1 h'
     FROM unnest($1::uuid[], $2::text[]) AS e (id, secret)`,
    [ids, ids.map((one) => box.seal('whsec_MQ==', `webhook endpoint ${one} secret`))],
  );
  await client.query(
    `INSERT INTO webhook_outbox (endpoint_id, bodies, payload)
     SELECT ${id('n')}, 1, '{"type":"contact.opted_in","data":{}}' FROM generate_series(1, ${endpoints}, 10) n, generate_series(1, 100)`,
  );
  await client.query('ANALYZE');
}

/** Waits until the worker, too, has read the limits of all senders since its start, and the hourly walk through the history has ended. */
async function settled(client: Client, startedAt: Date): Promise<void> {
  const isDone = async (): Promise<boolean> => {
    const unfinished = `SELECT 1 FROM senders WHERE limits_read_at IS NULL OR limits_read_at < $1
      UNION ALL SELECT 1 FROM retention_turn WHERE owner IS NOT NULL OR due_at < now() LIMIT 1`;
    return (await client.query(unfinished, [startedAt])).rowCount === 0;
  };
  await until(isDone, SETTLES_IN_MS, 'the work of a start is done');
  await new Promise((resolve) => setTimeout(resolve, 15_000));
}

/** Milliseconds of processor time of the service for each of `count` requests, one after the other. */
async function costOf(service: MeasuredService, count: number, request: (n: number) => Promise<void>): Promise<number> {
  for (let n = 0; n < 100; n++) await request(n);
  const before = service.cpuSeconds();
  for (let n = 0; n < count; n++) await request(n);
  return (1000 * (service.cpuSeconds() - before)) / count;
}

/** A status of a message that nobody sent, for the number of an account. */
async function report({ url }: MeasuredService, account: number): Promise<void> {
  const { phoneNumberId, businessAccountId, appSecret } = SANDBOX_CREDENTIALS;
  const [number, business] =
    account === 0 ? [phoneNumberId, businessAccountId] : [500_000_000 + account, 700_000_000 + account];
  const timestamp = String(Math.floor(Date.now() / 1000));
  const status = { id: `wamid.${account}`, status: 'delivered', timestamp, recipient_id: '4915112345678' };
  const metadata = { display_phone_number: '1', phone_number_id: String(number) };
  const value = { messaging_product: 'whatsapp', metadata, statuses: [status] };
  const entry = [{ id: String(business), changes: [{ field: 'messages', value }] }];
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
  const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
  const response = await fetch(`${url}/webhooks/platform`, { method: 'POST', body, headers });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  await response.arrayBuffer();
}

async function read({ url }: MeasuredService): Promise<void> {
  const response = await fetch(`${url}/api/v1/messaging/bulk-jobs`, { headers: { 'x-api-key': KEY } });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  await response.arrayBuffer();
}

/** Milliseconds of processor time a second of the worker and of PostgreSQL. */
async function usedBy(worker: MeasuredService, client: Client, seconds: number) {
  const before = worker.cpuSeconds();
  const store = (await secondsUsed(client, 1000 * seconds)) ?? NaN;
  return { worker: (1000 * (worker.cpuSeconds() - before)) / seconds, store: (1000 * store) / seconds };
}
