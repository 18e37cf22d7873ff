import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { UPGRADE_FROM_0_1 } from '../../src/schema/upgrade-from-0.1';
import { describeOnDatabase } from '../support/databases';
import { optOutsOn } from '../support/opt-outs-on';

describeOnDatabase('Numbers stored by an earlier version', (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  it('become canonical in contacts and opt-outs', async () => {
    const accountId = uuidV7();
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Anna', 'Free')`, [accountId]);
    const stored = [
      ['551187654321', '5511987654321', '5511987654321'],
      ['5215512345678', '525512345678', '525512345678'],
      ['5491123456789', '541123456789', '5491123456789'],
      ['4915112345678', '4915112345678', '4915112345678'],
    ] as const;
    for (const [phone, key] of stored) {
      await database.execute('INSERT INTO contacts (id, account_id, phone, phone_key) VALUES ($1, $2, $3, $4)', [
        ...[uuidV7(), accountId, phone, key],
      ]);
      await database.execute(
        `INSERT INTO opt_outs (account_id, person, phone, source) VALUES ($1, $2, $3, 'Keyword')`,
        [accountId, key, phone],
      );
    }
    await database.execute(
      `INSERT INTO opt_outs (account_id, person, user_id, source) VALUES ($1, 'AR.1', 'AR.1', 'Keyword')`,
      [accountId],
    );

    const step = UPGRADE_FROM_0_1.steps.find(({ name }) => name.startsWith('GroupsCanonicalNumbers'))!;
    for (const statement of step.statements) await database.execute(statement);

    const canonical = stored.map(([, , number]) => number);
    const contacts = await database.rows('SELECT phone, phone_key FROM contacts WHERE account_id = $1', [accountId]);
    expect(contacts).toHaveLength(4);
    expect(contacts).toEqual(expect.arrayContaining(canonical.map((phone) => ({ phone, phone_key: phone }))));
    expect(await optOutsOn(database).optedOutAmong(accountId, [...canonical, 'AR.1'])).toEqual(
      new Set([...canonical, 'AR.1']),
    );
    const { items } = await optOutsOn(database).list(accountId, { page: 1, pageSize: 9 });
    expect(items.map(({ phone }) => phone).sort()).toEqual([...canonical, null].sort());
  });
});
