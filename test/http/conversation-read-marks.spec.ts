import { type RunningSandbox, startSandbox } from '../../libs/platform-sandbox/sandbox';
import { uuidV7 } from '../../src/kernel/uuid';
import { describeOnDatabase } from '../support/databases';
import { HistoryApi } from '../support/history-api';

const PHONE = '4915112345678';
const DAY_MS = 86_400_000;
/** In the form of the platform's ids. */
const PLATFORM_ID = 'wamid.HBgNNDkxNTExMjM0NTY3OBUCABIYFDE2RTk5MEU2ODM1QjY5NkZBOEJBAA==';

describeOnDatabase('Marking a conversation as read', (open, isShared) => {
  let api: HistoryApi;
  let sandbox: RunningSandbox;

  beforeAll(async () => {
    sandbox = await startSandbox();
    api = new HistoryApi(await open(), sandbox.url);
    await api.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(async () => {
    await api.stop();
    await sandbox.close();
  });

  const id = () => api.conversationOf(PHONE);
  const mark = (body?: object) => api.post(`/conversations/${id()}/read`, body);
  const unread = async () => (await api.get(`/conversations/${id()}`).expect(200)).body.unreadCount as number;
  const received = (platformMessageId = PLATFORM_ID) => ({ platformMessageId });

  async function toldAt(messageId: string): Promise<Date | null | undefined> {
    const [row] = await api.database.rows<{ read_at: Date | null }>('SELECT read_at FROM messages WHERE id = $1', [
      messageId,
    ]);
    return row?.read_at;
  }

  it('leaves nothing unread and notifies the platform of the latest message only', async () => {
    const [first, last] = await api.newMessages(2, () => received());
    await api.newMessage({ direction: 'Outbound', status: 'Sent' });
    expect(await unread()).toBe(2);
    const { body } = await mark().expect(200);
    expect(body).toEqual({ conversationId: id(), unreadCount: 0, readReceipt: 'Sent' });
    expect(await unread()).toBe(0);
    expect(await toldAt(last!)).toEqual(expect.any(Date));
    expect(await toldAt(first!)).toBeNull();
    expect((await api.get(`/messages/${last}`).expect(200)).body.statusHistory).toMatchObject([{ status: 'Received' }]);
  });

  it('shows a typing indicator on request, any number of times', async () => {
    await api.newMessages(1, () => received());
    const receipts = async () =>
      ((await (await fetch(`${sandbox.url}/sandbox/stats`)).json()) as { receipts: object }).receipts;
    const before = (await receipts()) as { read: number; typing: number };
    await mark().expect(200);
    for (let time = 1; time <= 2; time++) {
      expect((await mark({ typing: true }).expect(200)).body).toMatchObject({ readReceipt: 'Sent' });
    }
    expect(await receipts()).toEqual({ read: before.read + 1, typing: before.typing + 2 });
    await mark({ typing: 'yes' }).expect(400);
  });

  it('leaves messages after the seen one unread', async () => {
    const ids = await api.newMessages(4, (index) => ({
      ...received(),
      ...(index === 1 && { type: 'Reaction' as const }),
    }));
    const { body } = await mark({ messageId: ids[2] }).expect(200);
    expect(body).toMatchObject({ unreadCount: 1, readReceipt: 'Sent' });
    expect(await toldAt(ids[2]!)).toEqual(expect.any(Date));
    expect(await toldAt(ids[3]!)).toBeNull();
    // A mark before an earlier one does not make messages unread.
    expect((await mark({ messageId: ids[0] }).expect(200)).body).toMatchObject({ unreadCount: 1 });
  });

  it('keeps its result if the platform fails or refuses, and notifies it on the next request', async () => {
    const [message] = await api.newMessages(1, () => received());
    const { accessToken } = api.sender;
    api.sender = { ...api.sender, accessToken: 'wrong' };
    expect((await mark().expect(200)).body).toMatchObject({ unreadCount: 0, readReceipt: 'NotSent' });
    api.sender = { ...api.sender, accessToken, sendingPaused: true };
    expect((await mark().expect(200)).body).toMatchObject({ readReceipt: 'NotSent' });
    expect([await unread(), await toldAt(message!)]).toEqual([0, null]);
    api.sender = { ...api.sender, sendingPaused: false };
    expect((await mark().expect(200)).body).toMatchObject({ readReceipt: 'Sent' });
  });

  it('does not notify the platform without a recent inbound message, or twice', async () => {
    await api.newMessage({ direction: 'Outbound', status: 'Sent', ...received() });
    expect((await mark().expect(200)).body).toMatchObject({ unreadCount: 0, readReceipt: 'None' });
    await api.newMessage({ ...received(), createdAt: new Date(Date.now() - 31 * DAY_MS) });
    expect((await mark().expect(200)).body).toMatchObject({ unreadCount: 0, readReceipt: 'None' });
    await api.newMessage(received());
    await mark().expect(200);
    // A receipt with this token would be refused: none is sent.
    api.sender = { ...api.sender, accessToken: 'wrong' };
    expect((await mark().expect(200)).body).toMatchObject({ unreadCount: 0, readReceipt: 'None' });
  });

  it('does not mark messages that arrive meanwhile', async () => {
    await api.newMessages(1, () => received());
    const count = () =>
      api.database.execute('UPDATE conversations SET unread_count = unread_count + 1 WHERE id = $1', [id()]);
    if (isShared) {
      let marked: Promise<unknown> | undefined;
      await api.database.transaction(async () => {
        await count();
        // Waits for the lock of this transaction, which counts a message not yet visible.
        marked = Promise.resolve(mark());
        await new Promise((done) => setTimeout(done, 100));
      });
      await marked;
      await count();
    } else {
      await mark().expect(200);
      await count();
    }
    expect(await unread()).toBe(1);
  });

  it.each([[{ messageId: 'x' }], [{ messageId: null }], [{ upTo: 1 }]])('rejects the body %j', async (body) => {
    await api.newMessages(1);
    expect((await mark(body).expect(400)).body).toMatchObject({ code: 'validation_failed' });
    expect(await unread()).toBe(1);
  });

  it('rejects a message of another conversation', async () => {
    await api.newMessages(1);
    const other = await api.newMessage({ contactPhone: '4915100000000' });
    for (const messageId of [other, uuidV7()]) {
      expect((await mark({ messageId }).expect(404)).body).toMatchObject({ code: 'message_not_found' });
    }
    expect(await unread()).toBe(1);
  });
});
