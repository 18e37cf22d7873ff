import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresConversationStore } from '../../src/modules/chat-history/adapters/postgres-conversation-store';
import { COUNT_UNREAD } from '../../src/modules/chat-history/adapters/unread-counts.sql';
import { describeOnDatabase } from '../support/databases';

const CONVERSATIONS = 40;
const PLAIN = `SELECT count(*)::int FROM conversations WHERE account_id = $1 AND unread_count > 0 AND state = 'Open'`;

describeOnDatabase('The count of unread conversations', (open, isShared) => {
  let database: Database;
  let store: PostgresConversationStore;
  let account: string;

  beforeAll(async () => {
    database = await open();
    store = new PostgresConversationStore(database);
  });

  beforeEach(async () => {
    account = uuidV7();
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free')`, [account]);
    await database.execute(
      `INSERT INTO conversations (id, account_id, last_message_id, last_message_at, last_direction, unread_count, state)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), now() - n * interval '1 s', 'Inbound', n % 3, ('{Open,Done,Keyword}'::text[])[n % 4 + 1]
       FROM generate_series(1, $2::int) n`,
      [account, CONVERSATIONS],
    );
  });

  const change = (sets: string, where: string) =>
    database.execute(`UPDATE conversations SET ${sets} WHERE account_id = $1 AND ${where}`, [account]);
  const counts = async () => {
    const [row] = await database.rows<{ shown: number; plain: number }>(
      `SELECT (${COUNT_UNREAD}) AS shown, (${PLAIN}) AS plain`,
      [account],
    );
    return row!;
  };
  const changes = async () => {
    const [row] = await database.rows<{ count: number }>(
      'SELECT count(*)::int AS count FROM unread_changes WHERE account_id = $1',
      [account],
    );
    return row!.count;
  };
  const foldAll = async () => {
    while ((await store.foldUnread(1000)) > 0);
  };

  it('is exact after every change, whatever part of the changes is added to it', async () => {
    const expectExact = async () => {
      const { shown, plain } = await counts();
      expect(shown).toBe(plain);
      return plain;
    };
    const seen = new Set([await expectExact()]);
    // The first count begins beside changes that are left.
    expect(await store.foldUnread(2)).toBe(2);
    await expectExact();
    for (const [sets, where] of [
      [`state = 'Open'`, `state = 'Done'`],
      ['unread_count = unread_count + 1', 'true'],
      [`unread_count = 0, state = 'Done'`, 'unread_count = 3'],
      [`state = 'Open'`, 'state IS NULL'],
      ['state = NULL', `state = 'Keyword'`],
      ['unread_count = 0', 'unread_count = 2'],
      ['unread_count = 5', `state = 'Open'`],
    ] as const) {
      await change(sets, where);
      seen.add(await expectExact());
      await store.foldUnread(3);
      await expectExact();
    }
    await database.execute('DELETE FROM conversations WHERE account_id = $1 AND unread_count = 5', [account]);
    await expectExact();
    await foldAll();
    expect([await expectExact(), await changes()]).toEqual([0, 0]);
    expect(seen.size).toBeGreaterThan(4);
  });

  it('is written only where a conversation begins or ends to be unread and open', async () => {
    await foldAll();
    await change('unread_count = unread_count + 1', `unread_count > 0 AND state = 'Open'`);
    await change('last_message_at = now(), unread_count = unread_count', 'true');
    await change(`state = 'Done'`, `unread_count = 0 AND state = 'Open'`);
    expect(await changes()).toBe(0);
    const failed = database.transaction(async () => {
      await change('unread_count = 0', 'true');
      throw new Error('undone');
    });
    await expect(failed).rejects.toThrow('undone');
    expect(await changes()).toBe(0);
    const { affected } = await change('unread_count = 0', `unread_count > 0 AND state = 'Open'`);
    expect([await changes(), affected > 0]).toEqual([affected, true]);
  });

  it('ends with the account, whose last changes are dropped', async () => {
    await foldAll();
    await database.execute('DELETE FROM conversations WHERE account_id = $1', [account]);
    await database.execute('DELETE FROM accounts WHERE id = $1', [account]);
    expect(await changes()).toBeGreaterThan(0);
    await foldAll();
    expect(await changes()).toBe(0);
    expect(await database.rows('SELECT 1 FROM unread_counts WHERE account_id = $1', [account])).toEqual([]);
  });

  if (!isShared) return;

  it('is exact at any moment while several write and several add changes', async () => {
    const ids = await database.rows<{ id: string }>('SELECT id FROM conversations WHERE account_id = $1', [account]);
    let writing = true;
    const write = async (first: number): Promise<void> => {
      for (let n = 0; n < 200; n++) {
        const { id } = ids[(first + 7 * n) % ids.length]!;
        await database.execute(
          `UPDATE conversations SET unread_count = CASE WHEN unread_count > 0 THEN 0 ELSE 1 END, state = CASE WHEN $2 THEN 'Done' ELSE 'Open' END WHERE id = $1`,
          [id, n % 5 === first % 5],
        );
      }
    };
    const fold = async (): Promise<void> => {
      while (writing) await store.foldUnread(3);
    };
    const wrong: object[] = [];
    const read = async (): Promise<void> => {
      while (writing) {
        const { shown, plain } = await counts();
        if (shown !== plain) wrong.push({ shown, plain });
      }
    };
    const others = [fold(), fold(), read()];
    await Promise.all([0, 1, 2].map(write));
    writing = false;
    await Promise.all(others);
    await foldAll();
    const { shown, plain } = await counts();
    expect({ wrong, shown }).toEqual({ wrong: [], shown: plain });
  });
});
