import { setTimeout as pause } from 'node:timers/promises';
import { LiveSandbox, Subscriber, until } from '../fixtures/live-sandbox';

describe('The endings of a recipient number', () => {
  let sandbox: LiveSandbox;
  let subscriber: Subscriber;

  beforeEach(async () => {
    sandbox = await LiveSandbox.start({ stopDelayMs: 50 });
    subscriber = new Subscriber();
    await sandbox.subscribe(await subscriber.listen());
  });

  afterEach(async () => {
    await sandbox.close();
    await subscriber.close();
  });

  const accepted = async (to: string): Promise<string> => {
    const reply = await sandbox.order(to, { biz_opaque_callback_data: 'mine' });
    expect(reply.status).toBe(200);
    return String(reply.body.messages[0].id);
  };

  it('0001 is accepted and never has a status', async () => {
    const silent = await accepted('491511230001');
    const ordinary = await accepted('491511239999');
    await until(() => subscriber.wordsOf(ordinary).length === 2);
    expect(subscriber.wordsOf(silent)).toEqual([]);
    expect(await sandbox.ledger()).toHaveLength(2);
  });

  it('0002 is rejected immediately with 131026 and not in the ledger', async () => {
    const { status, body } = await sandbox.order('491511230002');
    expect([status, body.error.code]).toEqual([400, 131026]);
    expect(await sandbox.ledger()).toEqual([]);
  });

  it('0003 is accepted and fails later with 131026', async () => {
    const id = await accepted('491511230003');
    await until(() => subscriber.wordsOf(id).length > 0);
    expect(subscriber.statuses).toEqual([
      expect.objectContaining({ id, status: 'failed', errors: [expect.objectContaining({ code: 131026 })] }),
    ]);
  });

  it('0004 is throttled once for each number and then accepted', async () => {
    for (const to of ['491511230004', '491511240004']) {
      const first = await sandbox.order(to);
      expect([first.status, first.body.error.code]).toEqual([400, 130429]);
      await accepted(to);
      await accepted(to);
    }
    expect(await sandbox.ledger()).toHaveLength(4);
  });

  it('0005 is accepted, with statuses, but without a response', async () => {
    const answer = sandbox.order('491511230005').then(
      () => 'answered',
      () => 'ended by the client side',
    );
    await until(async () => (await sandbox.ledger()).length === 1);
    const [{ messageId }] = await sandbox.ledger();
    await until(() => subscriber.wordsOf(messageId).includes('delivered'));
    expect(await Promise.race([answer, pause(100, 'still waiting')])).toBe('still waiting');
    await sandbox.close();
    expect(await answer).toBe('ended by the client side');
  });

  it('0006 is accepted, and its connection is cut', async () => {
    await expect(sandbox.order('491511230006')).rejects.toThrow();
    const [{ messageId, to }] = await sandbox.ledger();
    expect(to).toBe('491511230006');
    await until(() => subscriber.wordsOf(messageId).includes('delivered'));
  });

  it('0005 and 0006 have no statuses if statusesForUnanswered is off', async () => {
    await sandbox.control('POST', 'config', { statusesForUnanswered: false });
    await expect(sandbox.order('491511230006')).rejects.toThrow();
    const ordinary = await accepted('491511239999');
    await until(() => subscriber.wordsOf(ordinary).length === 2);
    expect(subscriber.statuses.every(({ id }) => id === ordinary)).toBe(true);
  });

  it('0007 is an HTML page of a gateway and not accepted', async () => {
    const { status, body, headers } = await sandbox.order('491511230007');
    expect(status).toBe(502);
    expect(headers.get('content-type')).toContain('text/html');
    expect(body).toContain('502 Bad Gateway');
    expect(await sandbox.ledger()).toEqual([]);
  });

  it('0008 fails with 131000 each time', async () => {
    for (let time = 0; time < 3; time++) {
      const { status, body } = await sandbox.order('491511230008');
      expect([status, body.error.code]).toEqual([500, 131000]);
    }
    expect(await sandbox.ledger()).toEqual([]);
  });

  it('0009 is delivered and answers with STOP after the delay', async () => {
    const id = await accepted('491511230009');
    await until(() => subscriber.inbound.length > 0);
    const [stop] = subscriber.inbound;
    expect(stop).toMatchObject({ from: '491511230009', type: 'text', text: { body: 'STOP' } });
    expect(stop.id).toMatch(/^wamid\./);
    expect(subscriber.wordsOf(id).sort()).toEqual(['delivered', 'sent']);
  });

  it('all others are sent and delivered, and every third is read', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 6; count++) ids.push(await accepted(`49151123888${count}`));
    await until(() => subscriber.statuses.length === 14);
    expect(ids.map((id) => subscriber.wordsOf(id).includes('read'))).toEqual([false, false, true, false, false, true]);
    expect(ids.every((id) => subscriber.wordsOf(id).includes('delivered'))).toBe(true);
    expect(subscriber.statuses.every((status) => status.biz_opaque_callback_data === 'mine')).toBe(true);
  });

  it('apply after validation, so an invalid message is rejected for its own error', async () => {
    for (const ending of ['0001', '0002', '0005', '0006', '0007', '0008']) {
      const { body } = await sandbox.template(`49151123${ending}`, 'order_update', []);
      expect(body.error.code).toBe(132000);
    }
  });
});
