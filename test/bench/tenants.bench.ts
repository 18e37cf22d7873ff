import { createHmac } from 'node:crypto';
import type { Client } from 'pg';
import { SANDBOX_CREDENTIALS } from '../../libs/platform-sandbox/credentials';
import { uuidAt } from '../support/grown-history';
import { proofOf } from '../../src/modules/accounts/domain/api-key';
import { purposeOf } from '../../src/modules/accounts/adapters/sender-secrets';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { freePort } from '../support/free-port';
import { KEY, until } from '../support/process/service';
import type { Benchmark, BenchmarkPlace } from './support/benchmark';
import type { Figure } from './support/figures';
import type { MeasuredService } from './support/measured-service';
import { boundlessPlans } from './support/plans';
import { secondsUsed, withClient } from './support/postgres-time';
import { inProduction } from './support/production';
import { writeRecipientList } from './support/recipient-lists';
import { upload } from './support/uploads';

/** Accounts; their numbers, each with its own secrets; numbers with a running job; webhook endpoints, one in ten with events, unreachable. */
interface Scale {
  accounts: number;
  senders: number;
  sending: number;
  endpoints: number;
}

const SMALL: Scale = { accounts: 10, senders: 12, sending: 10, endpoints: 3 };
/** Fewer to try it out: BENCH_ACCOUNTS=1000. */
const ACCOUNTS = Number(process.env.BENCH_ACCOUNTS ?? 10_000);
const LARGE: Scale = {
  ...{ accounts: ACCOUNTS, senders: 1.2 * ACCOUNTS, sending: 0.03 * ACCOUNTS, endpoints: 0.3 * ACCOUNTS },
};
const ROUNDS = Number(process.env.BENCH_PAIRS ?? 2);
const GOAL = 1.2;

/** Requests of a round, in turns of both services: the speed of a shared processor changes within seconds. */
const TURNS = 10;
const BODIES_OF_A_TURN = 200;
/** Accounts that are reported on, in turn: their senders are in memory after the first round, as those of all active accounts are. */
const REPORTED = (TURNS + 1) * BODIES_OF_A_TURN;
const REQUESTS_OF_A_TURN = 100;
const LISTS = ['/bulk-jobs', '/messages?limit=20', '/conversations', '/templates', '/overview'];
/** Messages to report on: a turn warms up, and a round of them comes before the measured ones. */
const MESSAGES = REPORTED * (ROUNDS + 1);
/** All senders are read once a minute. */
const IDLE_SECONDS = 60;
const LANE_SECONDS = 20;
/** Enough for a message a second of each lane. */
const RECIPIENTS = 100;
const SETTLES_IN_MS = 600_000;
/** Reports on a number are recorded once a minute. */
const RECORDED_IN_MS = 70_000;

const QUANTITIES = {
  body: ['a webhook body: API', 'ms of processor time'],
  request: ['a list of the API: API', 'ms of processor time'],
  idle: ['an idle second of a worker: worker', 'ms of processor time'],
  idleStore: ['an idle second of a worker: PostgreSQL', 'ms of processor time'],
  lane: ["a lane's second, beyond the idle one: worker", 'ms of processor time'],
  laneStore: ["a lane's second, beyond the idle one: PostgreSQL", 'ms of processor time'],
} as const;
/** A value of the service with few accounts, and of the one with many. */
interface Pair<Value = number> {
  few: Value;
  many: Value;
}

/** What one of many accounts costs more than one of few, both at the same time. */
export const tenantsBenchmark: Benchmark = {
  name: 'tenants',
  question: `${LARGE.accounts} accounts, ${LARGE.senders} numbers, ${LARGE.sending} sending, ${LARGE.endpoints} endpoints; the bare loop is the same with ${SMALL.accounts} accounts`,
  async run(place) {
    const measured = await withTenants(place, SMALL, (few) =>
      withTenants(place, LARGE, (many) => compare({ few, many })),
    );
    if (!measured) return [];
    return (Object.keys(QUANTITIES) as (keyof typeof QUANTITIES)[]).map((quantity): Figure => {
      const [what, unit] = QUANTITIES[quantity];
      const pairs = measured[quantity];
      return {
        ...{ what, unit, ours: pairs.map(({ many }) => many), bare: pairs.map(({ few }) => few) },
        limits: [{ of: 'ratio', bound: 'at most', value: GOAL }],
      };
    });
  },
};

/** The processes of a service with so many accounts, and its database. */
interface Tenants {
  scale: Scale;
  api: MeasuredService;
  worker: MeasuredService;
  client: Client;
  /** Returns the number of the next message to report on. */
  nextMessage(): number;
}

async function withTenants<Result>(
  place: BenchmarkPlace,
  scale: Scale,
  work: (tenants: Tenants) => Promise<Result>,
): Promise<Result | null> {
  const platform = { messagesPerSecond: 0, statuses: false, autoCreateSenders: true };
  // Platform subscriptions are checked only with a public address.
  const publicUrl = `http://127.0.0.1:${await freePort()}`;
  const env = { PLANS_FILE: boundlessPlans(place.folder) };
  return inProduction(place, { platform, pace: 1, publicUrl, env }, async ({ api, worker: startWorker, store }) => {
    const { jobId } = await upload(api, writeRecipientList(place.folder, 'csv', RECIPIENTS), RECIPIENTS);
    return withClient(store.databaseUrl, async (client) => {
      await fill(client, jobId, scale);
      const worker = await startWorker();
      try {
        await settled(client);
        let reported = 0;
        return await work({ scale, api, worker, client, nextMessage: () => reported++ });
      } finally {
        await worker.stop();
      }
    });
  });
}

async function compare(both: Pair<Tenants>): Promise<Record<keyof typeof QUANTITIES, Pair[]>> {
  const idle = await inRounds(() => usedBy(both, IDLE_SECONDS));
  await ofEach(both, ({ client }) =>
    client.query(`UPDATE bulk_jobs SET status = 'Processing', at_rest = false, started_at = now()`),
  );
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  const busy = await inRounds(() => usedBy(both, LANE_SECONDS));
  const request = await inRounds(() => inTurns(both, REQUESTS_OF_A_TURN, read));
  // Limits, templates and subscription of a number are read soon after its first report in a day: not what a body costs.
  await inTurns(both, BODIES_OF_A_TURN, report);
  await new Promise((resolve) => setTimeout(resolve, RECORDED_IN_MS));
  await ofEach(both, ({ client }) => settled(client));
  const body = await inRounds(() => inTurns(both, BODIES_OF_A_TURN, report));
  const lanes = (process: 'worker' | 'store'): Pair[] => {
    const ofLane = (which: keyof Pair, round: number): number =>
      (busy[round]![which][process] - idle[round]![which][process]) / both[which].scale.sending;
    return busy.map((_, round) => ({ few: ofLane('few', round), many: ofLane('many', round) }));
  };
  return {
    ...{ body, request },
    idle: idle.map(({ few, many }) => ({ few: few.worker, many: many.worker })),
    idleStore: idle.map(({ few, many }) => ({ few: few.store, many: many.store })),
    lane: lanes('worker'),
    laneStore: lanes('store'),
  };
}

async function inRounds<Value>(measure: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (let round = 0; round < ROUNDS; round++) values.push(await measure());
  return values;
}

async function ofEach<Value>(both: Pair<Tenants>, measure: (tenants: Tenants) => Promise<Value>): Promise<Pair<Value>> {
  const [few, many] = await Promise.all([measure(both.few), measure(both.many)]);
  return { few, many };
}

/** Copies the paused job to other accounts; endpoints cannot be reached, and all but one in ten have nothing to deliver. */
async function fill(client: Client, jobId: string, { accounts, senders, sending, endpoints }: Scale): Promise<void> {
  const id = (n: string): string => `('00000000-0000-7000-8000-' || lpad(${n}::text, 12, '0'))::uuid`;
  await client.query(`UPDATE bulk_jobs SET status = 'Paused', at_rest = true WHERE id = $1`, [jobId]);
  const others = `generate_series(1, ${accounts} - 1) n`;
  await client.query(`INSERT INTO accounts (id, name, plan) SELECT ${id('n')}, 'Tenant', 'Enterprise' FROM ${others}`);
  const box = new SecretBox(Buffer.alloc(32, 7));
  const idsUpTo = (count: number): string[] =>
    Array.from({ length: count }, (_, n) => `00000000-0000-7000-8000-${String(n + 1).padStart(12, '0')}`);
  const senderIds = idsUpTo(senders - 1);
  const sealed = (secret: 'accessToken' | 'appSecret'): string[] =>
    senderIds.map((one) => box.seal(SANDBOX_CREDENTIALS[secret], purposeOf(one, secret)));
  // Every sixth number is the second one of an account. The times of regular tasks are spread over the interval of idle numbers.
  await client.query(
    `INSERT INTO senders (id, account_id, is_default, phone_number_id, business_account_id, configured_messages_per_second,
       access_token_encrypted, app_secret_encrypted, templates_synced_at, limits_read_at)
     SELECT s.id, ${id('account')}, n < $4::int, 500000000 + n, 700000000 + account, 1, token, secret, now() - random() * interval '1 d', now() - random() * interval '1 d'
     FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY AS s (id, token, secret, n),
       LATERAL (SELECT CASE WHEN n < $4::int THEN n ELSE n - $4::int + 1 END AS account) a`,
    [senderIds, sealed('accessToken'), sealed('appSecret'), accounts],
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
  const ids = idsUpTo(endpoints);
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
  const proofs = idsUpTo(accounts - 1).map((_, n) => proofOf(keyOf(n + 1)));
  await client.query(
    `INSERT INTO api_keys (id, account_id, name, prefix, secret_hash, scopes)
     SELECT ${id('n')}, ${id('n')}, 'Shop', prefix, secret, scopes
     FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS k (prefix, secret, n), LATERAL (SELECT scopes FROM api_keys WHERE n = n LIMIT 1) s`,
    [proofs.map(({ prefix }) => prefix), proofs.map(({ secretHash }) => secretHash)],
  );
  await client.query(
    `INSERT INTO messages (id, account_id, conversation_id, direction, type, contact_phone, template_name, language_code, status,
       platform_message_id, created_at, sent_at)
     SELECT ${uuidAt(String(Date.now()), 'n')}, CASE account WHEN 0 THEN j.account_id ELSE ${id('account')} END, gen_random_uuid(),
       'Outbound', 'Template', '4915112345678', 'order_update', 'en_US', 'Sent', 'wamid.' || n, now(), now()
     FROM bulk_jobs j, generate_series(0, ${MESSAGES} - 1) n, LATERAL (SELECT n % ${REPORTED} % ${accounts} AS account) a WHERE j.id = $1`,
    [jobId],
  );
  await client.query('ANALYZE');
}

/** The API key of an account; the first account has that of every service under test. */
function keyOf(account: number): string {
  return account === 0 ? KEY : `mta_${account.toString(16).padStart(8, '0')}_${'k'.repeat(43)}`;
}

/** Waits until the subscriptions of all business accounts are checked, the tasks due at the start or after a report are done, and the hourly walk through the history has ended. */
async function settled(client: Client): Promise<void> {
  const isDone = async (): Promise<boolean> => {
    const unfinished = `SELECT 1 FROM senders s LEFT JOIN webhook_subscription_checks c ON c.subject = s.business_account_id
        WHERE s.limits_read_at IS NULL OR s.templates_synced_at IS NULL OR c.state IS NULL
      UNION ALL SELECT 1 FROM senders s JOIN sender_traffic t ON t.sender_id = s.id
        WHERE LEAST(s.limits_read_at, s.templates_synced_at) < now() - interval '1 h' AND t.last_webhook_at > now() - interval '1 h'
      UNION ALL SELECT 1 FROM retention_turn WHERE owner IS NOT NULL OR due_at < now() LIMIT 1`;
    return (await client.query(unfinished)).rowCount === 0;
  };
  await until(isDone, SETTLES_IN_MS, 'the work of a start is done');
  await new Promise((resolve) => setTimeout(resolve, 15_000));
}

/** Milliseconds of processor time of each API for one of the requests, made one after the other and in turns. */
async function inTurns(
  both: Pair<Tenants>,
  requestsOfATurn: number,
  request: (tenants: Tenants, n: number) => Promise<void>,
): Promise<Pair> {
  const used = { few: 0, many: 0 };
  for (let turn = 0; turn <= TURNS; turn++) {
    for (const which of ['few', 'many'] as const) {
      const { api } = both[which];
      const before = api.cpuSeconds();
      for (let n = 0; n < requestsOfATurn; n++) await request(both[which], turn * requestsOfATurn + n);
      // The first turn warms up.
      if (turn > 0) used[which] += api.cpuSeconds() - before;
    }
  }
  const perRequest = 1000 / (TURNS * requestsOfATurn);
  return { few: used.few * perRequest, many: used.many * perRequest };
}

/** Reports that a message is delivered, each of another account than the one before. */
async function report({ api: { url }, scale: { accounts }, nextMessage }: Tenants): Promise<void> {
  const n = nextMessage();
  const account = (n % REPORTED) % accounts;
  const { phoneNumberId, businessAccountId, appSecret } = SANDBOX_CREDENTIALS;
  const [number, business] =
    account === 0 ? [phoneNumberId, businessAccountId] : [500_000_000 + account, 700_000_000 + account];
  const timestamp = String(Math.floor(Date.now() / 1000));
  const status = { id: `wamid.${n}`, status: 'delivered', timestamp, recipient_id: '4915112345678' };
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

/** Reads lists, each with the key of another account than the one before. */
async function read({ api: { url }, scale: { accounts } }: Tenants, n: number): Promise<void> {
  const path = LISTS[n % LISTS.length]!;
  const response = await fetch(`${url}/api/v1/messaging${path}`, { headers: { 'x-api-key': keyOf(n % accounts) } });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  await response.arrayBuffer();
}

/** Milliseconds of processor time a second of each worker and its PostgreSQL, in the same seconds. */
function usedBy(both: Pair<Tenants>, seconds: number): Promise<Pair<{ worker: number; store: number }>> {
  return ofEach(both, async ({ worker, client }) => {
    const before = worker.cpuSeconds();
    const store = (await secondsUsed(client, 1000 * seconds)) ?? NaN;
    return { worker: (1000 * (worker.cpuSeconds() - before)) / seconds, store: (1000 * store) / seconds };
  });
}
