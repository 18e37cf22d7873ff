import type { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { SystemClock } from '../../src/infra/system-clock';
import type { Caller } from '../../src/kernel/caller';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresAuditStore } from '../../src/modules/accounts/adapters/postgres-audit-store';
import { AccountsService } from '../../src/modules/accounts/domain/accounts.service';
import { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import type { KeyAuthentication } from '../../src/modules/accounts/domain/key-authentication';
import { Plans } from '../../src/modules/accounts/domain/plans';
import type { SenderChecks } from '../../src/modules/accounts/domain/sender-checks';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { describeOnDatabase } from '../support/databases';
import { FullAccount, TABLES } from '../support/full-account';
import { RetentionParts } from '../support/retention-parts';
import type { SqlSendingTables } from '../support/sending-tables';

const TABLES_OF_ACCOUNTS = `
SELECT c.table_name AS name FROM information_schema.columns c
JOIN pg_class t ON t.oid = c.table_name::regclass AND NOT t.relispartition AND t.relkind IN ('r', 'p')
WHERE c.table_schema = 'public' AND c.column_name = 'account_id' ORDER BY 1`;

/** Foreign keys whose columns are not the first ones of an index of all rows: deleting a row that they refer to reads the whole table. */
const UNINDEXED_FOREIGN_KEYS = `
SELECT c.conrelid::regclass || '.' || c.conname AS name FROM pg_constraint c
WHERE c.contype = 'f' AND c.conparentid = 0 AND NOT EXISTS (
  SELECT FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indisvalid AND i.indpred IS NULL
    AND (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey)`;

describeOnDatabase('The deletion of an account', (open) => {
  let database: Database;
  let parts: RetentionParts;

  beforeAll(async () => {
    database = await open();
    parts = new RetentionParts(database);
  });

  const fullAccount = (): Promise<FullAccount> => new FullAccount(database, parts.files).fill();

  const deletedSince = (accountId: string, seconds: number) =>
    database.execute(
      `UPDATE accounts SET status = 'Deleting', updated_at = now() - make_interval(secs => $2) WHERE id = $1`,
      [accountId, seconds],
    );

  /** The number of rows of an account in each table that has any. */
  async function rowsOf({ accountId, senderId }: SqlSendingTables): Promise<Record<string, number>> {
    const names = (await database.rows<{ name: string }>(TABLES_OF_ACCOUNTS, [])).map(({ name }) => name);
    const counts: Record<string, number> = {};
    const count = async (table: string, condition: string, id: string) => {
      const [row] = await database.rows<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE ${condition}`, [
        id,
      ]);
      if (row!.n > 0) counts[table] = row!.n;
    };
    for (const name of names) await count(name, 'account_id = $1', accountId);
    await count('accounts', 'id = $1', accountId);
    await count('single_sends', 'sender_id = $1', senderId);
    await count('job_recipients', 'job_id IN (SELECT id FROM bulk_jobs WHERE account_id = $1)', accountId);
    // Until they are added to the hours, in which those of deleted accounts are left out.
    delete counts.activity_deltas;
    return counts;
  }

  it('leaves no row of it in any table, and those of others as they are', async () => {
    const [gone, kept] = [await fullAccount(), await fullAccount()];
    const before = await rowsOf(kept);
    expect(Object.keys(await rowsOf(gone)).sort()).toEqual(TABLES);
    const jobs = await database.rows<{ id: string }>('SELECT id FROM bulk_jobs WHERE account_id = $1', [
      gone.accountId,
    ]);
    await deletedSince(gone.accountId, 130);
    await parts.round();

    // The file of a message is deleted after its row.
    expect(Object.keys(await rowsOf(gone)).filter((name) => name !== 'inbound_media')).toEqual([]);
    const ids = jobs.map(({ id }) => id);
    expect(await database.rows('SELECT 1 FROM job_recipients WHERE job_id = ANY($1::uuid[])', [ids])).toEqual([]);
    expect(await rowsOf(kept)).toEqual(before);
  });

  it('begins when the last responses of the platform are recorded, without waiting for the next round', async () => {
    const tables = await fullAccount();
    const before = await rowsOf(tables);
    await deletedSince(tables.accountId, 60);
    await parts.round();
    expect(await rowsOf(tables)).toEqual(before);

    await deletedSince(tables.accountId, 130);
    await parts.retention.round(new AbortController().signal);
    expect((await rowsOf(tables)).accounts).toBeUndefined();
  });

  it('continues after each step where another process stopped', async () => {
    const tables = await fullAccount();
    await deletedSince(tables.accountId, 130);
    let steps = 0;
    // Each step by another process.
    while ((await rowsOf(tables)).accounts) {
      const { deletion } = new RetentionParts(database);
      const [account] = await deletion.due();
      expect(account).toMatchObject({ id: tables.accountId });
      await deletion.step(account!, 500);
      steps++;
    }
    expect(steps).toBeGreaterThan(8);
    expect(await parts.deletion.due()).toEqual([]);
  });

  it('leaves its entry in the audit log of the operator', async () => {
    const [operator, tables] = [await fullAccount(), await fullAccount()];
    const clock = new SystemClock();
    const audit = new AuditLogService(new PostgresAuditStore(database), clock);
    const accounts = new AccountsService(
      parts.accounts,
      new Plans({}),
      new SendersService(parts.accounts, clock),
      { forget: () => undefined } as Partial<KeyAuthentication> as KeyAuthentication,
      new TypeOrmUnitOfWork(database),
      audit,
      {} as SenderChecks,
    );
    const caller: Caller = {
      accountId: operator.accountId,
      keyId: uuidV7(),
      keyPrefix: 'mta',
      plan: 'Free',
      scopes: [],
    };
    await accounts.delete(caller, tables.accountId);
    await deletedSince(tables.accountId, 130);
    await parts.round();
    expect(await rowsOf(tables)).not.toHaveProperty('accounts');
    const { items } = await audit.list(caller, { limit: 100 });
    expect(items.filter(({ action }) => action === 'account.deleted')).toMatchObject([{ targetId: tables.accountId }]);
  });

  it('reads no table whole at its end, because every foreign key has an index', async () => {
    expect(await database.rows(UNINDEXED_FOREIGN_KEYS)).toEqual([]);
  });
});
