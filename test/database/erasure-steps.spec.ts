import { randomBytes } from 'node:crypto';
import type { Database } from '../../src/infra/database/database';
import { IdempotencyKeys } from '../../src/infra/http/idempotency/idempotency-keys';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresJobErasureStore } from '../../src/modules/bulk-jobs/adapters/postgres-job-erasure-store';
import { JobErasure } from '../../src/modules/bulk-jobs/domain/job-erasure';
import { StoredResponseErasure } from '../../src/modules/chat-history/adapters/stored-response-erasure';
import { DeliveryLogPartitions } from '../../src/modules/events/adapters/delivery-log-partitions';
import { PostgresEventErasureStore } from '../../src/modules/events/adapters/postgres-event-erasure-store';
import { PostgresWebhookEndpointStore } from '../../src/modules/events/adapters/postgres-webhook-endpoint-store';
import { WebhookSecrets } from '../../src/modules/events/adapters/webhook-secrets';
import { EventErasure } from '../../src/modules/events/domain/event-erasure';
import type { ErasedPerson, ErasurePart } from '../../src/modules/groups/domain/erasure';
import { conversationId } from '../../src/modules/messages/domain/conversation-id';
import { describeOnDatabase } from '../support/databases';

const ANNA = '4915112345678';
const ANNA_ID = 'DE.13491208655302741918';
const BEN = '4915112345679';

describeOnDatabase('The steps of the erasure of a person', (open) => {
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
           INSERT INTO templates (id, account_id, name, language_code, category, status, parameter_format, revision_id)
           VALUES ($1, $1, 'promo', 'en_US', 'Marketing', 'Approved', 'Positional', $1)),
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

    it('pass through all jobs, and each continues where the one before ended', async () => {
      await jobs(1100, 2);
      await change(`phone = '${ANNA}'`, 'nth IN (1, 600) AND position = 1');
      await change(`user_id = '${ANNA_ID}'`, 'nth = 500 AND position = 2');
      await change(`phone = '${ANNA_ID}'`, 'nth = 1100 AND position = 1');
      await change(`phone = '+49 (0151) 123-45678', attempt = 0, outcome = 'Failed'`, 'nth = 1099 AND position = 1');
      await change(`phone = '0049 151 12345678', attempt = 0, outcome = 'Failed'`, 'nth = 1099 AND position = 2');
      expect(await eraseBy(erasure)).toBe(3);
      // The number with a zero in brackets is another one.
      expect(await left()).toEqual({ erased: 5, named: 2195 });
    });

    it('take as many as the rows of one person in a job need', async () => {
      await jobs(2, 6000);
      await change(`phone = '${ANNA}', attempt = 0, outcome = 'Failed'`, 'nth = 1 OR position = 1');
      expect(await eraseBy(erasure)).toBe(2);
      expect(await left()).toEqual({ erased: 6001, named: 5999 });
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
