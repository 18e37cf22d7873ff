import type { Database } from '../../src/infra/database/database';
import type { DatabaseIdentity } from '../../src/infra/database/database-identity';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresRecordedSubscriptions } from '../../src/modules/platform-webhook/adapters/postgres-recorded-subscriptions';
import { describeOnDatabase } from '../support/databases';

const URL = 'https://example.test';
const FRESH_MS = 300_000;

describeOnDatabase('The checks of a subscription', (open) => {
  let database: Database;
  let recorded: PostgresRecordedSubscriptions;
  let subject: string;

  beforeAll(async () => {
    database = await open();
    recorded = new PostgresRecordedSubscriptions(database, {} as DatabaseIdentity);
  });
  beforeEach(() => {
    subject = uuidV7();
  });
  const lease = (url = URL, freshMs = FRESH_MS) => recorded.lease(subject, url, 60_000, freshMs);
  const checks = async (...subjects: string[]) => [...(await recorded.checks(subjects, URL))];

  it('are leased to one process, which shares its result', async () => {
    expect([await lease(), await lease()]).toEqual([true, false]);
    expect(await checks(subject)).toEqual([]);
    await recorded.checked(subject, 'left');
    expect(await lease()).toBe(false);
    const [first, ageMs] = [subject, expect.any(Number) as number];
    subject = uuidV7();
    await lease();
    await recorded.checked(subject, 'own');
    expect((await checks(first, uuidV7(), subject)).sort()).toEqual([
      [first, { state: 'left', ageMs }],
      [subject, { state: 'own', ageMs }],
    ]);
    await database.execute(
      `UPDATE webhook_subscription_checks SET checked_at = now() - interval '6 min' WHERE subject = $1`,
      [subject],
    );
    expect(await lease()).toBe(true);
  });

  it('are repeated after a failure, an expired lease, and for a process that has just started', async () => {
    await lease();
    await recorded.checked(subject, null);
    expect(await lease()).toBe(true);
    await database.execute(
      `UPDATE webhook_subscription_checks SET lease_until = now() - interval '1 s' WHERE subject = $1`,
      [subject],
    );
    expect(await lease()).toBe(true);
    await recorded.checked(subject, 'own');
    expect(await lease(URL, 0)).toBe(true);
  });

  it('are those of one address', async () => {
    await lease();
    await recorded.checked(subject, 'own');
    expect(await lease('https://new.test')).toBe(true);
    expect(await checks(subject)).toEqual([]);
    await recorded.checked(subject, null);
    expect(await lease('https://new.test')).toBe(true);
  });

  it('are forgotten, with the record, for business accounts that no sender uses', async () => {
    const [used, account] = [uuidV7(), uuidV7()];
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free')`, [account]);
    await database.execute(
      `INSERT INTO senders (id, account_id, phone_number_id, business_account_id) VALUES ($1, $1, '1', $2)`,
      [account, used],
    );
    const subjects = [subject, used, `app ${subject}`];
    for (const one of subjects) {
      await recorded.record(one, URL);
      await recorded.lease(one, URL, 60_000, FRESH_MS);
    }
    await recorded.forgetUnused(500);
    expect(await recorded.forgetUnused(500)).toBe(0);
    const left = await database.rows(
      `SELECT business_account_id AS subject FROM webhook_subscriptions WHERE business_account_id = ANY($1)
       UNION ALL SELECT subject FROM webhook_subscription_checks WHERE subject = ANY($1) ORDER BY 1`,
      [subjects],
    );
    expect(left).toEqual([used, used, `app ${subject}`, `app ${subject}`].map((one) => ({ subject: one })));
  });
});
