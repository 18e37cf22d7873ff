import type { Database } from '../../src/infra/database/database';
import { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { conversationId } from '../../src/modules/messages/domain/conversation-id';
import { describeOnDatabase } from '../support/databases';
import { SqlSendingTables } from '../support/sending-tables';
import { SECRET, startWebhook, type WebhookApp } from '../support/webhook-app';

const NUMBER = '109876543210001';
const WABA = '204876543210002';
const [RITA, RITA_NEW] = ['4915112340001', '4915112340002'];
const [ID, ID_NEW] = ['DE.1000000000000001', 'DE.1000000000000002'];

describeOnDatabase('The identity of a person, by number and user id', (open) => {
  let database: Database;
  let webhook: WebhookApp;
  let tables: SqlSendingTables;
  let next = 0;

  beforeAll(async () => {
    database = await open();
    const sender = () => ({
      ...{ id: tables.senderId, accountId: tables.accountId, phoneNumberId: NUMBER },
      ...{ businessAccountId: WABA, appSecret: SECRET },
    });
    webhook = await startWebhook(database, () => [sender()]);
  });

  beforeEach(async () => {
    tables = new SqlSendingTables(database);
    await tables.addSender();
    await database.execute('DELETE FROM platform_events');
  });

  afterAll(() => webhook.close());

  const contacts = () =>
    database.rows('SELECT phone, user_id FROM contacts WHERE account_id = $1 ORDER BY phone', [tables.accountId]);
  const events = () => database.rows('SELECT kind FROM platform_events');
  const refusing = async (...people: string[]) =>
    Object.fromEntries(await webhook.parts.get(OptOutsService).scopesByPerson(tables.accountId, people));
  const post = async (field: string, value: object) => {
    const body = JSON.stringify({ entry: [{ id: WABA, changes: [{ field, value }] }] });
    expect((await webhook.post(body)).status).toBe(200);
  };
  const inMessages = (value: object) => post('messages', { metadata: { phone_number_id: NUMBER }, ...value });
  const timestamp = () => String(Math.floor(Date.now() / 1000) - 60 + next++);
  const says = (who: object, text: string, contact?: object) =>
    inMessages({
      contacts: contact ? [contact] : [],
      messages: [{ ...who, id: `wamid.${next++}`, timestamp: timestamp(), type: 'text', text: { body: text } }],
    });
  const system = (fields: object, content: object) =>
    inMessages({
      messages: [{ ...fields, id: `wamid.${next++}`, timestamp: timestamp(), type: 'system', system: content }],
    });
  const delivered = () =>
    inMessages({
      contacts: [{ wa_id: RITA, user_id: ID }],
      statuses: [
        { id: 'wamid.sent', status: 'delivered', timestamp: timestamp(), recipient_id: RITA, recipient_user_id: ID },
      ],
    });
  /** The account has sent to Rita's number; she is not a contact. */
  const written = () =>
    database.execute(
      `INSERT INTO conversations (id, account_id, contact_phone, last_message_id, last_message_at, last_direction, unread_count)
       VALUES ($1, $2, $3, gen_random_uuid(), now(), 'Outbound', 0)`,
      [conversationId(tables.accountId, RITA), tables.accountId, RITA],
    );

  describe('named together by a status', () => {
    it('is one person: STOP under the user id applies to the number', async () => {
      await written();
      await delivered();
      expect(await contacts()).toEqual([]);
      await says({ from_user_id: ID }, 'STOP');
      expect(await refusing(RITA)).toEqual({ [RITA]: 'All' });
    });

    it('is one person, also if STOP came before', async () => {
      await written();
      await says({ from_user_id: ID }, 'STOP');
      expect(await refusing(RITA)).toEqual({});
      await delivered();
      expect(await refusing(RITA, ID)).toEqual({ [RITA]: 'All', [ID]: 'All' });
      expect(await contacts()).toEqual([{ phone: RITA, user_id: ID }]);
    });

    it('is one person who was written to by user id only, with one conversation', async () => {
      await database.execute(
        `INSERT INTO conversations (id, account_id, contact_user_id, last_message_id, last_message_at, last_direction)
         VALUES ($1, $2, $3, gen_random_uuid(), now(), 'Outbound')`,
        [conversationId(tables.accountId, ID), tables.accountId, ID],
      );
      await delivered();
      const rows = await database.rows(
        'SELECT id, contact_phone, contact_user_id FROM conversations WHERE account_id = $1',
        [tables.accountId],
      );
      const id = conversationId(tables.accountId, RITA);
      expect(rows).toEqual([{ id, contact_phone: RITA, contact_user_id: ID }]);
      await says({ from: RITA }, 'STOP');
      expect(await refusing(RITA, ID)).toEqual({ [RITA]: 'All', [ID]: 'All' });
    });

    it('stays opted out under both if contact and conversation are deleted', async () => {
      await written();
      await delivered();
      await says({ from_user_id: ID }, 'STOP');
      await database.execute('DELETE FROM contacts WHERE account_id = $1', [tables.accountId]);
      await database.execute('DELETE FROM conversations WHERE account_id = $1', [tables.accountId]);
      expect(await refusing(RITA, ID)).toEqual({ [RITA]: 'All', [ID]: 'All' });
    });

    it('is one person who shared the number with a button', async () => {
      await inMessages({
        messages: [
          {
            ...{ from_user_id: ID, id: `wamid.${next++}`, timestamp: timestamp(), type: 'contacts' },
            contacts: [{ origin: 'contact_request', phones: [{ phone: '+49 1511 2340001', type: 'CELL' }] }],
          },
        ],
      });
      expect(await contacts()).toEqual([{ phone: RITA, user_id: ID }]);
      await says({ from: RITA }, 'STOP');
      expect(await refusing(ID)).toEqual({ [ID]: 'All' });
    });

    it('is not linked to the number of a forwarded contact', async () => {
      const contact = { phones: [{ phone: '+49 1511 2340002', wa_id: RITA_NEW }] };
      await inMessages({
        messages: [
          { from_user_id: ID, id: `wamid.${next++}`, timestamp: timestamp(), type: 'contacts', contacts: [contact] },
        ],
      });
      expect(await contacts()).toEqual([{ phone: null, user_id: ID }]);
    });

    it('has no effect with only one of the two', async () => {
      await written();
      await inMessages({
        contacts: [{ wa_id: RITA }],
        statuses: [{ id: 'wamid.sent', status: 'failed', timestamp: timestamp(), recipient_id: RITA }],
      });
      await says({ from_user_id: ID }, 'STOP');
      expect(await refusing(RITA)).toEqual({});
    });
  });

  describe('changed', () => {
    it('keeps the opt-out of a replaced number, for both', async () => {
      await says({ from: RITA }, 'STOP', { wa_id: RITA, profile: { name: 'Rita' } });
      const content = { type: 'user_changed_number', body: 'User Rita changed', wa_id: RITA_NEW, new_wa_id: '' };
      await system({ from: RITA }, content);
      await system({ from: RITA }, content);
      expect(await refusing(RITA, RITA_NEW)).toEqual({ [RITA]: 'All', [RITA_NEW]: 'All' });
      expect(await contacts()).toEqual([{ phone: RITA_NEW, user_id: null }]);
    });

    it('keeps the opt-out of a replaced user id', async () => {
      await says({ from_user_id: ID }, 'STOP');
      await post('user_id_update', {
        metadata: { phone_number_id: NUMBER },
        user_id_update: [{ user_id: { previous: ID, current: ID_NEW }, timestamp: timestamp() }],
      });
      expect(await refusing(ID_NEW)).toEqual({ [ID_NEW]: 'All' });
      expect(await contacts()).toEqual([{ phone: null, user_id: ID_NEW }]);
      expect(await events()).toEqual([]);
    });

    it('is updated by a notice without a sender', async () => {
      await says({ from_user_id: ID }, 'STOP');
      const body = `User Rita changed from ${ID} to ${ID_NEW}.`;
      await system({}, { type: 'user_changed_user_id', body, user_id: ID_NEW });
      expect(await refusing(ID_NEW)).toEqual({ [ID_NEW]: 'All' });
      expect(await events()).toEqual([]);
    });

    it('takes over nothing from another person, and can return to the number', async () => {
      await says({ from: RITA }, 'Hello', { wa_id: RITA, user_id: ID });
      await says({ from: RITA_NEW }, 'Hello', { wa_id: RITA_NEW, user_id: ID_NEW });
      await system({ from: RITA }, { type: 'user_changed_number', wa_id: RITA_NEW, user_id: ID_NEW });
      expect(await contacts()).toEqual([
        { phone: RITA, user_id: ID },
        { phone: RITA_NEW, user_id: ID_NEW },
      ]);
      await says({ from_user_id: ID_NEW }, 'STOP');
      expect(await refusing(RITA_NEW)).toEqual({ [RITA_NEW]: 'All' });
    });
  });

  it('ends a marketing opt-out when the person signs up again', async () => {
    const prefer = (value: string) =>
      post('user_preferences', {
        user_preferences: [{ wa_id: RITA, category: 'marketing_messages', value, timestamp: Number(timestamp()) }],
      });
    await prefer('stop');
    expect(await refusing(RITA)).toEqual({ [RITA]: 'Marketing' });
    await prefer('signup');
    expect(await refusing(RITA)).toEqual({});
  });
});
