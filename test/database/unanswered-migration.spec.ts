import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { UNANSWERED } from '../../src/modules/chat-history/adapters/schema/0111-unanswered';
import { PostgresConversationStore } from '../../src/modules/chat-history/adapters/postgres-conversation-store';
import { describeOnDatabase } from '../support/databases';

const WRITTEN = { direction: 'Inbound', type: 'Text', status: 'Received' };
const REPLY = { direction: 'Outbound', type: 'Text', status: 'Delivered' };
const TEMPLATE = { direction: 'Outbound', type: 'Template', status: 'Sent' };

describeOnDatabase('Conversations recorded by the version before', (open) => {
  let database: Database;
  const accountId = uuidV7();

  beforeAll(async () => {
    database = await open();
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Anna', 'Free')`, [accountId]);
  });

  /** A conversation with messages one second apart, oldest first, as the version before recorded it. */
  async function conversation(messages: (typeof WRITTEN & { jobId?: string })[], state = 'Open'): Promise<string> {
    const id = uuidV7();
    const ids = messages.map(() => uuidV7());
    for (const [index, message] of messages.entries()) {
      await database.execute(
        `INSERT INTO messages (id, account_id, conversation_id, direction, type, status, job_id, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 s')`,
        [ids[index], accountId, id, message.direction, message.type, message.status, message.jobId, index],
      );
    }
    const lastInbound = ids[messages.findLastIndex(({ type }) => type === 'Text')] ?? null;
    await database.execute(
      `INSERT INTO conversations (id, account_id, last_message_id, last_message_at, last_direction, last_inbound_id, state)
       VALUES ($1, $2, $3, now(), 'Inbound', $4, $5)`,
      [id, accountId, ids.at(-1), messages.length > 1 ? lastInbound : null, state],
    );
    return id;
  }

  it('await a reply after the update as far as their messages tell, and when the version before records further ones', async () => {
    const reaction = { ...WRITTEN, type: 'Reaction' };
    const waiting = [
      await conversation([WRITTEN]),
      await conversation([REPLY, WRITTEN, reaction]),
      await conversation([WRITTEN, { ...REPLY, status: 'Failed' }]),
      await conversation([WRITTEN, { ...TEMPLATE, jobId: uuidV7() }]),
    ];
    const answered = [
      await conversation([WRITTEN, REPLY, reaction, { ...TEMPLATE, jobId: uuidV7() }]),
      await conversation([WRITTEN, TEMPLATE]),
      await conversation([WRITTEN], 'Keyword'),
      await conversation([{ ...TEMPLATE, jobId: uuidV7() }]),
    ];
    const store = new PostgresConversationStore(database);
    const awaits = async (id: string) => (await store.find(accountId, id))!.waitingSince !== null;
    // The second run repeats an interrupted one.
    for (let run = 1; run <= 2; run++) {
      for (const statement of UNANSWERED.statements) await database.execute(statement);
      expect(await Promise.all(waiting.map(awaits))).toEqual(waiting.map(() => true));
      expect(await Promise.all(answered.map(awaits))).toEqual(answered.map(() => false));
    }
    await database.execute('UPDATE conversations SET last_inbound_id = $2 WHERE id = $1', [answered[0], uuidV7()]);
    expect(await awaits(answered[0]!)).toBe(true);
  });
});
