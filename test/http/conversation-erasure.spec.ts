import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'csv-parse/sync';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresMessageStore } from '../../src/modules/messages/adapters/postgres-message-store';
import { ConversationErasure } from '../../src/modules/chat-history/domain/conversation-erasure';
import { describeOnDatabase } from '../support/databases';
import { HistoryApi } from '../support/history-api';

const PHONE = '4915112345678';

describeOnDatabase('Erasure from the history', (open) => {
  let api: HistoryApi;

  beforeAll(async () => {
    api = new HistoryApi(await open(), 'http://127.0.0.1:1');
    await api.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.stop());

  const id = () => api.conversationOf(PHONE);

  describe('An erased conversation', () => {
    it('is deleted with all its messages, which still count', async () => {
      const jobId = uuidV7();
      await api.newMessage({
        ...{
          direction: 'Outbound',
          type: 'Template',
          status: 'Delivered',
          parameters: ['secret'],
          jobId,
          rowNumber: 3,
        },
        ...{ reference: 'secret', platformMessageId: 'wamid.secret', deliveredAt: new Date() },
      });
      const inbound = await api.newMessage({ content: { text: 'secret' }, userId: 'US.secret', type: 'Image' });
      const other = await api.newMessage({ contactPhone: '4915100000000', content: { text: 'stays' } });
      await api.database.execute(
        `INSERT INTO inbound_media (message_id, account_id, platform_media_id, received_at, state)
         VALUES ($1, $2, '1', now(), 'Kept')`,
        [inbound, api.caller.accountId],
      );
      await api.delete(`/conversations/${id()}`).expect(204);
      await api.get(`/conversations/${id()}`).expect(404);
      await api.get(`/messages/${inbound}`).expect(404);
      await api.delete(`/conversations/${id()}`).expect(404);
      const audited = await api.database.rows('SELECT action, target_id FROM audit_log WHERE account_id = $1', [
        api.caller.accountId,
      ]);
      // The id of a conversation is derived from the number.
      expect(audited).toEqual([{ action: 'conversation.erased', target_id: null }]);
      expect((await api.all('/conversations', 50)).ids).toEqual([api.conversationOf('4915100000000')]);
      expect((await api.all('/messages', 50)).ids).toEqual([other]);
      const rows = await api.database.rows<Record<string, unknown>>(
        `SELECT m.*, (SELECT state FROM inbound_media i WHERE i.message_id = m.id) AS media FROM messages m
         WHERE account_id = $1 AND conversation_id IS NULL ORDER BY id`,
        [api.caller.accountId],
      );
      expect(rows).toMatchObject([
        { direction: 'Outbound', status: 'Delivered', job_id: jobId, row_number: 3 },
        { direction: 'Inbound', status: 'Received', type: 'Image', media: 'Removed' },
      ]);
      const left = JSON.stringify(rows);
      for (const trace of ['secret', PHONE, id(), 'text']) expect(left).not.toContain(trace);
    });

    it('is not recreated by a late platform response, and leaves nothing to send', async () => {
      const store = new PostgresMessageStore(api.database);
      const message = await api.newMessage({
        direction: 'Outbound',
        type: 'Template',
        status: 'Queued',
        parameters: [],
      });
      await api.delete(`/conversations/${id()}`).expect(204);
      await store.setOutcomes(
        [{ id: message, status: 'Sent', problem: null, platformMessageId: 'wamid.1' }],
        new Date(),
      );
      expect(await store.find([message])).toEqual([]);
      const rows = await api.database.rows('SELECT status, platform_message_id FROM messages WHERE id = $1', [message]);
      expect(rows).toEqual([{ status: 'Sent', platform_message_id: null }]);
    });

    it('starts over with the next message', async () => {
      await api.newMessages(2);
      await api.delete(`/conversations/${id()}`).expect(204);
      const next = await api.newMessage();
      expect((await api.get(`/conversations/${id()}`).expect(200)).body).toMatchObject({ unreadCount: 1 });
      expect((await api.all(`/conversations/${id()}/messages`, 5)).ids).toEqual([next]);
    });

    it('is erased in several transactions if large', async () => {
      await manyMessages(1200);
      await api.delete(`/conversations/${id()}`).expect(204);
      const [row] = await api.database.rows<{ left: number; kept: number }>(
        `SELECT count(conversation_id)::int AS left, count(*)::int AS kept FROM messages WHERE account_id = $1`,
        [api.caller.accountId],
      );
      expect(row).toEqual({ left: 0, kept: 1200 });
    });
  });

  describe('An erased person', () => {
    const person = (changes: object = {}) => ({
      ...{ accountId: api.caller.accountId, phone: PHONE, userId: null, requestedAt: new Date(Date.now() + 1000) },
      ...changes,
    });
    const erase = async (changes: object = {}): Promise<number> => {
      const erasure = api.app.get(ConversationErasure);
      for (let calls = 1; ; calls++) if ((await erasure.erase(person(changes))).done) return calls;
    };
    const left = async () => (await api.all('/conversations', 50)).ids.sort();

    it('includes the conversation, a limited number of messages per call', async () => {
      await api.newMessages(1, () => ({ contactPhone: '5511987654321' }));
      await erase({ phone: '5511987654321' });
      expect(await left()).toEqual([]);
      await manyMessages(1200);
      expect(await erase()).toBe(3);
      expect(await left()).toEqual([]);
      expect(await erase()).toBe(1);
    });

    it('includes messages under the user id, before and after the number was known', async () => {
      const others = await api.newMessage({ contactPhone: null, userId: 'US.2' });
      for (const known of [
        { phone: PHONE, userId: null },
        { phone: null, userId: 'US.1' },
      ]) {
        await api.newMessage({ contactPhone: null, userId: 'US.1' });
        await api.newMessage({ contactPhone: PHONE, userId: 'US.1' });
        await erase(known);
        expect(await left()).toEqual([api.conversationOf('US.2')]);
      }
      expect((await api.all('/messages', 5)).ids).toEqual([others]);
    });

    it('does not include messages after its request', async () => {
      const [before] = await api.newMessages(1);
      const requestedAt = new Date(Date.now() - 5000);
      const after = await api.newMessage();
      await erase({ requestedAt });
      expect((await api.all('/messages', 5)).ids).toEqual([after]);
      await api.get(`/messages/${before}`).expect(404);
      expect(await left()).toEqual([id()]);
    });

    it('does not affect another account', async () => {
      const [message] = await api.newMessages(1);
      const { accountId } = api.caller;
      await api.newAccount();
      await erase();
      expect(
        await api.database.rows('SELECT id FROM messages WHERE account_id = $1 AND conversation_id IS NOT NULL', [
          accountId,
        ]),
      ).toEqual([{ id: message }]);
    });
  });

  describe('An export', () => {
    it('contains the conversation and all its messages, oldest first, as one JSON object', async () => {
      await manyMessages(1200);
      const [first] = await api.newMessages(1, () => ({ createdAt: new Date(0), content: { text: 'Grüße "1"\n' } }));
      const { body, headers } = await api.get(`/conversations/${id()}/export`).expect(200);
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="conversation-${id()}.json"`,
      });
      expect(body.conversation).toMatchObject({ id: id(), contactPhone: PHONE });
      expect(body.messages).toHaveLength(1201);
      const { body: shown } = await api.get(`/messages/${first}`).expect(200);
      expect({ ...body.messages[0], sentBy: null }).toEqual(shown);
      const times = (body.messages as { createdAt: string }[]).map(({ createdAt }) => createdAt);
      expect(times).toEqual([...times].sort());
    });

    it('is CSV without executable formulas', async () => {
      const texts = ['=1+1', '+1', '-1', '@A1', '\t=1', 'a "quoted", text\r\nin two lines', 'Grüße'];
      await api.newMessages(texts.length, (index) => ({ content: { text: texts[index] } }));
      const { text, headers } = await api.get(`/conversations/${id()}/export?format=csv`).buffer(true).expect(200);
      expect(headers['content-type']).toBe('text/csv; charset=utf-8');
      expect(text.startsWith('\ufeff"createdAt","direction",')).toBe(true);
      const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
      expect(rows.map((row) => row.text)).toEqual(texts.map((cell) => (/^[=+\-@\t]/.test(cell) ? `'${cell}` : cell)));
      expect(rows[0]).toMatchObject({ direction: 'Inbound', status: 'Received', contactPhone: PHONE });
    });

    it.each(['xlsx', '', 'JSON'])('is not available as "%s"', async (format) => {
      await api.newMessages(1);
      const { body } = await api.get(`/conversations/${id()}/export?format=${format}`).expect(400);
      expect(body).toMatchObject({ code: 'validation_failed', errors: [{ field: 'format' }] });
    });

    it("ends with the client's connection, and is aborted if it cannot continue", async () => {
      await manyMessages(4000);
      const archive = api.database.rows.bind(api.database);
      let reads = 0;
      const spy = jest.spyOn(api.database, 'rows').mockImplementation((sql, parameters) => {
        if (sql.includes('FROM messages') && ++reads > 4) return Promise.reject(new Error('broken'));
        return archive(sql, parameters);
      });
      try {
        await expect(download(`/conversations/${id()}/export`)).rejects.toThrow('aborted');
      } finally {
        spy.mockRestore();
      }
      await download(`/conversations/${id()}/export`, 10);
      expect((await download(`/conversations/${id()}/export`)).length).toBeGreaterThan(4000);
    });
  });

  /** The body, or as much of it as is wanted before the connection is cut. */
  function download(path: string, bytes = Infinity): Promise<string> {
    const { port } = api.app.getHttpServer().address() as AddressInfo;
    return new Promise((done, fail) => {
      const call = httpRequest({ port, path: `/api/v1/messaging${path}` }, (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => {
          body += chunk.toString();
          if (body.length < bytes) return;
          response.destroy();
          done(body);
        });
        response.on('end', () => done(body));
        response.on('error', fail);
      });
      call.on('error', fail);
      call.end();
    });
  }

  /** Messages of one person, and their conversation. */
  async function manyMessages(count: number): Promise<void> {
    await api.database.execute(
      `INSERT INTO messages (id, account_id, conversation_id, direction, type, contact_phone, content, status, created_at)
       SELECT ('0180' || substr(gen_random_uuid()::text, 5))::uuid, $1, $2, 'Inbound', 'Text', $3,
         jsonb_build_object('text', repeat('x', 200)), 'Received', now() - n * interval '1 s'
       FROM generate_series(1, $4::int) n`,
      [api.caller.accountId, id(), PHONE, count],
    );
    await api.newMessage({});
    await api.database.execute(
      'DELETE FROM messages WHERE id = (SELECT last_message_id FROM conversations WHERE id = $1)',
      [id()],
    );
  }
});
