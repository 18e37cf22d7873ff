import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { ConversationErasure } from '../../src/modules/chat-history/domain/conversation-erasure';
import type { ErasedPerson } from '../../src/modules/groups/domain/erasure';
import { PostgresMessageStore } from '../../src/modules/messages/adapters/postgres-message-store';
import type { OutboundMessage } from '../../src/modules/messages/domain/message';
import { OptOutCheck } from '../../src/modules/sending/domain/opt-out-check';
import { StatusReports } from '../../src/modules/platform-webhook/domain/status-reports';
import { describeOnDatabase } from '../support/databases';
import { HistoryApi } from '../support/history-api';
import { SqlSendingTables } from '../support/sending-tables';
import { SECRET, startWebhook, type WebhookApp } from '../support/webhook-app';

const NUMBER = '109876543210001';
const WABA = '204876543210002';
const MIRA = '4915112345678';
const MIRA_ID = 'DE.48120937716640021155';

describeOnDatabase('The state of a conversation', (open) => {
  let database: Database;
  let api: HistoryApi;
  let webhook: WebhookApp;
  let tables: SqlSendingTables;

  beforeAll(async () => {
    database = await open();
    api = new HistoryApi(database, 'http://127.0.0.1:9');
    await api.start();
    const sender = () => ({
      ...{ id: tables.senderId, accountId: tables.accountId, phoneNumberId: NUMBER },
      ...{ businessAccountId: WABA, appSecret: SECRET },
    });
    webhook = await startWebhook(database, () => [sender()]);
  });
  beforeEach(async () => {
    tables = new SqlSendingTables(database);
    await tables.addSender();
    await api.newAccount();
    api.caller = { ...api.caller, accountId: tables.accountId };
  });
  afterAll(async () => {
    await api.stop();
    await webhook.close();
  });

  /** The person writes; `message` replaces the text. */
  async function writes(text: string, message: object = {}): Promise<void> {
    const sent = {
      ...{ from: MIRA, id: `wamid.${uuidV7()}`, timestamp: String(Math.floor(Date.now() / 1000)) },
      ...{ type: 'text', text: { body: text }, ...message },
    };
    const value = { metadata: { phone_number_id: NUMBER }, contacts: [], messages: [sent] };
    const body = { entry: [{ id: WABA, changes: [{ field: 'messages', value }] }] };
    expect((await webhook.post(JSON.stringify(body))).status).toBe(200);
  }
  const path = () => `/conversations/${api.conversationOf(MIRA)}`;
  const found = async () => (await api.get(path()).expect(200)).body as { state?: string; unreadText?: string };
  const state = async () => (await found()).state;
  const set = (to: string) => api.patch(path(), { state: to });
  const listed = async (query: string) =>
    ((await api.get(`/conversations?${query}`).expect(200)).body.items as { contactPhone: string }[]).map(
      ({ contactPhone }) => contactPhone,
    );

  it('is Open once the person writes, Done by request, and Open again with the next message', async () => {
    await writes('Where is my order?');
    expect(await state()).toBe('Open');
    expect((await set('Done').expect(200)).body).toMatchObject({ state: 'Done', contactPhone: MIRA });
    expect(await state()).toBe('Done');
    await writes('Hello?');
    expect(await state()).toBe('Open');
    await set('Done').expect(200);
    await set('Open').expect(200);
    expect(await state()).toBe('Open');
    for (const wrong of [{}, { state: 'Keyword' }, { state: 'open' }, { state: null }]) {
      await api.patch(path(), wrong).expect(400);
    }
  });

  it('is Keyword after STOP, START or a button that opts out, but an open conversation stays open', async () => {
    await writes(' stop! ');
    expect(await state()).toBe('Keyword');
    await writes('Why do I get this?');
    expect(await state()).toBe('Open');
    await writes('STOP');
    expect(await state()).toBe('Open');
    await set('Done').expect(200);
    await writes('START');
    expect(await state()).toBe('Keyword');
    await set('Done').expect(200);

    const message = await api.newMessage({
      ...({ direction: 'Outbound', type: 'Template', status: 'Sent' } as const),
      ...{ contactPhone: MIRA, revisionId: tables.revisionId, platformMessageId: `wamid.${uuidV7()}` },
    });
    const [{ sent }] = (await database.rows<{ sent: string }>(
      'SELECT platform_message_id AS sent FROM messages WHERE id = $1',
      [message],
    )) as [{ sent: string }];
    const button = (text: string) => ({
      ...{ type: 'button', text: undefined, context: { id: sent } },
      button: { text, payload: text },
    });
    await writes('', button('Stop promotions'));
    expect(await state()).toBe('Keyword');
    await writes('', button('Track parcel'));
    expect(await state()).toBe('Open');
  });

  it('does not change with a reaction', async () => {
    await writes('Thanks');
    await set('Done').expect(200);
    await writes('', { type: 'reaction', text: undefined, reaction: { message_id: 'wamid.1', emoji: '👍' } });
    expect(await found()).toMatchObject({ state: 'Done', unreadText: 'Thanks' });
  });

  it('is absent for people who have never written, and filters the list, also with other filters', async () => {
    await api.newMessage({ direction: 'Outbound', type: 'Text', status: 'Sent', contactPhone: '4915112345670' });
    expect((await api.get(`/conversations/${api.conversationOf('4915112345670')}`)).body).not.toHaveProperty('state');
    await writes('Where is my order?');
    expect(await listed('')).toHaveLength(2);
    expect(await listed('state=Open')).toEqual([MIRA]);
    expect(await listed('state=Open&unread=true&search=49151')).toEqual([MIRA]);
    expect(await listed(`state=Done&search=${MIRA}`)).toEqual([]);
    expect(await listed(`state=Open&search=${MIRA}`)).toEqual([MIRA]);
    await set('Done').expect(200);
    expect(await listed('state=Open')).toEqual([]);
    expect(await listed('state=Done')).toEqual([MIRA]);
    await api.get('/conversations?state=open').expect(400);
  });

  it('filters the list, the longest waiting first on request, page by page, also in a search', async () => {
    const all = [MIRA, '4915112345671', '4915112345672'];
    const now = Math.floor(Date.now() / 1000);
    for (const [at, from] of all.entries()) await writes('Hello?', { from, timestamp: String(now - 60 + at) });
    expect(await listed('state=Open')).toEqual(all.toReversed());
    expect(await listed('state=Open&order=newest')).toEqual(all.toReversed());
    const longest = 'awaitingReply=true&order=longestWaiting';
    expect(await listed(longest)).toEqual(all);
    expect(await listed(`${longest}&search=49151`)).toEqual(all);
    const { body } = await api.get(`/conversations?${longest}&limit=2`).expect(200);
    expect(await listed(`${longest}&limit=2&cursor=${body.nextCursor}`)).toEqual(all.slice(2));
    await api.get('/conversations?order=descending').expect(400);
    const { body: refused } = await api.get('/conversations?order=longestWaiting').expect(400);
    expect(JSON.stringify(refused)).toContain('order longestWaiting requires awaitingReply=true');
  });

  describe('awaits a reply', () => {
    const store = () => new PostgresMessageStore(database);
    const awaiting = async () => (await listed('awaitingReply=true')).includes(MIRA);
    const outcome = (id: string, status: 'Sent' | 'Failed' | 'Unknown', wasFailed = false) =>
      store().setOutcomes([{ id, status, problem: null, platformMessageId: `wamid.${id}`, wasFailed }], new Date());
    const reports = (id: string, status: 'delivered' | 'failed') =>
      webhook.parts.get(StatusReports).apply([
        {
          ...{ accountId: tables.accountId, senderId: tables.senderId, platformMessageId: `wamid.${id}`, status },
          ...{ at: new Date(), callbackData: null, recipient: null, problem: null, scope: null },
        },
      ]);

    /** A message to the person: a reply, unless `changes` makes it another one. */
    async function sends(changes: object = {}): Promise<string> {
      const id = uuidV7();
      const message = {
        ...{ id, accountId: tables.accountId, senderId: tables.senderId, contactPhone: MIRA, contactUserId: null },
        ...{ type: 'Text', content: { text: 'On its way' }, reference: null, jobId: null, rowNumber: null },
        ...{ status: 'Queued', problem: null, platformMessageId: null, createdAt: new Date(), ...changes },
      };
      await store().save([message as OutboundMessage], new Date());
      return id;
    }
    const template = (extras: object | null) => ({
      ...{ type: 'Template', templateName: 'promo', languageCode: 'en_US', revisionId: tables.revisionId },
      ...{ parameters: [], extras },
    });

    it('until it is done or there is a reply, which neither a template nor a reaction is', async () => {
      await writes('Where is my order?');
      expect(await listed(`awaitingReply=true&search=${MIRA}`)).toEqual([MIRA]);
      await sends(template(null));
      await sends({ type: 'Reaction' });
      expect(await awaiting()).toBe(true);
      await set('Done').expect(200);
      expect(await awaiting()).toBe(false);
      expect(await listed(`awaitingReply=true&search=${MIRA}`)).toEqual([]);
      await set('Open').expect(200);
      expect(await awaiting()).toBe(true);
      await sends();
      expect(await awaiting()).toBe(false);
      expect(await listed('awaitingReply=false')).toEqual([MIRA]);
      await writes('Hello?');
      expect(await awaiting()).toBe(true);
      await sends(template({ isReply: true }));
      expect(await awaiting()).toBe(false);
      await api.get('/conversations?awaitingReply=yes').expect(400);
    });

    it('again once the reply fails, at once or later, unless another one arrived', async () => {
      await writes('Where is my order?');
      const first = await sends();
      const second = await sends();
      await outcome(first, 'Failed');
      await outcome(second, 'Unknown');
      expect(await awaiting()).toBe(false);
      await outcome(second, 'Failed');
      expect(await awaiting()).toBe(true);
      await outcome(second, 'Sent', true);
      expect(await awaiting()).toBe(false);
      await reports(second, 'failed');
      expect(await awaiting()).toBe(true);
      await reports(second, 'delivered');
      expect(await awaiting()).toBe(false);
      await writes('Hello?');
      await outcome(first, 'Sent', true);
      expect(await awaiting()).toBe(true);
    });

    it('after each message, in any order of arrival, but not for a repetition, a keyword or a reaction', async () => {
      const now = Math.floor(Date.now() / 1000);
      const question = { id: `wamid.${uuidV7()}`, timestamp: String(now) };
      await writes('Where is my order?', question);
      await sends();
      await writes('Where is my order?', question);
      await writes('STOP');
      await writes('start');
      await writes('', { type: 'reaction', text: undefined, reaction: { message_id: 'wamid.1', emoji: '👍' } });
      expect(await found()).toMatchObject({ state: 'Open', unreadText: 'start' });
      expect(await awaiting()).toBe(false);
      await writes('I ordered it last week', { timestamp: String(now - 5) });
      expect(await awaiting()).toBe(true);
    });

    it('unless the person has opted out since they wrote, also in a search', async () => {
      const now = Math.floor(Date.now() / 1000);
      const at = (secondsAgo: number) => ({ timestamp: String(now - secondsAgo) });
      const optOut = async () => (await api.get(`${path()}?optOut=true`).expect(200)).body as object;
      const inSearch = () => listed(`awaitingReply=true&search=${MIRA}`);
      const waiting = { id: uuidV7(), accountId: tables.accountId, contactPhone: MIRA, contactUserId: null };
      const isStopped = async (message: object) =>
        (await webhook.parts.get(OptOutCheck).optedOut([{ ...waiting, ...message } as OutboundMessage])).size > 0;
      const stopped = async () => [await isStopped({ type: 'Text' }), await isStopped(template(null))];
      await writes('Where is my order?', at(50));
      expect(await optOut()).toEqual(await found());
      await writes('STOP', at(40));
      expect([await awaiting(), await inSearch()]).toEqual([false, []]);
      expect(await state()).toBe('Open');
      const optedOutAt = new Date((now - 40) * 1000).toISOString();
      expect(await optOut()).toEqual({ ...(await found()), optedOutAt, wroteSinceOptOut: false });
      await writes('And where is it now?', at(30));
      expect([await awaiting(), await inSearch()]).toEqual([true, [MIRA]]);
      expect(await optOut()).toMatchObject({ optedOutAt, wroteSinceOptOut: true });
      expect(await stopped()).toEqual([false, true]);
      await writes('Stop!', at(20));
      expect([await awaiting(), await stopped()]).toEqual([false, [true, true]]);
      expect(await optOut()).toMatchObject({ wroteSinceOptOut: false });
      await writes('', {
        ...at(10),
        type: 'reaction',
        text: undefined,
        reaction: { message_id: 'wamid.1', emoji: '👍' },
      });
      expect(await optOut()).toMatchObject({ wroteSinceOptOut: false });
      await writes('', { ...at(9), type: 'image', text: undefined, image: { id: '1', mime_type: 'image/png' } });
      expect([await awaiting(), await optOut()]).toEqual([true, expect.objectContaining({ wroteSinceOptOut: true })]);
      await writes('START', at(8));
      expect(await awaiting()).toBe(true);
      expect(await optOut()).not.toHaveProperty('optedOutAt');
      expect(await found()).not.toHaveProperty('wroteSinceOptOut');
    });

    it('since the first message after the latest reply, whatever is written, sent, failed or set to done since', async () => {
      const now = Math.floor(Date.now() / 1000) * 1000;
      const at = (secondsAgo: number) => ({ timestamp: String(now / 1000 - secondsAgo) });
      const since = async () => {
        const { body } = await api.get('/conversations?awaitingReply=true&order=longestWaiting').expect(200);
        const items = body.items as { contactPhone: string; waitingSince: string }[];
        return items.map((one) => [one.contactPhone, (now - Date.parse(one.waitingSince)) / 1000]);
      };
      const other = '4915112345671';
      await writes('Where is my order?', at(50));
      await writes('Hello?', { from: other, ...at(40) });
      await writes('Is anybody there?', at(30));
      await sends({ type: 'Reaction', content: { emoji: '👍' } });
      expect(await since()).toEqual([
        [MIRA, 50],
        [other, 40],
      ]);
      const reply = await sends();
      expect(await since()).toEqual([[other, 40]]);
      await outcome(reply, 'Failed');
      expect(await since()).toEqual([
        [MIRA, 50],
        [other, 40],
      ]);
      await writes('I wrote this first', at(60));
      expect(await since()).toContainEqual([MIRA, 60]);
      await sends();
      await writes('And the second parcel?', at(20));
      await writes('START', at(12));
      expect(await since()).toEqual([
        [other, 40],
        [MIRA, 20],
      ]);
      await set('Done').expect(200);
      await set('Open').expect(200);
      expect(await since()).toContainEqual([MIRA, 20]);
      await set('Done').expect(200);
      await writes('One more thing', at(15));
      expect(await since()).toContainEqual([MIRA, 15]);
      expect(await found()).not.toHaveProperty('waitingSince');
    });

    it('in the conversation that another one is joined into, if one of the two awaited one', async () => {
      const hidden = { from: undefined, from_user_id: MIRA_ID };
      const asked = Math.floor(Date.now() / 1000) - 30;
      await writes('Where is my order?', { ...hidden, timestamp: String(asked) });
      await writes('START', { from_user_id: MIRA_ID });
      expect(await awaiting()).toBe(true);
      const { body } = await api.get('/conversations?awaitingReply=true').expect(200);
      expect(body.items[0].waitingSince).toBe(new Date(asked * 1000).toISOString());

      await database.execute('DELETE FROM conversations WHERE account_id = $1', [tables.accountId]);
      await database.execute('DELETE FROM messages WHERE account_id = $1', [tables.accountId]);
      const rita = 'DE.48120937716640021156';
      await writes('Where is my order?', { from: undefined, from_user_id: rita });
      await sends({ contactPhone: null, contactUserId: rita });
      expect(await listed('awaitingReply=true')).toEqual([]);
      await writes('START', { from_user_id: rita });
      expect(await found()).toMatchObject({ state: 'Open', unreadText: 'START' });
      expect(await awaiting()).toBe(false);
    });

    it('not for messages that were erased', async () => {
      await writes('Where is my order?');
      const requestedAt = new Date(Date.now() + 1);
      await new Promise((done) => setTimeout(done, 5));
      await sends({ type: 'Reaction' });
      const erased = { accountId: tables.accountId, phone: MIRA, userId: null, requestedAt };
      expect(await api.app.get(ConversationErasure).erase(erased as ErasedPerson)).toEqual({ done: true });
      expect(await found()).toMatchObject({ state: 'Open' });
      expect(await awaiting()).toBe(false);
    });
  });

  it('is marked as unread, once, if the person has written', async () => {
    await writes('Where is my order?');
    await api.post(`${path()}/read`).expect(200);
    for (let time = 1; time <= 2; time++) {
      const { body } = await api.post(`${path()}/unread`).expect(200);
      expect(body).toMatchObject({ unreadCount: 1, unreadText: 'Where is my order?', state: 'Open' });
    }
    expect(await listed('unread=true')).toEqual([MIRA]);
    await writes('Hello?');
    expect((await api.post(`${path()}/unread`).expect(200)).body).toMatchObject({ unreadCount: 2 });
    await api.newMessage({ direction: 'Outbound', type: 'Text', status: 'Sent', contactPhone: '4915112345670' });
    const { body } = await api.post(`/conversations/${api.conversationOf('4915112345670')}/unread`).expect(409);
    expect(body).toMatchObject({ code: 'nothing_received' });
  });

  it('is kept by the conversation that another one is joined into, found under both ids', async () => {
    await writes('Where is my order?', { from: undefined, from_user_id: MIRA_ID });
    const hidden = api.conversationOf(MIRA_ID);
    expect((await api.get(`/conversations/${hidden}`).expect(200)).body).toMatchObject({ state: 'Open' });
    await writes('STOP', { from_user_id: MIRA_ID });
    expect(await found()).toMatchObject({ state: 'Open', unreadText: 'STOP' });
    await api.patch(`/conversations/${hidden}`, { state: 'Done' }).expect(200);
    expect(await state()).toBe('Done');
  });

  it('comes with the latest unread message, also after a message to the person', async () => {
    await writes('Where is my order?');
    await api.newMessage({
      ...({ direction: 'Outbound', type: 'Text', status: 'Sent', contactPhone: MIRA } as const),
      ...{ content: { text: 'Spring sale' }, createdAt: new Date(Date.now() + 5000) },
    });
    expect(await found()).toMatchObject({ lastText: 'Spring sale', unreadText: 'Where is my order?' });
    await writes('Hello?');
    expect(await found()).toMatchObject({ lastText: 'Spring sale', unreadText: 'Hello?' });
    await database.execute('UPDATE conversations SET unread_count = 0 WHERE account_id = $1', [tables.accountId]);
    expect(await found()).not.toHaveProperty('unreadText');
  });
});
