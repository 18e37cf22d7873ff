import { Client } from 'pg';
import type { Database } from '../../src/infra/database/database';
import { messagePartition, PARTITION_STORAGE } from '../../src/modules/messages/adapters/message-partition';
import { lowestUuidAt, uuidV7 } from '../../src/kernel/uuid';
import { personKey } from '../../src/modules/bulk-jobs/domain/person-keys';

/** A statement must end within ten seconds, also beside other work and with all indexes. */
const ROWS_AT_ONCE = 4_000;
const KEYS_AT_ONCE = 500;
const PEOPLE_OF_JOB = 10;
/** People who are recipients of small jobs: each of every 200th. */
const REGULAR_PEOPLE = 2000;
const MONTH_MS = 30 * 86_400_000;
/** The number of the first person. */
export const FIRST_PHONE = 4_915_100_000_000;

/** The history of a business after three months, for the read benchmarks. */
export interface GrownHistory {
  accountId: string;
  /** The latest job; each recipient has a message. */
  jobId: string;
  /** Messages of each month, oldest month first. */
  partitions: string[];
}

/** Its size. */
export interface HistorySize {
  /** People of the account, each with a conversation; also the number of recipients of each monthly job. */
  people: number;
  /** Other accounts, and messages of each of them. */
  others: { accounts: number; messages: number };
  /** Age of each job in months, the latest last; absent: 2, 1, 0. */
  monthsAgo?: readonly number[];
  /**
   * The database's address: each month is loaded before its indexes are built, in a third of the time. Indexes are then denser than those of a
   * service. Absent: written like the service writes, into live indexes, so that sizes are realistic.
   */
  loadedAt?: string;
}

/** The phone number of a person of the history, from 0. */
export function phoneOf(person: number): string {
  return String(FIRST_PHONE + person);
}

/** A UUIDv7 from a time in ms and a unique number. */
export const uuidAt = (ms: string, number: string) =>
  `(lpad(to_hex(${ms}), 12, '0') || '7' || substr(md5(${number}::text), 1, 3) || '8' || substr(md5(${number}::text), 4, 15))::uuid`;

/** ConversationId() in SQL. */
const conversationOf = (account: string, phone: string) => `(
  SELECT overlay(overlay(left(hash, 32) placing '8' from 13) placing translate(substr(hash, 17, 1), '0123456789abcdef', '89ab89ab89ab89ab') from 17)::uuid
  FROM encode(sha256(convert_to(${account} || ${phone}, 'UTF8')), 'hex') AS hash)`;

const MESSAGE_COLUMNS = `id, account_id, conversation_id, direction, type, contact_phone, template_name, language_code,
  revision_id, parameters, content, status, platform_message_id, job_id, row_number, created_at, sent_at, delivered_at, read_at`;
const PLATFORM_ID = (number: string) => `'wamid.HBgN' || encode(sha256(${number}::text::bytea), 'base64')`;

/** The job n of `addJobs` and its time. */
const JOB_TIME = `LATERAL (SELECT to_timestamp(${Date.now() / 1000}) - n * interval '1 minute' AS at) t`;
const JOB_ID = uuidAt('(extract(epoch FROM t.at) * 1000)::bigint', `('job' || n)`);

/** Fills the tables: a monthly job to everyone for three months, replies of every tenth person to the last one, and other accounts. */
export async function growHistory(
  database: Database,
  { people, others, monthsAgo = [2, 1, 0], loadedAt }: HistorySize,
): Promise<GrownHistory> {
  const [account] = await database.rows<{
    id: string;
    sender: string;
    revision: string;
    name: string;
    language: string;
  }>(
    `SELECT a.id, s.id AS sender, t.revision_id AS revision, t.name, t.language_code AS language
     FROM accounts a JOIN senders s ON s.account_id = a.id JOIN templates t ON t.account_id = a.id
     WHERE t.name = 'order_update' LIMIT 1`,
  );
  if (!account) throw new Error('The account has no template order_update');
  const partitions: string[] = [];
  let jobId = '';
  for (const months of monthsAgo) {
    const sentAt = new Date(Date.now() - months * MONTH_MS - 3_600_000);
    const { name, from, to } = messagePartition(sentAt, 0);
    const bounds = `FOR VALUES FROM ('${from}') TO ('${to}')`;
    partitions.push(name);
    if (loadedAt === undefined) {
      await database.execute(
        `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF messages ${bounds} WITH (${PARTITION_STORAGE})`,
      );
      jobId = await addJob(database, account, sentAt, people);
    } else {
      await database.execute(`DROP TABLE IF EXISTS ${name}`);
      await database.execute(`CREATE TABLE ${name} (LIKE messages) WITH (${PARTITION_STORAGE})`);
      jobId = await addJob(database, account, sentAt, people, name);
      await connected(loadedAt, async (client) => {
        await client.query(`SET maintenance_work_mem = '1GB'`);
        await client.query(`ALTER TABLE messages ATTACH PARTITION ${name} ${bounds}`);
      });
    }
    await addOthers(database, sentAt, others);
  }
  await addAnswers(database, account.id, people);
  await addConversations(database, account.id, people);
  return { accountId: account.id, jobId, partitions };
}

interface SendingAccount {
  id: string;
  sender: string;
  revision: string;
  name: string;
  language: string;
}

/** `loaded`: the partition, without indexes, that gets the messages in their last state. */
async function addJob(
  database: Database,
  account: SendingAccount,
  sentAt: Date,
  people: number,
  loaded?: string,
): Promise<string> {
  const state = (delivered: string, read: string, sent: string): string =>
    loaded ? `CASE r.row_number % 4 WHEN 3 THEN ${sent} WHEN 2 THEN ${read} ELSE ${delivered} END` : sent;
  const jobId = uuidV7(sentAt.getTime());
  await database.execute(
    `INSERT INTO bulk_jobs (id, account_id, sender_id, kind, status, template_name, language_code, revision_id,
       total_recipients, cursor, settled_below, successfully_sent, created_at, started_at, completed_at)
     VALUES ($1, $2, $3, 'Import', 'Completed', $4, $5, $6, $7::int, $7::int + 1, $7::int + 1, $7::int, $8, $8, $8)`,
    [jobId, account.id, account.sender, account.name, account.language, account.revision, people, sentAt],
  );
  await inSteps(people, async (from, to) => {
    await database.execute(
      `INSERT INTO job_recipients (job_id, position, row_number, message_id, phone, parameters, attempt, outcome, updated_at)
       SELECT $1::uuid, n, n + 1, ${uuidAt('$2::bigint + n / 3', `($1::uuid::text || n)`)}, (${FIRST_PHONE} + n - 1)::text,
         jsonb_build_array('Mira', 'PK-' || n), 1, 'Sent', to_timestamp($2::bigint / 1000.0)
       FROM generate_series($3::int, $4::int) AS n`,
      [jobId, sentAt.getTime(), from, to],
    );
    await addPersonKeys(database, jobId, from, to);
    await database.execute(
      `INSERT INTO ${loaded ?? 'messages'} (${MESSAGE_COLUMNS})
       SELECT r.message_id, $2::uuid, ${conversationOf('$2::uuid::text', 'r.phone')}, 'Outbound', 'Template', r.phone, $3, $4, $5::uuid,
         r.parameters, NULL, ${state(`'Delivered'`, `'Read'`, `'Sent'`)},
         ${PLATFORM_ID('r.message_id')}, r.job_id, r.row_number, at, at, ${state('at', 'at', 'NULL')}, ${state('NULL', 'at', 'NULL')}
       FROM job_recipients r, LATERAL (SELECT to_timestamp(($6::bigint + r.position / 3) / 1000.0) AS at) t
       WHERE r.job_id = $1 AND r.position BETWEEN $7::int AND $8::int`,
      [jobId, account.id, account.name, account.language, account.revision, sentAt.getTime(), from, to],
    );
    if (loaded) return;
    const range = [from, to + 3].map((position) => lowestUuidAt(new Date(sentAt.getTime() + Math.floor(position / 3))));
    await report(database, 'Delivered', jobId, range, [0, 1, 2]);
    await report(database, 'Read', jobId, range, [2]);
  });
  return jobId;
}

/** Which people the positions have, as imports store it. */
async function addPersonKeys(database: Database, jobId: string, from: number, to: number): Promise<void> {
  const firsts = Array.from({ length: Math.ceil((to - from + 1) / KEYS_AT_ONCE) }, (_, n) => from + n * KEYS_AT_ONCE);
  const lastOf = (first: number): number => Math.min(first + KEYS_AT_ONCE - 1, to);
  const keysFrom = (first: number): number[] =>
    Array.from({ length: lastOf(first) - first + 1 }, (_, n) => personKey(phoneOf(first + n - 1)));
  await database.execute(
    `INSERT INTO job_recipient_keys (job_id, first_position, last_position, keys)
     SELECT $1::uuid, first, last, keys::int[] FROM unnest($2::int[], $3::int[], $4::text[]) AS k (first, last, keys)`,
    [jobId, firsts, firsts.map(lastOf), firsts.map((first) => `{${keysFrom(first).join()}}`)],
  );
}

/** Applies a status, as for nearly every message: these updates take space too. */
async function report(
  database: Database,
  status: 'Delivered' | 'Read',
  jobId: string,
  ids: readonly string[],
  ofFour: readonly number[],
): Promise<void> {
  const column = status === 'Read' ? 'read_at' : 'delivered_at';
  await database.execute(
    `UPDATE messages SET status = $4, ${column} = created_at
     WHERE id >= $2::uuid AND id < $3::uuid AND job_id = $1 AND row_number % 4 = ANY ($5::int[])`,
    [jobId, ...ids, status, ofFour],
  );
}

async function addOthers(database: Database, sentAt: Date, others: HistorySize['others']): Promise<void> {
  const accountIds = Array.from(
    { length: others.accounts },
    (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  );
  await inSteps(others.messages, async (from, to) => {
    await database.execute(
      `INSERT INTO messages (${MESSAGE_COLUMNS})
       SELECT ${uuidAt('$2::bigint + n', `(account::text || n || $2::text)`)}, account, ${conversationOf('account::text', `n::text`)}, 'Outbound',
         'Template', (${FIRST_PHONE} + n)::text, 'order_update', 'en_US', account, '["Mira", "PK-1"]', NULL, 'Delivered',
         ${PLATFORM_ID('(account::text || n)')}, NULL, NULL, at, at, at, NULL
       FROM unnest($1::uuid[]) AS account, generate_series($3::int, $4::int) AS n,
         LATERAL (SELECT to_timestamp(($2::bigint + n) / 1000.0) AS at) t`,
      [accountIds, sentAt.getTime(), from, to],
    );
  });
}

async function addAnswers(database: Database, accountId: string, people: number): Promise<void> {
  const at = Date.now() - 1_800_000;
  await inSteps(people / 10, async (from, to) => {
    await database.execute(
      `INSERT INTO messages (${MESSAGE_COLUMNS})
       SELECT ${uuidAt('$2::bigint + n', `('answer' || n)`)}, $1::uuid, ${conversationOf('$1::uuid::text', `(${FIRST_PHONE} + n * 10)::text`)}, 'Inbound', 'Text',
         (${FIRST_PHONE} + n * 10)::text, NULL, NULL, NULL, NULL, '{"text": "Thank you, when does it come?"}', 'Received',
         ${PLATFORM_ID(`('answer' || n)`)}, NULL, NULL, to_timestamp(($2::bigint + n) / 1000.0), NULL, NULL, NULL
       FROM generate_series($3::int - 1, $4::int - 1) AS n`,
      [accountId, at, from, to],
    );
  });
}

/** Their last messages are those of the latest job, except for people who replied. */
async function addConversations(database: Database, accountId: string, people: number): Promise<void> {
  await inSteps(people, async (from, to) => {
    await database.execute(
      `INSERT INTO conversations (id, account_id, contact_phone, profile_name, last_message_id, last_message_at,
         last_direction, unread_count, window_expires_at, state, last_inbound_id)
       SELECT c.id, $1::uuid, c.phone, 'Mira ' || c.n, m.id, m.created_at, m.direction, CASE m.direction WHEN 'Inbound' THEN 1 ELSE 0 END,
         CASE m.direction WHEN 'Inbound' THEN m.created_at + interval '24 hours' END, CASE m.direction WHEN 'Inbound' THEN 'Open' END,
         CASE m.direction WHEN 'Inbound' THEN m.id END
       FROM (SELECT n, phone, ${conversationOf('$1::uuid::text', 'phone')} AS id
         FROM generate_series($2::int - 1, $3::int - 1) AS n, LATERAL (SELECT (${FIRST_PHONE} + n)::text AS phone) p) c,
         LATERAL (SELECT id, created_at, direction FROM messages WHERE conversation_id = c.id
           ORDER BY created_at DESC, id DESC LIMIT 1) m`,
      [accountId, from, to],
    );
  });
}

/** Vacuums as autovacuum would have; on its own connection, because the service limits statement time. */
export async function tend(databaseUrl: string, tables: readonly string[]): Promise<void> {
  await connected(databaseUrl, async (client) => {
    for (const table of tables) await client.query(`VACUUM (ANALYZE) ${table}`);
    await client.query('ANALYZE messages');
    // Otherwise the server writes it to disk during the next measurement.
    await client.query('CHECKPOINT');
  });
}

async function connected(databaseUrl: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Adds stored responses of single sends, which name their recipients. */
export async function addKeys(database: Database, accountId: string, count: number): Promise<void> {
  await inSteps(count, async (from, to) => {
    await database.execute(
      `INSERT INTO idempotency_keys (account_id, endpoint, key, fingerprint, claim_token, lease_until, resource_id, answer_status, answer)
       SELECT $1::uuid, 'POST /send-template', 'key-' || n, '', r.id, now(), r.id, 201,
         json_build_object('body', json_build_object(
           'messageId', r.id, 'status', 'Sent', 'to', (${FIRST_PHONE} + n - 1)::text, 'templateName', 'order_update'))
       FROM generate_series($2::int, $3::int) AS n, LATERAL (SELECT ${uuidAt('0', `('key' || n)`)} AS id) r`,
      [accountId, from, to],
    );
  });
}

/** Contacts, the oldest ones, that share a word of their names. */
const WITH_WORD = 5000;

/** Adds contacts with a number and a name, and the word `wintersale` in those of the oldest. */
export async function addContacts(database: Database, accountId: string, count: number): Promise<void> {
  await inSteps(count, async (from, to) => {
    await database.execute(
      `INSERT INTO contacts (id, account_id, phone, phone_key, name, parameters)
       SELECT ${uuidAt('$2::bigint + n', `('contact' || n)`)}, $1::uuid, phone, phone,
         'Mira ' || n || CASE WHEN n <= ${WITH_WORD} THEN ' Wintersale' ELSE '' END, '{}'
       FROM generate_series($3::int, $4::int) AS n, LATERAL (SELECT (${FIRST_PHONE} + n)::text AS phone) p`,
      [accountId, Date.now() - count, from, to],
    );
  });
}

/** Adds completed jobs with names and references, each with a few of the people as recipients. */
export async function addJobs(database: Database, accountId: string, count: number): Promise<void> {
  await inSteps(count, async (from, to) => {
    await database.execute(
      `INSERT INTO bulk_jobs (id, account_id, sender_id, kind, status, template_name, language_code, revision_id, name, reference,
         total_recipients, cursor, settled_below, successfully_sent, created_at, started_at, completed_at)
       SELECT ${JOB_ID}, a.account_id, a.sender_id, 'Import', 'Completed',
         a.template_name, a.language_code, a.revision_id, 'Orders ' || n, 'order-' || n, $4::int, $4::int + 1, $4::int + 1, $4::int, t.at, t.at, t.at
       FROM generate_series($2::int, $3::int) n, ${JOB_TIME},
         LATERAL (SELECT * FROM bulk_jobs WHERE account_id = $1 AND n = n LIMIT 1) a`,
      [accountId, from, to, PEOPLE_OF_JOB],
    );
    await database.execute(
      `INSERT INTO job_recipients (job_id, position, row_number, message_id, phone, parameters, attempt, outcome, updated_at)
       SELECT ${JOB_ID}, p, p + 1, gen_random_uuid(), (${FIRST_PHONE} + (n * $3::int + p) % ${REGULAR_PEOPLE})::text, '["Mira", "PK-1"]', 1, 'Sent', t.at
       FROM generate_series($1::int, $2::int) n, ${JOB_TIME}, generate_series(1, $3::int) p`,
      [from, to, PEOPLE_OF_JOB],
    );
    const keysOf = (job: number): number[] =>
      Array.from({ length: PEOPLE_OF_JOB }, (_, n) =>
        personKey(phoneOf((job * PEOPLE_OF_JOB + n + 1) % REGULAR_PEOPLE)),
      );
    await database.execute(
      `INSERT INTO job_recipient_keys (job_id, first_position, last_position, keys)
       SELECT ${JOB_ID}, 1, $2::int, keys::int[] FROM unnest($3::text[]) WITH ORDINALITY AS k (keys, nth),
         LATERAL (SELECT $1::int + nth - 1 AS n) j, ${JOB_TIME}`,
      [from, PEOPLE_OF_JOB, Array.from({ length: to - from + 1 }, (_, n) => `{${keysOf(from + n).join()}}`)],
    );
  });
}

/** Calls `work` with ranges of numbers from 1 to `count`. */
export async function inSteps(count: number, work: (from: number, to: number) => Promise<void>): Promise<void> {
  for (let from = 1; from <= count; from += ROWS_AT_ONCE) await work(from, Math.min(from + ROWS_AT_ONCE - 1, count));
}
