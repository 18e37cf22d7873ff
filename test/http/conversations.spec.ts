import { parse } from 'csv-parse/sync';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { uuidV7 } from '../../src/kernel/uuid';
import { describeOnDatabase } from '../support/databases';
import { HistoryApi } from '../support/history-api';
import { optOutsOn } from '../support/opt-outs-on';

const PHONE = '4915112345678';
const MINUTE_MS = 60_000;
const FEBRUARY_30TH = Buffer.from('2026-02-30T00:00:00.000000Z 0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11').toString(
  'base64url',
);

describeOnDatabase('Conversations over HTTP', (open) => {
  let api: HistoryApi;
  let nowhere: Server;

  beforeAll(async () => {
    nowhere = createServer((_, response) => response.destroy()).listen(0, '127.0.0.1');
    await once(nowhere, 'listening');
    api = new HistoryApi(await open(), `http://127.0.0.1:${(nowhere.address() as AddressInfo).port}`);
    await api.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(async () => {
    await api.stop();
    nowhere.close();
  });

  describe('The list', () => {
    it('is empty at first', async () => {
      expect((await api.get('/conversations').expect(200)).body).toEqual({ items: [], nextCursor: null });
    });

    it('shows only unread ones on request', async () => {
      await api.newMessage({ contactPhone: '4915112345670' });
      await api.newMessage({ contactPhone: '4915112345671' });
      await api.post(`/conversations/${api.conversationOf('4915112345670')}/read`).expect(200);
      const phonesOf = async (query: string) => {
        const { body } = await api.get(`/conversations?${query}`).expect(200);
        return (body.items as { contactPhone: string }[]).map(({ contactPhone }) => contactPhone);
      };
      expect(await phonesOf('unread=true')).toEqual(['4915112345671']);
      expect(await phonesOf('unread=false')).toHaveLength(2);
      expect(await phonesOf('unread=true&search=4915112345670')).toEqual([]);
      expect(await phonesOf('unread=true&search=49151')).toEqual(['4915112345671']);
      await api.get('/conversations?unread=yes').expect(400);
    });

    it('shows the person, the last message, the unread count and the end of the reply window', async () => {
      const createdAt = new Date(Date.now() - MINUTE_MS);
      await api.newMessage({ createdAt: new Date(createdAt.getTime() - MINUTE_MS) });
      await api.newMessage({ createdAt, content: { text: 'Where is my order?' } });
      await api.newContact('Anna Schmidt', { phone: PHONE, username: '@anna.s' });
      const { body } = await api.get('/conversations').expect(200);
      expect(body.items).toEqual([
        {
          id: api.conversationOf(PHONE),
          contactPhone: PHONE,
          contactName: 'Anna Schmidt',
          username: '@anna.s',
          userId: null,
          lastMessageAt: createdAt.toISOString(),
          lastDirection: 'Inbound',
          lastText: 'Where is my order?',
          unreadCount: 2,
          windowExpiresAt: new Date(createdAt.getTime() + 24 * 60 * MINUTE_MS).toISOString(),
          optedOut: false,
        },
      ]);
      const { body: one } = await api.get(`/conversations/${api.conversationOf(PHONE)}`).expect(200);
      expect(one).toEqual(body.items[0]);
    });

    it('shows the text of a template, or the word for messages without text', async () => {
      const revisionId = await api.newTemplate();
      const sent = { direction: 'Outbound', type: 'Template', status: 'Sent', revisionId } as const;
      await api.newMessage({ ...sent, contactPhone: '4915112345601', parameters: ['Anna'] });
      await api.newMessage({ ...sent, contactPhone: '4915112345602', parameters: ['Ben'], revisionId: uuidV7() });
      await api.newMessage({ contactPhone: '4915112345603', type: 'Image', content: { media: { mediaId: '1' } } });
      await api.newMessage({
        contactPhone: '4915112345604',
        type: 'Reaction',
        content: { reaction: { platformMessageId: 'wamid.1', emoji: '👍' } },
      });
      const { body } = await api.get('/conversations').expect(200);
      expect((body.items as { lastText: string }[]).map(({ lastText }) => lastText)).toEqual([
        '👍',
        'Image',
        'Template',
        'Hello Anna\n\nAcme',
      ]);
      expect(body.items[3]).toMatchObject({ unreadCount: 0, windowExpiresAt: null, lastDirection: 'Outbound' });
    });

    it('shows that the latest message did not reach the person', async () => {
      for (const status of ['Failed', 'Undelivered', 'Delivered'] as const) {
        await api.newMessage({ direction: 'Outbound', type: 'Text', status, content: { text: status } });
        const { body } = await api.get('/conversations').expect(200);
        expect(body.items[0].lastText).toBe(status);
        expect(body.items[0].lastFailure).toBe(status === 'Delivered' ? undefined : status);
      }
    });

    it('shows the status of the latest message on request, if the account sent it', async () => {
      await api.newMessage({ contactPhone: '4915112345601' });
      for (const status of ['Queued', 'Read', 'Cancelled'] as const) {
        await api.newMessage({ direction: 'Outbound', type: 'Text', status, content: { text: status } });
        const { body } = await api.get('/conversations?lastStatus=true').expect(200);
        const statuses = (body.items as { lastStatus?: string }[]).map(({ lastStatus }) => lastStatus);
        expect(statuses).toEqual([status, undefined]);
        const { body: without } = await api.get('/conversations?lastStatus=false').expect(200);
        expect(without.items[0]).not.toHaveProperty('lastStatus');
        delete body.items[0].lastStatus;
        expect(without).toEqual(body);
      }
      await api.get('/conversations?lastStatus=yes').expect(400);
    });

    it('counts the open conversations with unread messages on request, whatever the filters', async () => {
      for (const contactPhone of ['4915112345670', '4915112345671', '4915112345672'])
        await api.newMessage({ contactPhone });
      for (const open of ['4915112345670', '4915112345671']) {
        await api.patch(`/conversations/${api.conversationOf(open)}`, { state: 'Open' }).expect(200);
      }
      const { body: without } = await api.get('/conversations?limit=1&unread=true').expect(200);
      expect(without).not.toHaveProperty('unreadConversations');
      const { body } = await api.get('/conversations?limit=1&unread=true&unreadConversations=true').expect(200);
      expect(body).toEqual({ ...without, unreadConversations: 2 });
      await api.get('/conversations?unreadConversations=yes').expect(400);
    });

    it('has no last text and no status if the message is deleted', async () => {
      await api.newMessage({ direction: 'Outbound', type: 'Text', status: 'Queued', content: { text: 'x' } });
      await api.database.execute('DELETE FROM messages WHERE account_id = $1', [api.caller.accountId]);
      const { body } = await api.get('/conversations?lastStatus=true').expect(200);
      expect(body.items[0]).not.toHaveProperty('lastStatus');
      expect((await api.get('/conversations').expect(200)).body.items[0]).toMatchObject({ lastText: null });
    });

    it("shows the account's name of a person, otherwise their own", async () => {
      await api.newMessage({ contactPhone: '5511987654321' });
      await api.newMessage({ contactPhone: null, userId: 'US.1' });
      await api.newMessage({ contactPhone: '4915112345699' });
      await api.newContact('Ana', { phone: '5511987654321' });
      await api.newContact('Una', { userId: 'US.1' });
      await api.newContact(null, { phone: '4915112345699', username: '@own' });
      await api.database.execute(`UPDATE conversations SET profile_name = 'Own name' WHERE account_id = $1`, [
        api.caller.accountId,
      ]);
      await optOutsOn(api.database).add(api.caller, { phone: '4915112345699' });
      const { body } = await api.get('/conversations').expect(200);
      const shown = (body.items as Record<string, unknown>[]).map((one) => [
        one.contactName,
        one.username,
        one.contactPhone,
        one.userId,
        one.optedOut,
      ]);
      expect(shown).toEqual([
        ['Own name', '@own', '4915112345699', null, true],
        ['Una', null, null, 'US.1', false],
        ['Ana', null, '5511987654321', null, false],
      ]);
    });

    it('continues from page to page, latest message first, even within one microsecond', async () => {
      const ids: string[] = [];
      for (let index = 0; index < 7; index++) {
        const contactPhone = `491511234570${index}`;
        await api.newMessage({ contactPhone, createdAt: new Date(1_767_225_600_000) });
        ids.push(api.conversationOf(contactPhone));
      }
      // Three times that are equal in milliseconds.
      for (const [index, id] of ids.entries()) {
        await api.database.execute(
          `UPDATE conversations SET last_message_at = last_message_at + $2::int * interval '1 microsecond' WHERE id = $1`,
          [id, index % 3],
        );
      }
      const order = (
        await api.database.rows<{ id: string }>(
          'SELECT id FROM conversations WHERE account_id = $1 ORDER BY last_message_at DESC, id DESC',
          [api.caller.accountId],
        )
      ).map(({ id }) => id);
      expect(await api.all('/conversations', 2)).toEqual({ ids: order, calls: 4 });
      expect((await api.all('/conversations', 7)).calls).toBe(1);
    });

    it.each([
      ['an empty search', 'search=', 'search'],
      ['a blank search', 'search=%20', 'search'],
      ['a long search', `search=${'x'.repeat(129)}`, 'search'],
      ['a search with NUL', 'search=%00', 'search'],
      ['a limit of 0', 'limit=0', 'limit'],
      ['a limit of 201', 'limit=201', 'limit'],
      ['an invalid cursor', 'cursor=x', 'cursor'],
      ['a cursor of February 30th', `cursor=${FEBRUARY_30TH}`, 'cursor'],
      ['a page', 'page=1', 'page'],
    ])('refuses %s', async (_, query, field) => {
      const { body } = await api.get(`/conversations?${query}`).expect(400);
      expect(body).toMatchObject({ code: 'validation_failed', errors: [{ field }] });
    });
  });

  describe('A search', () => {
    const found = async (search: string) => {
      const { body } = await api.get(`/conversations?search=${encodeURIComponent(search)}`).expect(200);
      return (body.items as { contactPhone: string }[]).map(({ contactPhone }) => contactPhone);
    };

    beforeEach(async () => {
      for (const contactPhone of ['4915112345601', '4915112345602', '5511987654321', '49151123456']) {
        await api.newMessage({ contactPhone });
      }
      await api.newContact('Ännchen Groß', { phone: '4915112345601' });
      await api.newContact('100% Ben', { phone: '4915112345602' });
    });

    it('finds a part of a name, in any case, without patterns', async () => {
      expect(await found('ännch')).toEqual(['4915112345601']);
      expect(await found('BEN')).toEqual(['4915112345602']);
      expect(await found('%')).toEqual(['4915112345602']);
      expect(await found('_')).toEqual([]);
    });

    it('finds a complete user id, and filters it', async () => {
      await api.newMessage({ contactPhone: null, userId: 'US.1' });
      await api.newMessage({ contactPhone: '12025550100', userId: 'US.12' });
      const { body } = await api.get('/conversations?search=US.1').expect(200);
      expect(body).toMatchObject({ items: [{ contactPhone: null, userId: 'US.1' }], nextCursor: null });
      expect(await found(' US.12 ')).toEqual(['12025550100']);
      expect(await found('US.')).toEqual([]);
      expect(await found('US.123')).toEqual([]);
      expect((await api.get('/conversations?search=US.1&awaitingReply=true').expect(200)).body.items).toEqual([]);
    });

    it('finds a number by its beginning only', async () => {
      expect(await found('+49 151-1234560')).toEqual(['4915112345602', '4915112345601']);
      expect(await found('45601')).toEqual([]);
      expect(await found('100')).toEqual(['4915112345602']);
    });

    it('finds the numbers of people who wrote by their last digits, first on the first page, once', async () => {
      await api.database.execute(`UPDATE conversations SET state = 'Open' WHERE account_id = $1`, [
        api.caller.accountId,
      ]);
      await api.newContact('Room 4560', { phone: '49151123456' });
      expect(await found('345-602')).toEqual(['4915112345602']);
      expect(await found('602')).toEqual([]);
      expect(await found('7321')).toEqual([]);
      await api.newMessage({ contactPhone: '4915100004560' });
      await api.database.execute(`UPDATE conversations SET state = 'Done' WHERE contact_phone = '4915100004560'`);
      expect(await found('4560')).toEqual(['4915100004560', '49151123456']);
      const { body } = await api.get('/conversations?search=4560&state=Open').expect(200);
      expect(body.items).toMatchObject([{ contactPhone: '49151123456' }]);
      expect((await api.all('/conversations?search=4560', 2)).ids).toHaveLength(2);
      // More than begin the first page.
      for (const begin of [2, 3, 4, 5]) await api.newMessage({ contactPhone: `4915${begin}00004560` });
      await api.database.execute(`UPDATE conversations SET state = 'Done' WHERE contact_phone LIKE '4915_00004560'`);
      for (const limit of [2, 3, 5, 10]) {
        const { ids } = await api.all('/conversations?search=4560', limit);
        expect([limit, ids.length, new Set(ids).size]).toEqual([limit, 6, 6]);
      }
    });

    it('finds a number without country code if the account has no default country', async () => {
      expect(await found('0151 12345601')).toEqual(['4915112345601']);
      expect(await found('0151-1234560')).toEqual(['4915112345602', '4915112345601']);
      expect(await found('0151 12345603')).toEqual([]);
    });

    it('finds a complete number in any form', async () => {
      expect(await found('0049151123456')).toEqual(['49151123456']);
      expect(await found('551187654321')).toEqual(['5511987654321']);
      expect(await found('+49 (0) 151 12345601')).toEqual(['4915112345601']);
      expect(await found('٤٩١٥١١٢٣٤٥٦٠١')).toEqual(['4915112345601']);
    });

    it('finds a national number of the default country', async () => {
      api.sender = { ...api.sender, defaultCountry: 'DE' };
      expect(await found('0151 12345601')).toEqual(['4915112345601']);
    });

    it('finds a username, with or without @', async () => {
      await api.newContact(null, { phone: '49151123456', username: '@Mira.S' });
      expect([await found('@mira'), await found('RA.S')]).toEqual([['49151123456'], ['49151123456']]);
    });

    it('scans a limited number of conversations per call, and returns where to continue', async () => {
      await api.database.execute(
        `INSERT INTO conversations (id, account_id, contact_phone, last_message_id, last_message_at, last_direction)
         SELECT gen_random_uuid(), $1, '1' || n, gen_random_uuid(), now() + n * interval '1 second', 'Outbound'
         FROM generate_series(1, 5000) n`,
        [api.caller.accountId],
      );
      const { body } = await api.get('/conversations?search=ben').expect(200);
      expect(body.items).toEqual([]);
      const { body: next } = await api.get(`/conversations?search=ben&cursor=${body.nextCursor}`).expect(200);
      expect(next).toMatchObject({ items: [{ contactName: '100% Ben' }], nextCursor: null });
    });
  });

  describe('The messages of one', () => {
    const path = () => `/conversations/${api.conversationOf(PHONE)}/messages`;

    it('are newest first, in both directions, page by page', async () => {
      const ids = await api.newMessages(5, (index) => ({ direction: index % 2 ? 'Outbound' : 'Inbound' }));
      await api.newMessage({ contactPhone: '4915100000000' });
      expect(await api.all(path(), 2)).toEqual({ ids: [...ids].reverse(), calls: 3 });
      expect((await api.all(`${path()}?direction=Inbound`, 2)).ids).toEqual([ids[4], ids[2], ids[0]]);
    });

    it('can be limited by messages and times, both exclusive', async () => {
      const ids = await api.newMessages(5);
      expect((await api.all(`${path()}?before=${ids[3]}`, 50)).ids).toEqual([ids[2], ids[1], ids[0]]);
      expect((await api.all(`${path()}?after=${ids[2]!.toUpperCase()}`, 1)).ids).toEqual([ids[4], ids[3]]);
      expect((await api.all(`${path()}?after=${ids[0]}&before=${ids[4]}`, 2)).ids).toEqual([ids[3], ids[2], ids[1]]);
      const { body } = await api.get(`/messages/${ids[2]}`).expect(200);
      expect((await api.all(`${path()}?after=${body.createdAt}`, 50)).ids).toEqual([ids[4], ids[3]]);
      expect((await api.all(`${path()}?before=${body.createdAt}`, 50)).ids).toEqual([ids[1], ids[0]]);
    });

    it('reject invalid limits, all together', async () => {
      await api.newMessages(1);
      const other = await api.newMessage({ contactPhone: '4915100000000' });
      const { body } = await api.get(`${path()}?before=${other}&after=${uuidV7()}`).expect(400);
      expect(body).toMatchObject({
        code: 'validation_failed',
        errors: [
          { field: 'before', code: 'invalid_id' },
          { field: 'after', code: 'invalid_id' },
        ],
      });
      const { body: wrong } = await api.get(`${path()}?before=x&after=2026-02-30&direction=up&until=x`).expect(400);
      expect((wrong.errors as { field: string }[]).map(({ field }) => field)).toEqual([
        'before',
        'after',
        'direction',
        'until',
      ]);
    });

    it.each(['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59'])('accept the time %s', async (time) => {
      await api.newMessages(1);
      expect((await api.all(`${path()}?after=${encodeURIComponent(time)}`, 5)).ids.length).toBeLessThan(2);
    });
  });

  it('are exported as CSV with one row per message, with any text', async () => {
    const texts = ['first\nsecond', '\r\n=1+1', '\t@cmd', '"-1,2"\n=A1'];
    for (const [index, text] of texts.entries()) {
      await api.newMessage({ content: { text }, createdAt: new Date(Date.now() - (texts.length - index) * MINUTE_MS) });
    }
    const { text: csv } = await api.get(`/conversations/${api.conversationOf(PHONE)}/export?format=csv`).expect(200);
    const rows = parse<{ text: string }>(csv, { bom: true, columns: true, record_delimiter: ['\r\n', '\n'] });
    expect(rows.map(({ text }) => text)).toEqual(['first\nsecond', "'\r\n=1+1", "'\t@cmd", '"-1,2"\n=A1']);
  });

  it('are found under their id before the join', async () => {
    const message = await api.newMessage();
    const id = api.conversationOf(PHONE);
    const earlier = api.conversationOf('US.1');
    await api.database.execute(
      'INSERT INTO joined_conversations (id, account_id, conversation_id) VALUES ($1, $2, $3)',
      [earlier, api.caller.accountId, id],
    );
    expect((await api.get(`/conversations/${earlier}`).expect(200)).body).toMatchObject({ id });
    expect((await api.all(`/conversations/${earlier}/messages`, 5)).ids).toEqual([message]);
    expect((await api.get(`/conversations/${earlier}/export`).expect(200)).body.messages).toMatchObject([
      { id: message },
    ]);
    const { body } = await api.post(`/conversations/${earlier}/read`, { messageId: message }).expect(200);
    expect(body).toMatchObject({ conversationId: id, unreadCount: 0 });
  });

  it('are not found if of another account, or unknown', async () => {
    await api.newMessages(1);
    const id = api.conversationOf(PHONE);
    await api.newAccount();
    for (const unknown of [id, uuidV7(), 'x']) {
      for (const call of [
        api.get(`/conversations/${unknown}`),
        api.get(`/conversations/${unknown}/messages`),
        api.get(`/conversations/${unknown}/export`),
        api.post(`/conversations/${unknown}/read`),
        api.post(`/conversations/${unknown}/unread`),
        api.patch(`/conversations/${unknown}`, { state: 'Done' }),
        api.delete(`/conversations/${unknown}`),
      ]) {
        expect((await call.expect(404)).body).toMatchObject({ code: 'conversation_not_found' });
      }
    }
  });
});
