import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { describeOnDatabase } from '../support/databases';

describeOnDatabase('The business accounts of templates', (open) => {
  let database: Database;
  let accountId: string;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(async () => {
    accountId = uuidV7();
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Anna', 'Free')`, [accountId]);
  });

  async function addSender(businessAccountId: string, isDefault = true): Promise<string> {
    const id = uuidV7();
    await database.execute(
      `INSERT INTO senders (id, account_id, phone_number_id, business_account_id, is_default) VALUES ($1, $2, $3, $4, $5)`,
      [id, accountId, id, businessAccountId, isDefault],
    );
    return id;
  }

  async function addTemplate(name: string, businessAccountId: string): Promise<void> {
    const id = uuidV7();
    await database.transaction(async () => {
      await database.execute(
        `INSERT INTO templates (id, account_id, name, language_code, category, status, parameter_format, revision_id, business_account_id)
         VALUES ($1, $2, $3, 'en', 'Utility', 'Approved', 'Positional', $1, $4)`,
        [id, accountId, name, businessAccountId],
      );
      await database.execute(`INSERT INTO template_revisions (id, template_id, components) VALUES ($1, $1, '{}')`, [
        id,
      ]);
    });
  }

  const owners = () =>
    database.rows(
      `SELECT name, business_account_id AS "of" FROM templates WHERE account_id = $1 ORDER BY name, business_account_id`,
      [accountId],
    );
  const change = (senderId: string, set: string) =>
    database.execute(`UPDATE senders SET ${set} WHERE id = $1`, [senderId]);

  it('follow the sender to another business account, except templates that this one has', async () => {
    const sender = await addSender('100');
    await addSender('200', false);
    await addTemplate('promo', '100');
    await addTemplate('sale', '100');
    await addTemplate('sale', '200');
    await change(sender, `business_account_id = '200'`);
    expect(await owners()).toEqual([
      { name: 'promo', of: '200' },
      { name: 'sale', of: '100' },
      { name: 'sale', of: '200' },
    ]);
  });

  it('stay while another sender has the business account, but not a deleted one', async () => {
    const [one, two] = [await addSender('100'), await addSender('100', false)];
    await addTemplate('promo', '100');
    await change(one, `business_account_id = '300'`);
    expect(await owners()).toEqual([{ name: 'promo', of: '100' }]);
    await change(two, `deleted_at = now()`);
    await change(one, `business_account_id = '100'`);
    await change(one, `business_account_id = '400'`);
    expect(await owners()).toEqual([{ name: 'promo', of: '400' }]);
  });
});
