import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { describeOnDatabase } from '../support/databases';

interface Limits {
  configured: number | null;
  own: number | null;
  effective: number;
  tier: string;
}

const LIMITS = `configured_messages_per_second AS configured, own_messages_per_second AS own,
  messages_per_second AS effective, messaging_tier AS tier`;

describeOnDatabase('The configured limits of a sender, next to processes of the previous version', (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  /** A new sender, with a limit in one of the columns. */
  async function sender(column: string): Promise<(set: string) => Promise<Limits>> {
    const id = uuidV7();
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Anna', 'Free')`, [id]);
    await database.execute(
      `INSERT INTO senders (id, account_id, phone_number_id, business_account_id, ${column}) VALUES ($1, $1, $2, '1', 5)`,
      [id, id],
    );
    return async (set) => {
      const [row] = await database.rows<Limits>(`UPDATE senders SET ${set} WHERE id = $1 RETURNING ${LIMITS}`, [id]);
      return row!;
    };
  }

  it.each(['own_messages_per_second', 'configured_messages_per_second'])('apply when written as %s', async (column) => {
    const set = await sender(column);
    const unlimited = { tier: 'Unlimited' };
    expect(await set('templates_synced_at = now()')).toEqual({ configured: 5, own: 5, effective: 5, ...unlimited });
    expect(await set(`${column} = 7`)).toEqual({ configured: 7, own: 7, effective: 7, ...unlimited });
    expect(await set(`${column} = NULL`)).toEqual({ configured: null, own: null, effective: 80, ...unlimited });
  });

  it.each(['own_messaging_tier', 'configured_messaging_tier'])('apply when written as %s', async (column) => {
    const set = await sender('configured_messages_per_second');
    const five = { configured: 5, own: 5, effective: 5 };
    expect(await set(`${column} = '250'`)).toEqual({ ...five, tier: '250' });
    expect(await set(`${column} = NULL`)).toEqual({ ...five, tier: 'Unlimited' });
  });
});
