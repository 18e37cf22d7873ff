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

  it('are leased to one process, which shares its result', async () => {
    expect([await lease(), await lease()]).toEqual(['leased', 'busy']);
    await recorded.checked(subject, 'left');
    expect(await lease()).toEqual({ state: 'left', ageMs: expect.any(Number) });
    await database.execute(
      `UPDATE webhook_subscription_checks SET checked_at = now() - interval '6 min' WHERE subject = $1`,
      [subject],
    );
    expect(await lease()).toBe('leased');
  });

  it('are repeated after a failure, an expired lease, and for a process that has just started', async () => {
    await lease();
    await recorded.checked(subject, null);
    expect(await lease()).toBe('leased');
    await database.execute(
      `UPDATE webhook_subscription_checks SET lease_until = now() - interval '1 s' WHERE subject = $1`,
      [subject],
    );
    expect(await lease()).toBe('leased');
    await recorded.checked(subject, 'own');
    expect(await lease(URL, 0)).toBe('leased');
  });

  it('are those of one address', async () => {
    await lease();
    await recorded.checked(subject, 'own');
    expect(await lease('https://new.test')).toBe('leased');
    await recorded.checked(subject, null);
    expect(await lease('https://new.test')).toBe('leased');
  });
});
