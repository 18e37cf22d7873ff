import { randomBytes } from 'node:crypto';
import type { Database } from '../../src/infra/database/database';
import { FORGET } from '../../src/infra/http/idempotency/idempotency-claims.sql';
import { IdempotencyKeys } from '../../src/infra/http/idempotency/idempotency-keys';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresJobErasureStore } from '../../src/modules/bulk-jobs/adapters/postgres-job-erasure-store';
import { JobErasure } from '../../src/modules/bulk-jobs/domain/job-erasure';
import { type Identified, keysOf, personKey } from '../../src/modules/bulk-jobs/domain/person-keys';
import { StoredResponseErasure } from '../../src/modules/chat-history/adapters/stored-response-erasure';
import { DeliveryLogPartitions } from '../../src/modules/events/adapters/delivery-log-partitions';
import { PostgresEventErasureStore } from '../../src/modules/events/adapters/postgres-event-erasure-store';
import { PostgresWebhookEndpointStore } from '../../src/modules/events/adapters/postgres-webhook-endpoint-store';
import { WebhookSecrets } from '../../src/modules/events/adapters/webhook-secrets';
import { EventErasure } from '../../src/modules/events/domain/event-erasure';
import type { ErasedPerson, ErasurePart } from '../../src/modules/groups/domain/erasure';
import { conversationId } from '../../src/modules/messages/domain/conversation-id';
import { describeOnDatabase } from '../support/databases';
import { ExplainedPlans } from '../support/explained-plans';

const ANNA = '4915112345678';
const ANNA_ID = 'DE.13491208655302741918';
const BEN = '4915112345679';

describeOnDatabase('The steps of the erasure of a person', (open, isShared) => {
  let database: Database;
  let accountId: string;
  let person: ErasedPerson;

  beforeAll(async () => {
    database = await open();
    await new DeliveryLogPartitions(database, new SystemClock()).keep();
  });
  beforeEach(async () => {
    accountId = uuidV7();
    person = { accountId, phone: ANNA, userId: ANNA_ID, requestedAt: new Date(Date.now() + 60_000) };
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free')`, [accountId]);
  });

  /** Every step is taken by another process, which only has the stored position; returns the number of steps. */
  async function eraseBy(part: () => ErasurePart): Promise<number> {
    let position: string | null = null;
    for (let steps = 1; steps < 50; steps++) {
      const step = await part().erase(person, position);
      if (step.done) return steps;
      position = step.position ?? position;
    }
    throw new Error('not done after 50 steps');
  }

  describe('from recipients', () => {
    const erasure = () => new JobErasure(new PostgresJobErasureStore(database));
    const jobs = (count: number, recipients: number) =>
      database.execute(
        `WITH sender AS (
           INSERT INTO senders (id, account_id, phone_number_id, business_account_id) VALUES ($1::uuid, $1, $1::text, '2')),
         template AS (
           INSERT INTO templates (id, account_id, name, language_code, category, status, parameter_format, revision_id, business_account_id)
           VALUES ($1, $1, 'promo', 'en_US', 'Marketing', 'Approved', 'Positional', $1, '2')),
         revision AS (INSERT INTO template_revisions (id, template_id, components) VALUES ($1, $1, '{}')),
         jobs AS (
           INSERT INTO bulk_jobs (id, account_id, sender_id, kind, status, template_name, language_code, revision_id, created_at,
             completed_at, total_recipients, cursor)
           SELECT gen_random_uuid(), $1, $1, 'Import', 'Completed', 'promo', 'en_US', $1, now() - n * interval '1 s', now(), $3, $3 + 1
           FROM generate_series(1, $2::int) n RETURNING id)
         INSERT INTO job_recipients (job_id, position, row_number, message_id, phone, parameters, attempt, outcome)
         SELECT jobs.id, n, n, gen_random_uuid(), '4930' || n, '["Ben"]', 1, 'Sent' FROM jobs, generate_series(1, $3::int) n`,
        [accountId, count, recipients],
      );
    const change = (set: string, where: string) =>
      database.execute(
        `UPDATE job_recipients SET ${set} WHERE (job_id, position) IN (SELECT j.id, position
           FROM (SELECT id, row_number() OVER (ORDER BY created_at) AS nth FROM bulk_jobs WHERE account_id = $1) j
           JOIN job_recipients r ON r.job_id = j.id WHERE ${where})`,
        [accountId],
      );
    const left = async () => {
      const [row] = await database.rows<{ erased: number; named: number }>(
        `SELECT count(*) FILTER (WHERE phone = '')::int AS erased, count(*) FILTER (WHERE parameters <> '[]')::int AS named
         FROM job_recipients WHERE job_id IN (SELECT id FROM bulk_jobs WHERE account_id = $1)`,
        [accountId],
      );
      return row;
    };

    /** The keys of an import; jobs of early versions have none. */
    const storeKeys = async () => {
      const rows = await database.rows<Identified & { jobId: string; first: number; last: number }>(
        `SELECT job_id AS "jobId", phone, user_id AS "userId", attempt = 0 AS "isInvalid",
           (position - 1) / 500 * 500 + 1 AS first, max(position) OVER (PARTITION BY job_id, (position - 1) / 500) AS last
         FROM job_recipients WHERE job_id IN (SELECT id FROM bulk_jobs WHERE account_id = $1)`,
        [accountId],
      );
      const chunks = new Map(rows.map((row) => [`${row.jobId} ${row.first}`, { ...row, keys: [] as number[] }]));
      for (const row of rows) chunks.get(`${row.jobId} ${row.first}`)!.keys.push(...keysOf(row));
      for (const { jobId, first, last, keys } of chunks.values()) {
        await database.execute('INSERT INTO job_recipient_keys VALUES ($1, $2, $3, $4)', [jobId, first, last, keys]);
      }
    };
    const keysLeft = async () => {
      const [row] = await database.rows<{ left: number; kept: number }>(
        `SELECT count(*) FILTER (WHERE keys && $2::int[])::int AS left, count(*) FILTER (WHERE cardinality(keys) > 0)::int AS kept
         FROM job_recipient_keys WHERE job_id IN (SELECT id FROM bulk_jobs WHERE account_id = $1)`,
        [accountId, [ANNA, ANNA_ID].map(personKey)],
      );
      return row;
    };

    describe.each([true, false])('of jobs with keys: %s', (isKeyed) => {
      it('pass through all jobs, and each continues where the one before ended', async () => {
        await jobs(110, 2);
        await change(`phone = '${ANNA}'`, 'nth IN (1, 60) AND position = 1');
        await change(`user_id = '${ANNA_ID}'`, 'nth = 50 AND position = 2');
        await change(`phone = '${ANNA_ID}'`, 'nth = 110 AND position = 1');
        await change(`phone = '+49 (0151) 123-45678', attempt = 0, outcome = 'Failed'`, 'nth = 109 AND position = 1');
        await change(`phone = '0049 151 12345678', attempt = 0, outcome = 'Failed'`, 'nth = 109 AND position = 2');
        if (isKeyed) await storeKeys();
        expect(await eraseBy(erasure)).toBe(3);
        // The number with a zero in brackets is another one.
        expect(await left()).toEqual({ erased: 5, named: 215 });
        expect(await keysLeft()).toEqual({ left: 0, kept: isKeyed ? 110 : 0 });
      });

      it('reach all rows of a person in a large job', async () => {
        await jobs(2, 6000);
        await change(`phone = '${ANNA}', attempt = 0, outcome = 'Failed'`, 'nth = 1 OR position = 1');
        if (isKeyed) await storeKeys();
        expect(await eraseBy(erasure)).toBe(1);
        expect(await left()).toEqual({ erased: 6001, named: 5999 });
        expect(await keysLeft()).toEqual({ left: 0, kept: isKeyed ? 12 : 0 });
      });
    });

    it('read only the ranges with a key of the person', async () => {
      await jobs(1, 1500);
      await storeKeys();
      await change(`phone = '${ANNA}'`, 'position IN (700, 1400)');
      await database.execute('UPDATE job_recipient_keys SET keys = keys || $1::int WHERE first_position = 501', [
        personKey(ANNA),
      ]);
      await eraseBy(erasure);
      expect(await left()).toEqual({ erased: 1, named: 1499 });
    });
  });

  it('from stored responses take a thousand at a time', async () => {
    const keys = new IdempotencyKeys(database, new SystemClock());
    const answers: Record<string, object> = {
      sent: { messageId: 'm', to: ANNA, platformMessageId: 'wamid.1' },
      replied: { messageId: 'm', conversationId: conversationId(accountId, ANNA), platformMessageId: 'wamid.1' },
      contact: { id: 'c', phone: null, userId: ANNA_ID, name: 'Anna', username: 'anna', attributes: { city: 'Bonn' } },
      others: { messageId: 'm', to: BEN, platformMessageId: 'wamid.2' },
    };
    for (const [endpoint, body] of Object.entries(answers)) {
      await database.execute(
        `INSERT INTO idempotency_keys (account_id, endpoint, key, fingerprint, claim_token, lease_until, resource_id, answer_status, answer)
         SELECT $1::uuid, $2, n, '', $1::uuid, now(), $1::uuid, 201, $3 FROM generate_series(1, 700) n`,
        [accountId, endpoint, JSON.stringify({ body })],
      );
    }
    expect(await eraseBy(() => new StoredResponseErasure(keys))).toBe(4);
    const left = await database.rows(
      `SELECT endpoint, answer -> 'body' AS body, count(*)::int AS count FROM
         (SELECT endpoint, answer::jsonb AS answer FROM idempotency_keys WHERE account_id = $1) k GROUP BY 1, 2 ORDER BY 1`,
      [accountId],
    );
    expect(left).toEqual([
      {
        ...{ endpoint: 'contact', count: 700 },
        body: { id: 'c', phone: null, userId: null, name: null, username: null, attributes: {} },
      },
      { endpoint: 'others', count: 700, body: answers.others },
      { endpoint: 'replied', count: 700, body: { ...answers.replied, platformMessageId: null } },
      { endpoint: 'sent', count: 700, body: { messageId: 'm', to: '', platformMessageId: null } },
    ]);
  });

  // The embedded database holds fewer rows.
  if (isShared) {
    it('from stored responses read those of the person by index', async () => {
      await database.execute(
        `INSERT INTO idempotency_keys (account_id, endpoint, key, fingerprint, claim_token, lease_until, resource_id, answer_status, answer)
         SELECT $1::uuid, 'x', n, '', $1::uuid, now(), $1::uuid, 201, json_build_object('body', json_build_object('to', n))
         FROM generate_series(1, 20000) n`,
        [accountId],
      );
      await database.execute('ANALYZE idempotency_keys');
      const plans = new ExplainedPlans(database, {
        forget: { text: FORGET, parameters: [accountId, ['4711'], person.requestedAt, 1000] },
      });
      for (const mode of ['generic', 'custom'] as const) {
        await database.transaction(async () => {
          await plans.prepare();
          const { forget } = await plans.read(() => mode);
          expect(forget).toMatchObject({ whole: [] });
          expect(forget!.rows).toBeLessThan(10);
          await database.execute('DEALLOCATE forget');
        });
      }
    });
  }

  it('from the log of events pass over bodies that contain the number in the words of another person', async () => {
    const endpointId = uuidV7();
    const secrets = new WebhookSecrets(database, new SecretBox(randomBytes(32)));
    const fields = { url: 'https://example.com', events: ['message.received'], maxEvents: 1 } as const;
    await new PostgresWebhookEndpointStore(database, secrets).add(
      { id: endpointId, accountId, ...fields },
      'whsec_MQ==',
      1,
    );
    const log = (data: object, count: number) =>
      database.execute(
        `WITH logged AS (
           INSERT INTO webhook_deliveries (id, endpoint_id, key, body, events, attempt, status, duration_ms, at)
           SELECT id::uuid, $1, id::uuid, 0, '{}', 1, 'Delivered', 1, now() FROM unnest($2::text[]) id RETURNING id)
         INSERT INTO webhook_bodies (id, body) SELECT id, $3 FROM logged`,
        [endpointId, Array.from({ length: count }, () => uuidV7()), JSON.stringify({ type: 'x', data })],
      );
    await log({ phone: BEN, flowResponse: { phone: ANNA } }, 600);
    await log({ phone: ANNA, text: 'mine' }, 600);
    expect(await eraseBy(() => new EventErasure(new PostgresEventErasureStore(database)))).toBe(6);
    const left = await database.rows(
      `SELECT b.body::jsonb -> 'data' AS data, count(*)::int AS count FROM webhook_bodies b JOIN webhook_deliveries USING (id)
       WHERE endpoint_id = $1 GROUP BY 1 ORDER BY 2, 1::text`,
      [endpointId],
    );
    expect(left).toHaveLength(2);
    expect(left).toContainEqual({ data: { phone: null, text: null }, count: 600 });
  });
});
