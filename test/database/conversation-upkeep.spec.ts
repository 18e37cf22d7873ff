import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresMessageStore } from '../../src/modules/messages/adapters/postgres-message-store';
import { conversationId } from '../../src/modules/messages/domain/conversation-id';
import type { FreeFormMessage, TemplateMessage } from '../../src/modules/messages/domain/message';
import { describeOnDatabase } from '../support/databases';

const ACCOUNT = uuidV7();
const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 19, 15, second));

describeOnDatabase('The upkeep of conversations', (open) => {
  let database: Database;
  let store: PostgresMessageStore;
  let next = 0;

  beforeAll(async () => {
    database = await open();
    store = new PostgresMessageStore(database);
  });

  const newPhone = () => `49151${String(1_000_000 + next++)}`;
  const message = (contactPhone: string, second: number, changes: Partial<TemplateMessage> = {}): TemplateMessage => ({
    type: 'Template',
    id: uuidV7(),
    accountId: ACCOUNT,
    senderId: ACCOUNT,
    contactPhone,
    contactUserId: null,
    templateName: 'promo',
    languageCode: 'en_US',
    revisionId: uuidV7(),
    parameters: [],
    extras: null,
    reference: null,
    jobId: null,
    rowNumber: null,
    status: 'Sent',
    problem: null,
    platformMessageId: null,
    createdAt: at(second),
    ...changes,
  });
  const conversationOf = async (person: string) =>
    (
      await database.rows<Record<string, unknown>>('SELECT * FROM conversations WHERE id = $1', [
        conversationId(ACCOUNT, person),
      ])
    )[0];

  it('creates a conversation with the first message', async () => {
    const phone = newPhone();
    const first = message(phone, 1);
    await store.save([first], at(1));

    expect(await conversationOf(phone)).toMatchObject({
      account_id: ACCOUNT,
      contact_phone: phone,
      last_message_id: first.id,
      last_message_at: at(1),
      last_direction: 'Outbound',
      unread_count: 0,
      window_expires_at: null,
    });
  });

  it('moves forward in time only, whatever the order and batches of saved messages', async () => {
    const phone = newPhone();
    const [early, middle, late] = [message(phone, 1), message(phone, 2), message(phone, 3)];
    await store.save([middle, early], at(4));
    expect(await conversationOf(phone)).toMatchObject({ last_message_id: middle.id, last_message_at: at(2) });

    await store.save([late], at(4));
    await store.save([message(phone, 0)], at(4));
    expect(await conversationOf(phone)).toMatchObject({ last_message_id: late.id, last_message_at: at(3) });
  });

  it('keeps one conversation per account and person', async () => {
    const phone = newPhone();
    const elsewhere = message(phone, 9, { accountId: uuidV7() });
    await store.save([message(phone, 1), message(phone, 2), elsewhere], at(3));

    expect(await conversationOf(phone)).toMatchObject({ last_message_at: at(2) });
    const rows = await database.rows('SELECT id FROM conversations WHERE contact_phone = $1', [phone]);
    expect(rows).toHaveLength(2);
  });

  it('changes unread count and window only by inbound messages', async () => {
    const phone = newPhone();
    await store.save([message(phone, 1)], at(1));
    await database.execute('UPDATE conversations SET unread_count = 3, window_expires_at = $2 WHERE id = $1', [
      conversationId(ACCOUNT, phone),
      at(50),
    ]);
    await store.save([message(phone, 2)], at(2));

    expect(await conversationOf(phone)).toMatchObject({ unread_count: 3, window_expires_at: at(50) });
  });

  it('identifies a person by user id only', async () => {
    const reply: FreeFormMessage = {
      type: 'Text',
      id: uuidV7(),
      accountId: ACCOUNT,
      senderId: ACCOUNT,
      contactPhone: null,
      contactUserId: 'DE.4812093771',
      content: { text: 'Hello' },
      reference: null,
      jobId: null,
      rowNumber: null,
      status: 'Sent',
      problem: null,
      platformMessageId: null,
      createdAt: at(1),
    };
    await store.save([reply], at(1));

    expect(await conversationOf('DE.4812093771')).toMatchObject({
      contact_phone: null,
      contact_user_id: 'DE.4812093771',
      last_message_id: reply.id,
    });
  });

  it('does not recreate the conversation of an erased message with a late outcome', async () => {
    const phone = newPhone();
    const sent = message(phone, 1, { status: 'Unknown' });
    await store.save([sent], at(1));
    await database.execute('UPDATE messages SET contact_phone = NULL WHERE id = $1', [sent.id]);
    await database.execute('DELETE FROM conversations WHERE id = $1', [conversationId(ACCOUNT, phone)]);
    await store.save([{ ...sent, status: 'Sent' }], at(2));

    expect(await conversationOf(phone)).toBeUndefined();
  });

  it('allows concurrent saves of the same people, in any order', async () => {
    const people = Array.from({ length: 50 }, newPhone);
    const saves = Array.from({ length: 8 }, (_, n) => {
      const order = n % 2 === 0 ? people : [...people].reverse();
      return store.save(
        order.map((phone) => message(phone, n)),
        at(n),
      );
    });
    await Promise.all(saves);

    for (const phone of people) expect(await conversationOf(phone)).toMatchObject({ last_message_at: at(7) });
  });
});
